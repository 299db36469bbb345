import { createContext, type RefObject } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useEnvironment } from '../environment/environment.ts';
import { useAction, type Action } from './use-action.ts';

/** The draft that says that a recovery code opened the vault, until a passphrase was chosen. */
export const CODE_USED_DRAFT = 'opened-by-recovery-code';

/**
 * Whether a text that opened the vault was a recovery code (src/keys/unlock/recovery-code.ts): 28
 * symbols, of which digits are very unlikely to be none.
 */
export const isCodeShaped = (text: string): boolean =>
  /^(?=.*\d)[0-9a-tv-z]{28}$/i.test(text.replace(/[\s\p{Pd}]/gu, ''));

/**
 * The recovery code that opened the vault in this page, so that it need not be typed again to choose a passphrase. The
 * page alone has it, until it was used, and while the vault is open.
 */
export const TypedCode = createContext<{ current: string | undefined }>({ current: undefined });

/** State of the form that unlocks the vault. */
export interface Unlock {
  readonly action: Action;
  readonly passphrase: string;
  readonly revealed: boolean;
  /** Whether the form was submitted with an empty passphrase. */
  readonly missing: boolean;
  readonly input: RefObject<HTMLInputElement>;
  readonly setPassphrase: (passphrase: string) => void;
  readonly setRevealed: (revealed: boolean) => void;
  readonly submit: () => void;
  /** Stops the derivation; the vault stays locked. */
  readonly cancel: () => void;
}

/**
 * State of the unlock form. The field is emptied as soon as the passphrase was sent to the
 * background.
 *
 * @param onUnlocked called after every try, because errors can change the vault's state too
 */
export function useUnlock(onUnlocked: () => Promise<void>): Unlock {
  const { ui, drafts } = useEnvironment();
  const [passphrase, setRaw] = useState('');
  const [revealed, setRevealed] = useState(false);
  const [missing, setMissing] = useState(false);
  const action = useAction();
  const input = useRef<HTMLInputElement>(null);
  const cancellation = useRef<AbortController>();
  const typedCode = useContext(TypedCode);

  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(() => {
    if (action.error !== undefined) input.current?.focus();
  }, [action.error]);

  const setPassphrase = (next: string) => {
    setRaw(next);
    setMissing(false);
    if (action.error !== undefined) action.clear();
  };
  const unlock = async (signal: AbortSignal) => {
    const byCode = isCodeShaped(passphrase);
    setRaw('');
    setRevealed(false);
    try {
      // Before the vault is open: as soon as it is, the user may close the popup.
      if (byCode) await drafts.set(CODE_USED_DRAFT, 'yes');
      const { by } = await ui.call('ui.unlock', { passphrase }, signal);
      if (by === 'recovery-code') typedCode.current = passphrase;
      else await drafts.remove(CODE_USED_DRAFT);
    } catch (error) {
      if (byCode) await drafts.remove(CODE_USED_DRAFT);
      if (!signal.aborted) throw error;
      input.current?.focus();
    } finally {
      // The cancellation may have come too late, and after an error the vault's state may be
      // 'lost'.
      await onUnlocked();
    }
  };
  const submit = () => {
    if (action.busy) return;
    setMissing(passphrase === '');
    if (passphrase === '') {
      input.current?.focus();
      return;
    }
    const controller = new AbortController();
    cancellation.current = controller;
    action.run(() => unlock(controller.signal));
  };
  const cancel = () => cancellation.current?.abort();
  return {
    action,
    passphrase,
    revealed,
    missing,
    input,
    setPassphrase,
    setRevealed,
    submit,
    cancel,
  };
}
