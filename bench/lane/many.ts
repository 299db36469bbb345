import type { Tab } from '../../test/browser/drivers/driver.ts';

/*
 * Many small messages: in one call, and from one site while another calls. What runs in a page is
 * sent there as text, so each function holds all that it needs.
 */

interface Api {
  seal(bytes: Uint8Array): Promise<Uint8Array>;
  sealMany(items: Uint8Array[]): Promise<unknown[]>;
}
/** In a page, as its own functions see it. */
declare const sealwright: Api;

/** How many times the rate of single calls, one after the other, a batch has. */
export async function batchSpeedup(site: Tab, items: number): Promise<number> {
  return site.evaluate(async (count) => {
    const list = Array.from({ length: count }, (_, i) => new Uint8Array(1024).fill(i));
    const singles = Math.min(count, 500);
    await sealwright.sealMany(list.slice(0, singles));
    const calling = performance.now();
    for (let i = 0; i < singles; i++) await sealwright.seal(list[i]!);
    const eachMs = (performance.now() - calling) / singles;
    const sealing = performance.now();
    await sealwright.sealMany(list);
    return (count * eachMs) / (performance.now() - sealing);
  }, items);
}

/** How many times as long a call takes, in the median, while another site makes many at once. */
export async function floodSlowdown(site: Tab, other: Tab, calls: number): Promise<number> {
  await medianMs(other);
  const quietMs = await medianMs(other);
  const flooding = site.evaluate(async (count) => {
    const sealing = Array.from({ length: count }, () => sealwright.seal(new Uint8Array(16)));
    await Promise.allSettled(sealing);
  }, calls);
  const floodedMs = await medianMs(other);
  await flooding;
  return floodedMs / quietMs;
}

/** Of 100 calls of 16 bytes, one after the other. */
function medianMs(site: Tab): Promise<number> {
  return site.evaluate(async () => {
    const times: number[] = [];
    for (let i = 0; i < 100; i++) {
      const start = performance.now();
      await sealwright.seal(new Uint8Array(16));
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[50]!;
  });
}
