import type { Tab } from '../../test/browser/drivers/driver.ts';

/*
 * A page that opens many different messages, as a gallery of pictures does. What a document is given keys
 * for is counted in a minute, so this needs a document that has opened nothing yet.
 */

interface Api {
  seal(bytes: Uint8Array): Promise<Uint8Array>;
  open(bytes: Uint8Array): Promise<Uint8Array>;
}
/** In a page, as its own functions see it. */
declare const sealwright: Api;

const MINUTE_MS = 60_000;

export interface DocumentFigures {
  /** The rate of opening the messages after the first hundred, over that of the first hundred. */
  readonly laterOverFirst: number;
}

/** @throws Error where the openings took more than a minute: then the quota was not what was measured */
export async function documentFigures(
  site: Tab,
  messages: number,
  bytes: number,
): Promise<DocumentFigures> {
  const times = await site.evaluate(openAll, messages, bytes);
  const total = sum(times);
  if (total > MINUTE_MS) {
    throw new Error(`${messages} messages took ${Math.round(total)} ms to open`);
  }
  const first = Math.ceil(messages / 5);
  const rate = (some: readonly number[]): number => some.length / sum(some);
  return { laterOverFirst: rate(times.slice(first)) / rate(times.slice(0, first)) };
}

/** In the page: seals so many different messages, and opens each once. @returns ms of each opening */
async function openAll(messages: number, bytes: number): Promise<number[]> {
  const sealed: Uint8Array[] = [];
  for (let i = 0; i < messages; i++) {
    const message = new Uint8Array(bytes).fill(i);
    sealed.push(await sealwright.seal(message));
  }
  const WARM_UP = 20;
  for (let i = 0; i < WARM_UP; i++) await sealwright.open(sealed[i]!);
  const times: number[] = [];
  for (const [i, one] of sealed.entries()) {
    const start = performance.now();
    const opened = await sealwright.open(one);
    times.push(performance.now() - start);
    if (opened.length !== bytes || opened[bytes - 1] !== i % 256) throw new Error(`wrong: ${i}`);
  }
  return times;
}

const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
