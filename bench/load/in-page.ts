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
  const { sealwright } = globalThis as unknown as WorkPage;
  const until = performance.now() + forMs;
  let worst = 0;
  do {
    const asked = performance.now();
    await sealwright.status();
    worst = Math.max(worst, performance.now() - asked);
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
