import type { Runtime } from 'webextension-polyfill';
import type { FieldPlace } from './field-sessions.ts';

/** The one message that a mark sends. The browser says from which frame. */
const REQUEST = 'sealwright: open the text at the mark';

/** Called in a content script. A failure means that the extension has gone, and is ignored. */
export async function askToOpenMark(runtime: Pick<Runtime.Static, 'sendMessage'>): Promise<void> {
  await runtime.sendMessage(REQUEST).catch(() => undefined);
}

/** Called in the background, in its first task. */
export function onMarkRequest(
  runtime: Pick<Runtime.Static, 'id' | 'onMessage'>,
  listener: (place: FieldPlace) => void,
): void {
  runtime.onMessage.addListener((message: unknown, { id, tab, frameId }: Runtime.MessageSender) => {
    const isOurs = message === REQUEST && id === runtime.id;
    if (isOurs && tab?.id !== undefined && frameId !== undefined) {
      listener({ tabId: tab.id, frameId, isMarked: true });
    }
    return undefined;
  });
}
