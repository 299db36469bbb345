import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { useText } from '../environment/environment.ts';
import { errorWords } from '../text/error-words.ts';
import { Button } from './buttons/button.tsx';
import { focusTitle } from './view.tsx';

/** Has screen readers say a change that the screen shows anyway: `announce('Locked')`. */
type Announce = (message: string) => void;
/**
 * Shows for some seconds what was done, and has screen readers say it.
 *
 * @param undo takes it back; then there is a button for it
 */
type ShowToast = (message: string, undo?: () => Promise<unknown>) => void;

const AnnouncerContext = createContext<{ announce: Announce; toast: ShowToast }>({
  announce: () => undefined,
  toast: () => undefined,
});

/** Returns `announce`, for a change that can be seen where it happened. */
export const useAnnounce = (): Announce => useContext(AnnouncerContext).announce;

/** Returns `toast`, for what was done and can be seen nowhere else, or can be taken back. */
export const useToast = (): ShowToast => useContext(AnnouncerContext).toast;

interface Message {
  readonly text: string;
  readonly isShown: boolean;
  readonly undo?: (() => Promise<unknown>) | undefined;
}

const SHOWN_MS = 6_000;
/** Long enough to find the button by keyboard. */
const UNDO_MS = 15_000;

/**
 * Holds the live region for `useAnnounce` and `useToast`. It has to be in the page before the first
 * message.
 */
export function Announcer({ children }: { readonly children: ComponentChildren }) {
  const [{ message, turn }, setLast] = useState<{ message?: Message; turn: number }>({ turn: 0 });
  const show = useCallback(
    (next: Message | undefined) =>
      setLast((last) => ({ ...(next && { message: next }), turn: last.turn + 1 })),
    [],
  );
  const context = useMemo(
    () => ({
      announce: (text: string) => show({ text, isShown: false }),
      toast: (text: string, undo?: () => Promise<unknown>) => show({ text, isShown: true, undo }),
    }),
    [show],
  );
  return (
    <AnnouncerContext.Provider value={context}>
      {children}
      <div class="toasts" role="status" aria-live="polite">
        {message?.isShown ? (
          <Toast key={turn} message={message} onOver={() => show(undefined)} />
        ) : (
          <span key={turn} class="visually-hidden">
            {message?.text}
          </span>
        )}
      </div>
    </AnnouncerContext.Provider>
  );
}

interface ToastProps {
  readonly message: Message;
  readonly onOver: () => void;
}

/** Stays while the pointer or the focus is on its button. */
function Toast({ message: { text: words, undo }, onOver }: ToastProps) {
  const text = useText();
  const toast = useToast();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(onOver, undo ? UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, undo, onOver]);
  const takeBack = () => {
    focusTitle();
    void undo!().then(
      () => toast(text.t('undone')),
      (error: unknown) => toast(errorWords(error, text)),
    );
  };
  return (
    <div
      class="toast"
      id="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <span>{words}</span>
      {undo && (
        <Button id="undo" variant="quiet" onClick={takeBack}>
          {text.t('undo')}
        </Button>
      )}
    </div>
  );
}
