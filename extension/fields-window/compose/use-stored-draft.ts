import { useCallback, useEffect, useRef } from 'preact/hooks';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { utf8Bytes } from '../../ui/text/plain-text.ts';
import { useFieldSessionEnvironment } from '../environment.ts';

/**
 * Every stored draft is a new generation of the vault, so drafts are stored at this interval at
 * most.
 */
const STORE_EVERY_MS = 1_000;

/**
 * Stores a draft in the vault: a second after a change, and when the window closes. A draft that is
 * in the vault is removed from session storage. It stays in session storage if the vault could not
 * take it, because it was locked or the text is too long.
 *
 * @param name the name of the draft in session storage
 * @returns a function that takes the text after each change
 */
export function useStoredDraft(name: string): (text: string) => void {
  const { ui, drafts } = useEnvironment();
  const { sessionId } = useFieldSessionEnvironment();
  const pending = useRef<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const store = useCallback(async () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const text = pending.current;
    if (text === undefined) return;
    const { kept } = await ui.call('ui.keepDraft', { visitId: sessionId, text: utf8Bytes(text) });
    if (!kept || pending.current !== text) return;
    pending.current = undefined;
    await drafts.remove(name);
  }, [ui, drafts, sessionId, name]);
  useEffect(() => {
    const storeNow = () => void store().catch(() => undefined);
    window.addEventListener('pagehide', storeNow);
    return () => {
      window.removeEventListener('pagehide', storeNow);
      storeNow();
    };
  }, [store]);
  return (text) => {
    pending.current = text;
    timer.current ??= setTimeout(() => void store().catch(() => undefined), STORE_EVERY_MS);
  };
}
