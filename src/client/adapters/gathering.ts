import { codeOf } from '../errors.ts';
import type { BatchResult, SealwrightError } from '../page-api.ts';

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
  readonly resolve: (result: BatchResult<O>) => void;
  readonly reject: (error: unknown) => void;
}

type Work<I, O> = (items: readonly I[]) => Promise<readonly BatchResult<O>[]>;

/**
 * A function for one item, from one for many. Each item has its own result; where the whole call
 * fails (locked, not granted), every item of it rejects.
 */
export function gathering<I, O>(work: Work<I, O>): (item: I) => Promise<BatchResult<O>> {
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
    batch.forEach(({ resolve }, i) => resolve(results[i]!));
  } catch (error) {
    if (!SPLITS.has(codeOf(error) ?? '')) for (const { reject } of batch) reject(error);
    else if (batch.length === 1) batch[0]!.resolve({ ok: false, error: error as SealwrightError });
    else {
      const half = batch.length >> 1;
      await settle(batch.slice(0, half), work);
      await settle(batch.slice(half), work);
    }
  }
}

type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Error };

/** @throws what the result says */
export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw result.error;
}
