import { offsetAt } from '../../crypto/aead/ocb.ts';
import { xorInto } from '../../crypto/bytes.ts';
import type { SlicedKey } from './sliced-key.ts';

/**
 * What a card does to a block: AES, its inverse, AES of a counter block, XORed to the data, or AES and its inverse
 * between two XORs of an offset of OCB (RFC 7253, sections 4.2 and 4.3).
 */
export type Operation = 'encrypt' | 'decrypt' | 'count' | 'offsetEncrypt' | 'offsetDecrypt';

/** What is the same for all messages of a call. */
export interface Work {
  readonly operation: Operation;
  readonly key: SlicedKey;
  /** For operations with an offset: L_0 ‖ L_1 ‖ …, `MASKS` of them, as words in the order of memory. */
  readonly masks?: Uint32Array<ArrayBuffer>;
}

/** More than any message's number of blocks has bits. */
export const MASKS = 32;

/** One message. All of a batch have the same length, which is not 0. */
export interface BatchMessage {
  readonly data: Uint8Array;
  /** As long as `data`, which it must not overlap. */
  readonly target: Uint8Array;
  /**
   * For `count`: the first counter block, and a mask of its counting bits, as words, first byte highest. For
   * operations with an offset: Offset_0, as four words in the order of memory.
   */
  readonly start?: Uint32Array<ArrayBuffer>;
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

/** The place of a message's `start`. */
export const START_WORDS = 8;

/**
 * Messages of equal length under one key, as one sequence of blocks: each begins with a new block, whose
 * rest is not used where a message ends.
 */
export class Batch {
  readonly operation: Operation;
  readonly key: SlicedKey;
  /** The work's masks; zeros where it has none. */
  readonly masks: Uint32Array<ArrayBuffer>;
  /** Blocks of a message. */
  readonly perMessage: number;
  readonly #messages: readonly BatchMessage[];

  constructor({ operation, key, masks }: Work, messages: readonly BatchMessage[]) {
    this.operation = operation;
    this.key = key;
    this.masks = masks ?? new Uint32Array(4 * MASKS);
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

  /** `start` of the slice's messages; zeros where the operation has none. */
  starts({ message, messages }: Slice): Uint32Array<ArrayBuffer> {
    const words = new Uint32Array(START_WORDS * messages);
    for (let i = 0; i < messages; i++) {
      const { start } = this.#messages[message + i]!;
      if (start !== undefined) words.set(start, START_WORDS * i);
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
    const { data, start } = this.#messages[slice.message + Math.floor(place / this.perMessage)]!;
    const index = place % this.perMessage;
    const source = data.subarray(16 * index, 16 * index + 16);
    const expected = this.#expected(source, start, index);
    let difference = 0;
    for (let i = 0; i < source.length; i++) difference |= expected[i]! ^ room[16 * block + i]!;
    return difference === 0;
  }

  #expected(source: Uint8Array, start: BatchMessage['start'], index: number): Uint8Array {
    const { operation, key } = this;
    const block = new Uint8Array(16);
    block.set(source);
    if (start === undefined) {
      return operation === 'decrypt' ? key.decrypt(block) : key.encrypt(block);
    }
    if (operation === 'count') {
      xorInto(block, key.encrypt(counterBlock(start, index)));
      return block;
    }
    const offset = offsetAt(
      new Uint8Array(start.buffer),
      new Uint8Array(this.masks.buffer),
      index + 1,
    );
    xorInto(block, offset);
    const result = operation === 'offsetDecrypt' ? key.decrypt(block) : key.encrypt(block);
    xorInto(result, offset);
    return result;
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

/** A counter block of 16 bytes, and the mask of its counting bits, which are its last ones: `start` for `count`. */
export function counterWords(counter: Uint8Array, counterBits: number): Uint32Array<ArrayBuffer> {
  const view = new DataView(counter.buffer, counter.byteOffset, 16);
  return Uint32Array.from({ length: 8 }, (_, i) => {
    if (i < 4) return view.getUint32(4 * i);
    // The word i - 4 has the bits from 32 (7 - i) on, counted from the lowest.
    const bits = Math.min(Math.max(counterBits - 32 * (7 - i), 0), 32);
    return 2 ** bits - 1;
  });
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
