import type { Runtime } from 'webextension-polyfill';

/** The one message that a page of an enabled site causes when it is shown. It says nothing but that. */
const SHOWN = 'sealwright: a page was shown';

/** How many reports of one tab count: a script that was taken over sends any number, and each is a look at all tabs. */
export const REPORTS = { ofTab: 20, withinMs: 10_000 } as const;

/** Called in a content script. A failure means that the extension has gone, and is ignored. */
export async function reportShown(runtime: Pick<Runtime.Static, 'sendMessage'>): Promise<void> {
  try {
    await runtime.sendMessage(SHOWN);
  } catch {
    // An orphan: the new version's script reports the page.
  }
}

/**
 * Called in the background, in its first task.
 *
 * @param now a clock in ms
 */
export function onPageShown(
  runtime: Pick<Runtime.Static, 'id' | 'onMessage'>,
  listener: () => void,
  now: () => number,
): void {
  const reports = new Map<number, number>();
  let since = now();
  const counts = (tabId: number): boolean => {
    const elapsedMs = now() - since;
    if (elapsedMs < 0 || elapsedMs >= REPORTS.withinMs) {
      reports.clear();
      since = now();
    }
    const count = (reports.get(tabId) ?? 0) + 1;
    reports.set(tabId, count);
    return count <= REPORTS.ofTab;
  };
  runtime.onMessage.addListener((message: unknown, { id, tab }: Runtime.MessageSender) => {
    const isReport = message === SHOWN && id === runtime.id;
    if (isReport && tab?.id !== undefined && counts(tab.id)) listener();
    return undefined;
  });
}
