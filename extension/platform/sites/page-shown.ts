import type { Runtime } from 'webextension-polyfill';

/** The one message that a page of an enabled site causes when it is shown. It says nothing but that. */
const SHOWN = 'sealwright: a page was shown';

/** Called in a content script. A failure means that the extension has gone, and is ignored. */
export async function reportShown(runtime: Pick<Runtime.Static, 'sendMessage'>): Promise<void> {
  try {
    await runtime.sendMessage(SHOWN);
  } catch {
    // An orphan: the new version's script reports the page.
  }
}

/** Called in the background, in its first task. */
export function onPageShown(
  runtime: Pick<Runtime.Static, 'id' | 'onMessage'>,
  listener: () => void,
): void {
  runtime.onMessage.addListener((message: unknown, { id, tab }: Runtime.MessageSender) => {
    if (message === SHOWN && id === runtime.id && tab?.id !== undefined) listener();
    return undefined;
  });
}
