/**
 * Inputs of the two classes, drawn before anything is timed. Both are made and moved by the same
 * instructions at the same places, so that neither caches nor branches know them apart.
 */
import type { Operation, Primitive } from './primitive.ts';

export const FIXED = 0;
export const RANDOM = 1;

export class Classes {
  /** Measurements that one refill is for. */
  readonly count: number;
  /** Which class each is of. */
  readonly classes: Uint8Array<ArrayBuffer>;
  /** The inputs of a measurement's calls, one view for each, after `load`. */
  readonly inputs: readonly Uint8Array[];
  private readonly work: Uint8Array;
  private readonly stored: Uint8Array<ArrayBuffer>;
  private readonly storedInputs: readonly Uint8Array[];
  private readonly inputBytes: number;
  private readonly secretBytes: number;

  /** @param calls in each measurement, of one class, each with an input of its own */
  constructor({ secretBytes, publicBytes = 0 }: Primitive, calls: number, count: number) {
    this.secretBytes = secretBytes;
    this.inputBytes = secretBytes + publicBytes;
    this.count = count;
    this.classes = new Uint8Array(count);
    this.work = new Uint8Array(calls * this.inputBytes);
    this.stored = new Uint8Array(count * this.work.length);
    this.inputs = views(this.work, this.inputBytes);
    this.storedInputs = views(this.stored, this.inputBytes);
  }

  /** Draws classes and inputs for another `count` measurements. */
  refill(operation: Operation): void {
    fillRandomly(this.classes);
    fillRandomly(this.stored);
    const { stored, inputBytes, secretBytes } = this;
    const { length } = this.work;
    for (let i = 0; i < this.count; i++) {
      this.classes[i]! &= 1;
      const mask = -this.classes[i]!;
      for (let input = i * length; input < (i + 1) * length; input += inputBytes) {
        for (let at = input; at < input + secretBytes; at++) stored[at]! &= mask;
      }
    }
    if (operation.prepare) for (const input of this.storedInputs) operation.prepare(input);
  }

  /** Brings the inputs of one measurement to where all measurements have theirs. */
  load(index: number): void {
    const { work, stored } = this;
    for (let i = 0, from = index * work.length; i < work.length; i++) work[i] = stored[from + i]!;
  }
}

/** What `getRandomValues` fills at once. */
const MOST_AT_ONCE = 65_536;

/** @returns the same array */
export function fillRandomly(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  for (let at = 0; at < bytes.length; at += MOST_AT_ONCE) {
    crypto.getRandomValues(bytes.subarray(at, at + MOST_AT_ONCE));
  }
  return bytes;
}

function views(bytes: Uint8Array, length: number): Uint8Array[] {
  const count = bytes.length / length;
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * length, (i + 1) * length));
}
