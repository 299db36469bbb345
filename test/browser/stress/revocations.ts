import type { StressResult } from '../../keys/stress.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import type { TestServer } from '../server.ts';
import { connect, openEnabledSite } from '../steps.ts';
import { openSites, revokeInManager } from './manager-steps.ts';
import { Tally } from './tally.ts';

const IN_FLIGHT = 8;

/** ms since the epoch, fractions included; null: never. */
interface Lane {
  readonly lastAnswer: number | null;
  readonly firstRefusal: number | null;
  /** Answers to calls that began after the first refusal. */
  readonly late: number;
  readonly codes: readonly string[];
}

/**
 * The user takes a grant back while a page keeps calls in flight: how long from the click until the
 * page is refused, and whether any answer comes after that.
 */
export async function revocations(
  session: BrowserSession,
  server: TestServer,
  times: number,
): Promise<StressResult & { readonly ms: readonly number[] }> {
  const tally = new Tally();
  const ms: number[] = [];
  const site = await openEnabledSite(session, `${server.origin}/blank.html?revocations`);
  for (let round = 0; round < times; round++) {
    await connect(session, site);
    const manager = await openSites(session);
    await noteClicks(manager);
    const calling = callUntilRefused(site);
    await site.waitUntil(() => 'answered' in globalThis);
    await revokeInManager(manager);
    const { lastAnswer, firstRefusal, late, codes } = await calling;
    const clicked = await manager.evaluate(
      () => (globalThis as unknown as { clicked: number }).clicked,
    );
    const end = Math.max(lastAnswer ?? 0, firstRefusal ?? Infinity);
    ms.push(Math.round(end - clicked));
    tally.trials++;
    tally.hold(codes.join() === 'NOT_GRANTED', `round ${round}: ${codes.join()}`);
    tally.hold(lastAnswer !== null, `round ${round}: nothing was in flight`);
    tally.hold(late === 0, `round ${round}: ${late} calls after the first refusal were answered`);
    await manager.close();
  }
  await site.close();
  return { ...tally.result(), ms: ms.sort((a, b) => a - b) };
}

/** When the last click on a button was, before the page itself hears of it. */
function noteClicks(manager: Tab): Promise<void> {
  return manager.evaluate(() => {
    const note = (): void => {
      const page = globalThis as unknown as { clicked: number };
      page.clicked = performance.timeOrigin + performance.now();
    };
    addEventListener('click', note, { capture: true });
  });
}

/** Keeps so many calls in flight until each of them has been refused. */
function callUntilRefused(site: Tab): Promise<Lane> {
  return site.evaluate(async (lanes) => {
    interface Api {
      seal(data: Uint8Array): Promise<Uint8Array>;
    }
    const { sealwright } = globalThis as unknown as { sealwright: Api };
    const now = () => performance.timeOrigin + performance.now();
    let lastAnswer: number | null = null;
    let firstRefusal: number | null = null;
    let late = 0;
    const codes = new Set<string>();
    Reflect.deleteProperty(globalThis, 'answered');
    const lane = async (): Promise<void> => {
      for (;;) {
        const isLate = firstRefusal !== null;
        try {
          await sealwright.seal(new Uint8Array(1000));
          lastAnswer = now();
          Object.assign(globalThis, { answered: true });
          late += isLate ? 1 : 0;
        } catch (error) {
          firstRefusal ??= now();
          codes.add((error as { code: string }).code);
          return;
        }
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return { lastAnswer, firstRefusal, late, codes: [...codes] };
  }, IN_FLIGHT);
}
