import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../src/engine/self-test/measure.ts';
import type { BrowserSession, Tab } from '../../test/browser/drivers/driver.ts';

/*
 * The first call after a while without any. Chromium ends a background that was idle for 30 s, but not one
 * that automation is connected to: so it is ended here, at that time. Firefox ends its own, or not, as it always does.
 */

export const IDLE_MS = 40_000;
/** The part of it after which Chromium ends the background. */
const ALIVE_SHARE = 0.75;
/** Of a note, a picture and a document; each waits on its own. */
const SIZES: readonly number[] = [4, 64, 1024].map((kib) => kib * 1024);
const WARM_CALLS = 20;

interface Api {
  seal(bytes: Uint8Array): Promise<Uint8Array>;
}
/** In a page, as its own functions see it. */
declare const sealwright: Api;

export interface IdleFigures {
  readonly bytes: number;
  /** `seal` after the pause, and the median of warm calls before it. */
  readonly firstMs: number;
  readonly warmMs: number;
}

export async function idleFigures(
  session: BrowserSession,
  site: Tab,
  idleMs = IDLE_MS,
): Promise<IdleFigures[]> {
  const figures: IdleFigures[] = [];
  for (const bytes of SIZES) {
    const warmMs = median(await site.evaluate(timesOfSeal, bytes, WARM_CALLS));
    await sleep(ALIVE_SHARE * idleMs);
    if (session.name === 'chromium') await session.killBackground();
    await sleep((1 - ALIVE_SHARE) * idleMs);
    const [firstMs] = await site.evaluate(timesOfSeal, bytes, 1);
    figures.push({ bytes, firstMs: firstMs!, warmMs });
  }
  return figures;
}

/** In the page: milliseconds of each of so many calls, one after the other. */
async function timesOfSeal(bytes: number, calls: number): Promise<number[]> {
  const message = new Uint8Array(bytes).fill(7);
  const times: number[] = [];
  for (let call = 0; call < calls; call++) {
    const start = performance.now();
    await sealwright.seal(message);
    times.push(performance.now() - start);
  }
  return times;
}
