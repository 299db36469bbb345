import type { AllCallsPage } from '../../test/browser/in-page/attacks/all-calls.ts';
import type { WorkPage } from '../../test/browser/in-page/attacks/page-work.ts';
import type { LoadCall } from './kinds.ts';

type PageCall = Extract<LoadCall, { kind: 'page' }>;

/** In the page: keeps so many calls of a method under way; a refused one is repeated after a moment. */
export async function beginCalls(
  { of, method, args, dataBytes, madeBy }: PageCall,
  atOnce: number,
): Promise<void> {
  const page = globalThis as unknown as AllCallsPage;
  const api = (of === 'browser' ? crypto.subtle : page.sealwright) as unknown as Record<
    string,
    (...list: unknown[]) => Promise<unknown>
  >;
  const revived = args.map((value) => {
    if (typeof value !== 'object') return value;
    if ('$zeros' in value) return new Uint8Array(Number(value.$zeros));
    return '$repeated' in value ? value.$repeated.repeat(Number(value.times)) : value;
  });
  const zeros = dataBytes === undefined ? [] : [new Uint8Array(dataBytes)];
  const plain = madeBy === 'sealText' ? ['x'.repeat(dataBytes!)] : zeros;
  let made: unknown;
  while (madeBy !== undefined && made === undefined) {
    // Refused where other pages are given so much at once.
    made = await api[madeBy]!(...plain).catch(() => undefined);
  }
  const data = madeBy === undefined ? zeros : [made];
  const given = of === 'browser' ? [...revived, ...data] : [...data, ...revived];
  const counts = (page.sustained = { began: 0, answered: 0, refused: 0 });
  const loop = async () => {
    for (;;) {
      counts.began++;
      const isDone = await api[method]!(...given).then(
        () => true,
        () => false,
      );
      counts.answered++;
      if (!isDone) counts.refused++;
      else if (of !== 'browser') continue;
      // Chromium answers without a turn of the event loop, and the page would do nothing else.
      await new Promise((resume) => setTimeout(resume, isDone ? 0 : 20));
    }
  };
  for (let i = 0; i < atOnce; i++) void loop();
}

/** In the page: how many calls are not answered, and how many were refused. */
export function loadCounts(): { readonly pending: number; readonly refused: number } {
  const { sustained } = globalThis as unknown as AllCallsPage;
  if (sustained !== undefined) {
    return { pending: sustained.began - sustained.answered, refused: sustained.refused };
  }
  const { began, ended } = globalThis as unknown as WorkPage;
  const answers = Object.values(ended);
  const refused = answers.filter(({ name }) => name !== 'none').length;
  return { pending: began - answers.length, refused };
}

/** In the other page: asks until the time is over. @returns the longest answer, in ms */
export async function worstStatus(forMs: number): Promise<number> {
  const PAUSE_MS = 2;
  const { sealwright } = globalThis as unknown as WorkPage;
  const until = performance.now() + forMs;
  let worst = 0;
  do {
    const asked = performance.now();
    await sealwright.status();
    worst = Math.max(worst, performance.now() - asked);
    await new Promise((resume) => setTimeout(resume, PAUSE_MS)); // else it spends its own site's rate of calls
  } while (performance.now() < until);
  return worst;
}

/** In the popup: notes how long it takes from the click on "Lock now" to the locked view. */
export function timeLock(): void {
  const page = globalThis as unknown as { lockMs?: number };
  document.addEventListener(
    'click',
    () => {
      const clicked = performance.now();
      const observer = new MutationObserver(() => {
        if (document.querySelector('#unlock') === null) return;
        page.lockMs = performance.now() - clicked;
        observer.disconnect();
      });
      observer.observe(document, { childList: true, subtree: true });
    },
    { capture: true, once: true },
  );
}

type Runtime = Record<
  'browser' | 'chrome',
  {
    runtime: {
      sendMessage(message: unknown): Promise<unknown>;
      connect(how: { name: string }): { postMessage(message: unknown): void };
    };
  }
>;

/** In a content script: sends a message so many times without waiting. Resolves when all are answered. */
export async function sendAtOnce(message: unknown, times: number): Promise<void> {
  const { chrome } = globalThis as unknown as Runtime;
  const sending = Array.from({ length: times }, () => chrome.runtime.sendMessage(message));
  await Promise.allSettled(sending);
}

/** In a content script: sends so many pings on a port, without waiting. */
export function floodPort(times: number): Promise<void> {
  const { chrome } = globalThis as unknown as Runtime;
  const port = chrome.runtime.connect({ name: 'sealwright' });
  port.postMessage({ v: 1, kind: 'hello', codec: 'clone' });
  for (let i = 0; i < times; i++) port.postMessage({ v: 1, kind: 'ping' });
  return Promise.resolve();
}

/** In a page: has the script of the bare extension (floods.ts) send so many messages. */
export function floodOther(times: number): Promise<void> {
  return new Promise((resolve) => {
    addEventListener('message', ({ data }) => data === 'flooded' && resolve());
    postMessage({ floodOther: times });
  });
}
