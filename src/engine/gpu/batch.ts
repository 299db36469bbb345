import type { SlicedKey } from './sliced-key.ts';

/** What a card does to a block: AES, its inverse, or AES of a counter block, XORed to the data. */
export type Operation = 'encrypt' | 'decrypt' | 'count';

/** One message. All of a batch have the same length, which is not 0. */
export interface BatchMessage {
  readonly data: Uint8Array;
  /** As long as `data`, which it must not overlap. */
  readonly target: Uint8Array;
  /** For `count`: the first counter block, and a mask of its counting bits. Words, first byte highest. */
  readonly counter?: Uint32Array;
}

/** Consecutive blocks of a batch that a card works on at once. */
export interface Slice {
  /** The message of the first block. */
  readonly message: number;
  /** The number of the first block in that message. */
  readonly first: number;
  readonly blocks: number;
  /** The number of messages that have a block here. */
  readonly messages: number;
}

/** A counter and its mask. */
export const COUNTER_WORDS = 8;

/**
 * Messages of equal length under one key, as one sequence of blocks: each begins with a new block, whose
 * rest is not used where a message ends.
 */
export class Batch {
  readonly operation: Operation;
  readonly key: SlicedKey;
  /** Blocks of a message. */
  readonly perMessage: number;
  readonly #messages: readonly BatchMessage[];

  constructor(operation: Operation, key: SlicedKey, messages: readonly BatchMessage[]) {
    this.operation = operation;
    this.key = key;
    this.#messages = messages;
    this.perMessage = Math.ceil(messages[0]!.data.length / 16);
  }

  /** @param most blocks of a slice */
  slices(most: number): Slice[] {
    const all = this.perMessage * this.#messages.length;
    return Array.from({ length: Math.ceil(all / most) }, (_, i) => {
      const from = i * most;
      const blocks = Math.min(most, all - from);
      const message = Math.floor(from / this.perMessage);
      const last = Math.floor((from + blocks - 1) / this.perMessage);
      const first = from - message * this.perMessage;
      return { message, first, blocks, messages: last - message + 1 };
    });
  }

  /** Copies the slice's data to `room`, which has 16 bytes for each block. */
  load(slice: Slice, room: Uint8Array): void {
    for (const { message, from, at, bytes } of this.#parts(slice)) {
      room.set(message.data.subarray(from, from + bytes), at);
    }
  }

  /** Copies results from `room` to the targets. */
  store(slice: Slice, room: Uint8Array): void {
    for (const { message, from, at, bytes } of this.#parts(slice)) {
      message.target.set(room.subarray(at, at + bytes), from);
    }
  }

  /** The counters of the slice's messages; zeros where the operation has none. */
  counters({ message, messages }: Slice): Uint32Array<ArrayBuffer> {
    const words = new Uint32Array(COUNTER_WORDS * messages);
    for (let i = 0; i < messages; i++) {
      const { counter } = this.#messages[message + i]!;
      if (counter !== undefined) words.set(counter, COUNTER_WORDS * i);
    }
    return words;
  }

  /**
   * Computes one block of the slice's results without the card.
   *
   * @param room the card's results
   * @param block which block of the slice, 0 … blocks - 1
   */
  agrees(slice: Slice, room: Uint8Array, block: number): boolean {
    const place = slice.first + block;
    const { data, counter } = this.#messages[slice.message + Math.floor(place / this.perMessage)]!;
    const index = place % this.perMessage;
    const source = data.subarray(16 * index, 16 * index + 16);
    const expected =
      counter === undefined
        ? this.key[this.operation === 'decrypt' ? 'decrypt' : 'encrypt'](source)
        : this.key.encrypt(counterBlock(counter, index));
    let difference = 0;
    for (const [i, byte] of source.entries()) {
      const right = counter === undefined ? expected[i]! : expected[i]! ^ byte;
      difference |= right ^ room[16 * block + i]!;
    }
    return difference === 0;
  }

  /** The parts of messages in the slice: `bytes` from byte `from` on, at byte `at` of the slice. */
  *#parts(slice: Slice) {
    let block = 0;
    for (let i = 0; i < slice.messages; i++) {
      const message = this.#messages[slice.message + i]!;
      const first = i === 0 ? slice.first : 0;
      const blocks = Math.min(this.perMessage - first, slice.blocks - block);
      const from = 16 * first;
      const bytes = Math.min(16 * blocks, message.data.length - from);
      yield { message, from, at: 16 * block, bytes };
      block += blocks;
    }
  }
}

/** The counter after `index` steps: the bits of the mask count and wrap, the others do not change. */
function counterBlock(counter: Uint32Array, index: number): Uint8Array {
  const block = new DataView(new ArrayBuffer(16));
  let carry = index;
  for (let i = 3; i >= 0; i--) {
    const [word, mask] = [counter[i]!, counter[4 + i]!];
    const sum = word + carry;
    block.setUint32(4 * i, (word & ~mask) | (sum & mask));
    carry = sum > 0xffff_ffff ? 1 : 0;
  }
  return new Uint8Array(block.buffer);
}
