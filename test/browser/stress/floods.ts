import type { StressResult } from '../../keys/stress.ts';
import type { BrowserSession } from '../drivers/driver.ts';
import { peakExtraBytes } from '../drivers/memory.ts';
import type { TestServer } from '../server.ts';
import { connect, openEnabledSite, openPopup, succeed } from '../steps.ts';
import { revokeAll } from './manager-steps.ts';
import { Tally } from './tally.ts';

/** What the process of the extension may take more than before, in bytes (T5 of docs/threats.md). */
export const MOST_EXTRA_BYTES = 200 * 2 ** 20;

/** How much of each a page does at once. */
export interface FloodSizes {
  /** Calls of each cheap method. */
  readonly calls: number;
  /** Messages of 64 MiB. */
  readonly large: number;
  /** Questions to the user. */
  readonly questions: number;
}

/**
 * A granted page calls without waiting for answers: cheap calls, the largest messages, deep and cyclic
 * arguments, questions. Afterwards all is answered or refused, other sites and the popup go on, there is
 * one question at most, and the extension's process took no more memory than it may.
 */
export async function floods(
  session: BrowserSession,
  server: TestServer,
  sizes: FloodSizes,
): Promise<StressResult & { readonly extraMib: number }> {
  const tally = new Tally();
  const site = await openEnabledSite(session, `${server.origin}/blank.html?floods`);
  await connect(session, site);
  const other = await openEnabledSite(session, `${server.otherOrigin}/blank.html`);
  const { extensions } = await peakExtraBytes(async () => {
    await site.evaluate(beginFloods, sizes);
    await succeed(other, 'status');
    const popup = await openPopup(session);
    await popup.waitFor('#nav-site');
    await popup.close();
    tally.hold((await session.countTabs('prompt.html')) <= 1, 'there is more than one question');
    await site.waitUntil(allSettled, { timeoutMs: 120_000 });
  });
  const { codes, sealedBytes } = await site.evaluate(() => {
    const page = globalThis as unknown as FloodPage;
    return { codes: page.codes, sealedBytes: page.sealedBytes };
  });
  for (const [code, times] of Object.entries(codes)) {
    tally.count(code, times);
    tally.trials += times;
    tally.hold(EXPECTED.has(code), `${times} calls ended with ${code}`);
  }
  tally.hold((codes.answered ?? 0) > 0, 'no call was answered');
  tally.hold(sealedBytes > 64 * 2 ** 20, 'no large message was sealed');
  tally.hold(extensions <= MOST_EXTRA_BYTES, `${extensions} bytes of memory were added`);
  tally.hold(extensions > 0, 'the memory of the extension was not seen');
  await succeed(other, 'status');
  await site.close();
  await other.close();
  await revokeAll(session);
  return { ...tally.result(), extraMib: Math.round(extensions / 2 ** 20) };
}

const EXPECTED = new Set([
  'answered',
  ...['QUOTA', 'TOO_LARGE', 'INVALID_ARGUMENT', 'USER_REJECTED', 'DISCONNECTED'],
]);

/** What the page holds. */
interface FloodPage {
  began: number;
  /** Bytes of what was sealed. */
  sealedBytes: number;
  readonly codes: Record<string, number>;
}

/** In the page. */
function beginFloods({ calls, large, questions }: FloodSizes): void {
  type Method = (...args: unknown[]) => Promise<unknown>;
  const { sealwright } = globalThis as unknown as { sealwright: Record<string, Method> };
  const page: FloodPage = { began: 0, sealedBytes: 0, codes: {} };
  Object.assign(globalThis, page);
  const held = globalThis as unknown as FloodPage;
  const count = (code: string): void => void (held.codes[code] = (held.codes[code] ?? 0) + 1);
  const ask = (method: string, ...args: unknown[]): void => {
    held.began++;
    void sealwright[method]!(...args).then(
      (result) => {
        if (result instanceof Uint8Array) held.sealedBytes += result.length;
        count('answered');
      },
      (error: unknown) => count((error as { code?: string }).code ?? String(error)),
    );
  };
  let deep: object = {};
  for (let depth = 0; depth < 10_000; depth++) deep = { inner: deep };
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const message = new Uint8Array(64 * 2 ** 20);
  const small = new Uint8Array(16);
  for (let i = 0; i < large; i++) ask('seal', message); // first: none is refused for those before it
  ask('seal', new Uint8Array(2 ** 30));
  for (let i = 0; i < calls; i++) {
    ask('status');
    ask('seal', small);
    ask('random', 32);
    if (i % 100 === 0) ask('seal', small, deep);
    if (i % 100 === 1) ask('seal', small, { context: cyclic });
  }
  for (let i = 0; i < questions; i++) {
    ask('connect', { purpose: `Question ${i}`, capabilities: ['mac'] });
  }
}

/** In the page: all but the one question that waits for the user. */
function allSettled(): boolean {
  const { began, codes } = globalThis as unknown as FloodPage;
  const ended = Object.values(codes).reduce((sum, times) => sum + times, 0);
  return began - ended <= 1;
}
