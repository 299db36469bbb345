import { useCallback, useEffect, useRef } from 'preact/hooks';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { utf8Bytes } from '../../ui/text/plain-text.ts';
import { useFieldSessionEnvironment } from '../environment.ts';

/**
 * Every stored draft is a new generation of the vault, so drafts are stored at this interval at
 * most.
 */
const STORE_EVERY_MS = 1_000;

/** How a draft gets into the vault. */
interface StoredDraft {
  /** Takes the text after each change. */
  readonly soon: (text: string) => void;
  /** Takes the text at once. */
  readonly now: (text: string) => void;
  /** Stores the draft of an edit as a new text of the site, because it can replace nothing any more. */
  readonly detach: (text: string) => void;
}

/**
 * Stores a draft in the vault: a second after a change, and when the window closes. A draft that is
 * in the vault is removed from session storage. It stays in session storage if the vault could not
 * take it, because it was locked or the text is too long.
 *
 * @param name the name of the draft in session storage
 * @param edited the sealed text that this one is to replace (`OpenedField.draft`)
 */
export function useStoredDraft(name: string, edited?: string): StoredDraft {
  const { ui, drafts } = useEnvironment();
  const { sessionId } = useFieldSessionEnvironment();
  const pending = useRef<string>();
  const detached = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const store = useCallback(async () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    const text = pending.current;
    if (text === undefined) return;
    const { kept } = await ui.call('ui.keepDraft', {
      sessionId,
      text: utf8Bytes(text),
      ...(edited !== undefined && { edited, detached: detached.current }),
    });
    if (!kept || pending.current !== text) return;
    pending.current = undefined;
    await drafts.remove(name);
  }, [ui, drafts, sessionId, name, edited]);
  useEffect(() => {
    const storeNow = () => void store().catch(() => undefined);
    window.addEventListener('pagehide', storeNow);
    return () => {
      window.removeEventListener('pagehide', storeNow);
      storeNow();
    };
  }, [store]);
  const soon = (text: string) => {
    pending.current = text;
    timer.current ??= setTimeout(() => void store().catch(() => undefined), STORE_EVERY_MS);
  };
  const now = (text: string) => {
    pending.current = text;
    void store().catch(() => undefined);
  };
  const detach = (text: string) => {
    detached.current = true;
    now(text);
  };
  return { soon, now, detach };
}
