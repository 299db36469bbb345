import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useCallback, useContext, useState } from 'preact/hooks';

type Announce = (message: string) => void;
const AnnouncerContext = createContext<Announce>(() => undefined);

/** Returns `announce`, which has screen readers say a change: `announce('Locked')`. */
export const useAnnounce = (): Announce => useContext(AnnouncerContext);

/**
 * Holds the live region for `useAnnounce`. It has to be in the page before the first announcement.
 */
export function Announcer({ children }: { readonly children: ComponentChildren }) {
  const [message, setMessage] = useState({ text: '', turn: 0 });
  const announce = useCallback(
    (text: string) => setMessage((last) => ({ text, turn: last.turn + 1 })),
    [],
  );
  return (
    <AnnouncerContext.Provider value={announce}>
      {children}
      <div class="visually-hidden" role="status" aria-live="polite">
        <span key={message.turn}>{message.text}</span>
      </div>
    </AnnouncerContext.Provider>
  );
}
