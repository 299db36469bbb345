/** Times calls on inputs of the two classes, in random order, with nothing else in the timed part. */
import { Classes } from './classes.ts';
import type { Operation, Primitive } from './primitive.ts';

export interface Limits {
  readonly measurements: number;
  /** Of the whole, preparation included; more if there are not yet the fewest. */
  readonly seconds: number;
  readonly fewest: number;
  readonly warmUpSeconds: number;
}

export interface Measurements {
  /** Nanoseconds per call. */
  readonly times: Float64Array;
  readonly classes: Uint8Array;
  /** Calls that each time is the mean of. */
  readonly calls: number;
}

/**
 * The clock has steps of a nanosecond and takes some 40 to read: one measurement is of as many calls
 * as last this long.
 */
const MEASUREMENT_MS = 0.002;
const MOST_CALLS = 64;
/** Between two refills: as many measurements as have some 512 KiB of inputs and last so long. */
const STORED_BYTES = 1 << 19;
const STORED_MS = 50;
const MOST_STORED = 1024;
const FEWEST_STORED = 16;

export function measure(primitive: Primitive, operation: Operation, limits: Limits): Measurements {
  const end = performance.now() + 1000 * limits.seconds;
  const typical = warmUp(primitive, operation, 1000 * limits.warmUpSeconds);
  const calls = Math.min(MOST_CALLS, Math.max(1, Math.ceil(MEASUREMENT_MS / typical)));
  const inputs = new Classes(primitive, calls, countFor(primitive, calls, typical));
  const times = new Float64Array(limits.measurements);
  const classes = new Uint8Array(limits.measurements);
  let done = 0;
  while (done < times.length && (done < limits.fewest || performance.now() < end)) {
    const count = Math.min(inputs.count, times.length - done);
    refill(inputs, operation);
    timeAll(inputs, operation, times.subarray(done, done + count));
    classes.set(inputs.classes.subarray(0, count), done);
    done += count;
  }
  for (let i = 0; i < done; i++) times[i]! *= 1e6 / calls;
  return { times: times.slice(0, done), classes: classes.slice(0, done), calls };
}

/** Runs until the compilers have done what they do. @returns milliseconds that a call takes then */
function warmUp(primitive: Primitive, operation: Operation, milliseconds: number): number {
  const inputs = new Classes(primitive, 1, FEWEST_STORED);
  const times = new Float64Array(inputs.count);
  const end = performance.now() + milliseconds;
  do {
    refill(inputs, operation);
    timeAll(inputs, operation, times);
  } while (performance.now() < end);
  return Math.max(times.sort()[times.length >> 1]!, 1e-5);
}

function countFor({ secretBytes, publicBytes = 0 }: Primitive, calls: number, ms: number): number {
  const most = Math.min(STORED_BYTES / (secretBytes + publicBytes), STORED_MS / ms) / calls;
  return Math.floor(Math.min(MOST_STORED, Math.max(FEWEST_STORED, most)));
}

/** Young garbage is collected here, so that it is not while something is timed. */
function refill(inputs: Classes, operation: Operation): void {
  inputs.refill(operation);
  globalThis.gc?.({ type: 'minor' });
}

/** @param times receives milliseconds of whole measurements */
function timeAll(inputs: Classes, operation: Operation, times: Float64Array): void {
  for (let i = 0; i < times.length; i++) {
    inputs.load(i);
    times[i] = timeOnce(operation, inputs.inputs);
  }
}

function timeOnce(operation: Operation, inputs: readonly Uint8Array[]): number {
  const start = performance.now();
  for (let call = 0; call < inputs.length; call++) operation.call(inputs[call]!);
  return performance.now() - start;
}
