import type { WorkPage } from '../../test/browser/in-page/attacks/page-work.ts';
import type { LoadCall } from './kinds.ts';

/** In the page, after `begin` of page-work.ts where the call is one of its: begins all other calls. */
export async function beginLoad(call: LoadCall, times: number, bytes: number): Promise<void> {
  const page = globalThis as unknown as WorkPage;
  const { sealwright } = page;
  const { subtle } = sealwright;
  const share = 'share' in call ? call.share : 1;
  const data = new Uint8Array(bytes * share);
  let start: () => Promise<unknown>;
  if (call.kind === 'digest') start = () => subtle.digest(call.name, data);
  else if (call.kind === 'encrypt') {
    const params = { name: call.name, length: call.bits };
    const key = await subtle.generateKey(params, true, ['encrypt']).catch(() => null);
    const iv = new Uint8Array(call.ivBytes);
    start = () => subtle.encrypt({ name: call.name, iv }, key as CryptoKey, data);
  } else {
    const { method, args } = call as LoadCall & { kind: 'page' };
    const api = sealwright as unknown as Record<string, (...list: unknown[]) => Promise<unknown>>;
    const hasData = !['status', 'grants', 'keys', 'randomUUID'].includes(method);
    start = () => (hasData ? api[method]!(data, ...args) : api[method]!());
  }
  page.began = times;
  page.ended = {};
  for (let i = 0; i < times; i++) {
    const end = (name: string) => (page.ended[i] = { name, message: '' });
    void start().then(
      () => end('none'),
      (error: unknown) => end((error as Error).name),
    );
  }
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
