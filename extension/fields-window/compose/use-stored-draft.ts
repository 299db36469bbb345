import { useCallback, useEffect, useRef } from 'preact/hooks';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { utf8Bytes } from '../../ui/text/plain-text.ts';
import { useFieldSessionEnvironment } from '../environment.ts';

/** Not oftener does typing make a new generation of the vault. */
const KEEP_EVERY_MS = 1_000;

/**
 * Hands what is written on to the vault, a second behind and when the window goes. What the vault has, the
 * memory of the browser forgets (`name`); what it could not take (it was locked meanwhile, or the text
 * is very long) stays there.
 */
export function useStoredDraft(name: string): (text: string) => void {
  const { ui, drafts } = useEnvironment();
  const { sessionId } = useFieldSessionEnvironment();
  const unkept = useRef<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const keep = useCallback(async () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const text = unkept.current;
    if (text === undefined) return;
    const { kept } = await ui.call('ui.keepDraft', { visitId: sessionId, text: utf8Bytes(text) });
    if (!kept || unkept.current !== text) return;
    unkept.current = undefined;
    await drafts.remove(name);
  }, [ui, drafts, sessionId, name]);
  useEffect(() => {
    const keepNow = () => void keep().catch(() => undefined);
    window.addEventListener('pagehide', keepNow);
    return () => {
      window.removeEventListener('pagehide', keepNow);
      keepNow();
    };
  }, [keep]);
  return (text) => {
    unkept.current = text;
    timer.current ??= setTimeout(() => void keep().catch(() => undefined), KEEP_EVERY_MS);
  };
}
