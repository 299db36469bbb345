import { codeOf } from './errors.ts';
import type { BatchResult } from './page-api.ts';

/*
 * Sync libraries hand over records one by one; Sealwright takes thousands in one call and is ten
 * times faster for it. What is asked for in one go travels in one call.
 */

/** Of one call: much less than the contract's 10,000, so that no call is long or large. */
const MAX_RECORDS = 1000;

/** A call that was refused for one of its records, which halves tell. */
const SPLITS = new Set(['TOO_LARGE', 'INVALID_ARGUMENT']);

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (value: O) => void;
  readonly reject: (error: unknown) => void;
}

type Work<I, O> = (items: readonly I[]) => Promise<readonly BatchResult<O>[]>;

/**
 * A function for one item, from one for many. Each item settles by its own result; where the whole
 * call fails (locked, not granted), every item of it does.
 */
export function gathering<I, O>(work: Work<I, O>): (item: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = [];
  const send = async (): Promise<void> => {
    await quiet(() => waiting.length);
    const all = waiting;
    waiting = [];
    for (let i = 0; i < all.length; i += MAX_RECORDS) {
      await settle(all.slice(i, i + MAX_RECORDS), work);
    }
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length === 1) void send();
    });
}

/** Until a turn of the microtask queue has brought nothing more. */
async function quiet(count: () => number): Promise<void> {
  let seen = 0;
  while (seen < count()) {
    seen = count();
    await Promise.resolve();
  }
}

async function settle<I, O>(batch: readonly Waiting<I, O>[], work: Work<I, O>): Promise<void> {
  try {
    const results = await work(batch.map(({ item }) => item));
    batch.forEach(({ resolve, reject }, i) => {
      const result = results[i]!;
      if (result.ok) resolve(result.value);
      else reject(result.error);
    });
  } catch (error) {
    if (batch.length > 1 && SPLITS.has(codeOf(error) ?? '')) {
      const half = batch.length >> 1;
      await settle(batch.slice(0, half), work);
      await settle(batch.slice(half), work);
    } else for (const { reject } of batch) reject(error);
  }
}
