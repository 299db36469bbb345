import type { Runtime } from 'webextension-polyfill';
import type { FieldPlace } from './field-sessions.ts';

/** All that a mark ever says. Where it was pressed, the browser tells. */
const REQUEST = 'sealwright: open the text at the mark';

/** From a content script. Nothing is done about a background that is gone: nor is there anything to do. */
export async function askToOpenMark(runtime: Pick<Runtime.Static, 'sendMessage'>): Promise<void> {
  await runtime.sendMessage(REQUEST).catch(() => undefined);
}

/** In the background. Register synchronously at start. */
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
