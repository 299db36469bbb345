import { wipe } from '../../crypto/bytes.ts';
import type { Call } from '../../rpc/call.ts';
import { SealwrightError, toWire } from '../../rpc/errors.ts';
import type { WireError } from '../../rpc/errors.ts';
import { MAX_CONTEXT_BYTES } from '../../rpc/limits.ts';
import { countOf, encodedLengths, unpacked } from '../../rpc/transport/byte-list.ts';
import type { ByteList } from '../../rpc/transport/byte-list.ts';
import { asCallerError } from '../errors.ts';
import type { Yielder } from './yielding.ts';

/*
 * What sealMany, openMany and rewrapMany share: they work on a few items at a time, give each item its own result
 * or error, and let other callers in between.
 */

/**
 * How many items the engine gets at once: enough to keep its threads busy, or its SIMD code that
 * works on several messages at a time. Of items with recipients each of these counts: the key of one takes 0.7 ms.
 */
const WAVE_ITEMS = 16;
/** …and how many bytes, unless one item has more: other callers wait meanwhile. */
const WAVE_BYTES = 2 ** 20;

/** The items' results in order, empty where one failed, and the failures by index. */
export interface BatchResult {
  readonly items: ByteList;
  readonly failures: { readonly at: number; readonly error: WireError }[];
}

/** A batch, and how its items are worked on. */
export interface BatchWork {
  /** All items, for progress; the caller reads `done` off the bytes. */
  readonly items: readonly Uint8Array[];
  /** Of each item. Absent: none. */
  readonly recipients?: number | undefined;
  /**
   * Some items that follow each other; a failure is what the item's caller is to hear.
   *
   * @param first index of the first of them
   */
  readonly work: (
    items: readonly Uint8Array[],
    first: number,
  ) => Promise<readonly PromiseSettledResult<Uint8Array>[]>;
  readonly call: Pick<Call, 'progress'>;
  /** Ends the whole batch. */
  readonly signal: AbortSignal;
  readonly yielder: Yielder;
}

/** Works on all items, in order. Rejects only when the whole batch has ended. */
export async function inBatch(batch: BatchWork): Promise<BatchResult> {
  const { items, recipients = 0, call, signal, yielder } = batch;
  const most = Math.ceil(WAVE_ITEMS / Math.max(1, recipients));
  const results: (Uint8Array | WireError)[] = [];
  const total = items.reduce((sum, item) => sum + item.length, 0);
  let done = 0;
  while (results.length < items.length) {
    signal.throwIfAborted();
    const wave = waveOf(items.slice(results.length, results.length + most));
    for (const result of await batch.work(wave, results.length)) results.push(readable(result));
    for (const item of wave) done += item.length;
    call.progress(done, total);
    await yielder.yieldIfDue();
  }
  signal.throwIfAborted();
  return packedResults(results);
}

/** The first of them, with so many bytes. */
function waveOf(items: readonly Uint8Array[]): readonly Uint8Array[] {
  let bytes = 0;
  const beyond = items.findIndex(({ length }) => (bytes += length) > WAVE_BYTES);
  return beyond < 0 ? items : items.slice(0, Math.max(1, beyond));
}

/** The options of a batch that say what its messages are bound to. */
interface BatchContexts {
  readonly items: ByteList;
  readonly context?: Uint8Array | undefined;
  readonly contexts?: ByteList | undefined;
}

/**
 * The context of an item by its index: one for all, or its own.
 *
 * @throws SealwrightError INVALID_ARGUMENT where there are both, or not one for each item; TOO_LARGE
 */
export function contextsOf({
  items,
  context,
  contexts,
}: BatchContexts): (index: number) => Uint8Array | undefined {
  if (contexts === undefined) return () => context;
  const each = unpacked(contexts);
  if (context !== undefined || each.length !== countOf(items)) {
    const words = 'contexts: one for each item, and no context beside them';
    throw new SealwrightError('INVALID_ARGUMENT', words);
  }
  if (each.some(({ length }) => length > MAX_CONTEXT_BYTES)) {
    throw new SealwrightError('TOO_LARGE', `contexts: at most ${MAX_CONTEXT_BYTES} bytes each`);
  }
  return (index) => each[index];
}

/** Work on items that know nothing of each other. */
export function eachItem(
  work: (item: Uint8Array, index: number) => Promise<Uint8Array>,
): BatchWork['work'] {
  return (items, first) => Promise.allSettled(items.map((item, i) => work(item, first + i)));
}

function readable(result: PromiseSettledResult<Uint8Array>): Uint8Array | WireError {
  return result.status === 'fulfilled' ? result.value : toWire(asCallerError(result.reason));
}

const NOTHING = new Uint8Array(0);

/** Moves the results into one buffer. */
function packedResults(results: readonly (Uint8Array | WireError)[]): BatchResult {
  const parts = results.map((result) => (result instanceof Uint8Array ? result : NOTHING));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
    wipe(part);
  }
  const failures = results.flatMap((error, at) =>
    error instanceof Uint8Array ? [] : [{ at, error }],
  );
  return { items: { bytes, lengths: encodedLengths(parts.map(({ length }) => length)) }, failures };
}
