import { codeOf } from '../errors.ts';
import type { BatchResult, SealwrightError } from '../page-api.ts';

/*
 * Sync libraries pass records one by one. Sealwright takes thousands of records in one call, which is
 * ten times faster. Requests that are made at the same time are sent in one call.
 */

/** Records in one call: far fewer than the limit of 10,000, so that calls stay short. */
const MAX_RECORDS = 1000;

/** Errors of a call that one record may have caused. The batch is then split to find it. */
const SPLITS = new Set(['TOO_LARGE', 'INVALID_ARGUMENT']);

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (result: BatchResult<O>) => void;
  readonly reject: (error: unknown) => void;
}

type Work<I, O> = (items: readonly I[]) => Promise<readonly BatchResult<O>[]>;

/**
 * Makes a function for one item from a batch function. Each item has its own result. If the whole call
 * fails (locked, not granted), every item rejects.
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

/** Waits until a microtask has added no more items. */
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

/** @returns the value @throws the error of a failed result */
export function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw result.error;
}
