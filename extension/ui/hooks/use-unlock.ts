import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useEnvironment } from '../environment/environment.ts';
import { useAction, type Action } from './use-action.ts';

export interface Unlock {
  readonly action: Action;
  readonly passphrase: string;
  readonly revealed: boolean;
  /** Nothing was typed when it was handed over. */
  readonly missing: boolean;
  readonly input: RefObject<HTMLInputElement>;
  readonly setPassphrase: (passphrase: string) => void;
  readonly setRevealed: (revealed: boolean) => void;
  readonly submit: () => void;
  /** Stops a derivation in the middle; the vault stays locked. */
  readonly cancel: () => void;
}

/** A passphrase on its way to the background: emptied here as soon as it has been handed over. */
export function useUnlock(onUnlocked: () => Promise<void>): Unlock {
  const { ui } = useEnvironment();
  const [passphrase, setRaw] = useState('');
  const [revealed, setRevealed] = useState(false);
  const [missing, setMissing] = useState(false);
  const action = useAction();
  const input = useRef<HTMLInputElement>(null);
  const cancellation = useRef<AbortController>();

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
    const call = ui.call('ui.unlock', { passphrase }, signal);
    setRaw('');
    setRevealed(false);
    try {
      await call;
    } catch (error) {
      if (!signal.aborted) throw error;
      input.current?.focus();
    } finally {
      // A cancellation may have come too late; and after an error the vault may be known as lost.
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
    ...{ action, passphrase, revealed, missing, input },
    ...{ setPassphrase, setRevealed, submit, cancel },
  };
}
