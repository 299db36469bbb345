import { checkBytes } from '../../../crypto/errors.ts';
import {
  BUFFER,
  BUFFER_BYTES,
  FOUR_STATES,
  INITIAL_256,
  STATE,
} from '../generator/hash/sha-layout.ts';
import { copyIn } from '../memory.ts';
import { pad, type ShaModule } from './sha.ts';
import type { Base64Message } from '../../contract.ts';
import { wipe } from '../../../crypto/bytes.ts';
import { load32le, store32be } from '../../../crypto/words.ts';
import type { KeyedStates } from './keyed-states.ts';

/** SHA-256 of many messages, four at a time: Merkle trees, lists of passwords, tables of files. */

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const DIGEST_WORDS = 8;
const LANES = 4;
/** The part of the buffer for one lane: whole blocks. */
const LANE_BYTES = BUFFER_BYTES / LANES;
/** Maximum length of the padding: a 1 bit and the length. */
const PADDING_BYTES = 9;
/** With fewer messages left, hashing one after the other is faster than four lanes. */
const FEW = 2;

/** A common prefix of all messages: whole blocks, already compressed. */
export interface Beginning {
  /** The state after them, in the module's form: 32 bytes. */
  readonly state: Uint8Array;
  readonly bytes: number;
}

/**
 * A lane takes the next message as soon as its message has ended, so that messages of different lengths keep
 * all four busy.
 *
 * @param list any number of messages, of any lengths
 * @param beginning the common prefix; default: none
 * @returns their digests, 32 bytes each, in the same order
 */
export function sha256Many(
  module: ShaModule,
  list: readonly Uint8Array[],
  beginning?: Beginning,
): Uint8Array[] {
  return digestsIn(hashedMany(module, bytesMessages(module, list), beginning));
}

/** What is hashed: messages that come into lanes of the buffer part by part. */
interface Messages {
  readonly count: number;
  /** Bytes of one of them that are hashed. */
  lengthOf(index: number): number;
  /** Writes bytes of one from `offset` on to `pointer`. @returns how many: LANE_BYTES, or all that are left */
  place(index: number, pointer: number, offset: number): number;
}

/** @throws TypeError for what is not a Uint8Array */
function bytesMessages({ memory }: ShaModule, list: readonly Uint8Array[]): Messages {
  list.forEach((data, i) => {
    // The name of each would take as long as its check.
    if (!(data instanceof Uint8Array) || data.length === 0) checkBytes(`messages[${i}]`, data);
  });
  return {
    count: list.length,
    lengthOf: (index) => list[index]!.length,
    place(index, pointer, offset) {
      const data = list[index]!;
      const length = Math.min(data.length - offset, LANE_BYTES);
      copyIn(memory, pointer, data, offset, length);
      return length;
    },
  };
}

/** @param digests one after the other */
function digestMessages({ memory }: ShaModule, digests: Uint8Array): Messages {
  return {
    count: digests.length / DIGEST_BYTES,
    lengthOf: () => DIGEST_BYTES,
    place(index, pointer) {
      copyIn(memory, pointer, digests, index * DIGEST_BYTES, DIGEST_BYTES);
      return DIGEST_BYTES;
    },
  };
}

/** Twelve bytes become sixteen digits in one step of the kernel. */
const STEP_BYTES = 12;
const STEP_DIGITS = 16;
const PAD = 0x3d; // "="

/**
 * The padded Base64 of bytes, which is written to `text` too. The bytes are placed so far behind `pointer` that
 * encoding does not overtake them. Parts begin at whole blocks, and so at whole groups of four digits.
 */
function base64Messages(
  { memory, functions }: ShaModule,
  list: readonly Base64Message[],
): Messages {
  return {
    count: list.length,
    lengthOf: (index) => list[index]!.text.length,
    place(index, pointer, offset) {
      const { data, text } = list[index]!;
      const begin = (offset / 4) * 3;
      const part = data.subarray(begin, begin + (LANE_BYTES / STEP_DIGITS) * STEP_BYTES);
      const steps = Math.ceil(part.length / STEP_BYTES);
      const from = pointer + steps * (STEP_DIGITS - STEP_BYTES);
      memory.set(part, from);
      memory.fill(0, from + part.length, from + steps * STEP_BYTES);
      functions.base64Encode(from, pointer, steps);
      const length = 4 * Math.ceil(part.length / 3);
      const missing = (3 - (part.length % 3)) % 3;
      memory.fill(PAD, pointer + length - missing, pointer + length);
      text.set(memory.subarray(pointer, pointer + length), offset);
      return length;
    },
  };
}

/** @returns the digests of all messages, one after the other */
function hashedMany(
  module: ShaModule,
  messages: Messages,
  beginning: Beginning = { state: initialState(module), bytes: 0 },
): Uint8Array {
  module.instance.owner?.leave();
  const digests = new Uint8Array(messages.count * DIGEST_BYTES);
  const batch = { messages, beginning, digests };
  const lanes = Array.from({ length: Math.min(messages.count, LANES) }, (_, place) => {
    return new Lane(module, place, batch);
  });
  let next = 0;
  try {
    for (;;) {
      let busy = 0;
      for (const lane of lanes) {
        if (lane.blocks === 0 && next < messages.count) lane.begin(next++);
        if (lane.blocks > 0) busy++;
      }
      if (busy === 0) return digests;
      if (busy > FEW) compressTogether(module, lanes);
      else for (const lane of lanes) if (lane.blocks > 0) lane.compressAlone();
    }
  } finally {
    for (const lane of lanes) lane.wipe();
    module.instance.wipe(module.instance.touched);
  }
}

function initialState({ memory }: ShaModule): Uint8Array {
  return memory.subarray(INITIAL_256, INITIAL_256 + DIGEST_BYTES);
}

/** An array of its own for each of the digests, which are wiped. */
function digestsIn(digests: Uint8Array): Uint8Array[] {
  const all: Uint8Array[] = [];
  for (let at = 0; at < digests.length; at += DIGEST_BYTES) {
    all.push(digests.slice(at, at + DIGEST_BYTES));
  }
  wipe(digests);
  return all;
}

/**
 * Compresses as many blocks as every busy lane has in the buffer. The results of idle lanes are ignored.
 *
 * @param lanes three or four
 */
function compressTogether({ functions }: ShaModule, lanes: readonly Lane[]): void {
  let count = LANE_BYTES / BLOCK_BYTES;
  for (const { blocks } of lanes) if (blocks > 0 && blocks < count) count = blocks;
  const [a, b, c, d = a] = lanes;
  functions.sha256FourBlocks(a!.pointer, b!.pointer, c!.pointer, d!.pointer, count);
  for (const lane of lanes) if (lane.blocks > 0) lane.advance(count);
}

/** What the lanes of one call share. */
interface Batch {
  readonly messages: Messages;
  readonly beginning: Beginning;
  /** Receives the digests. */
  readonly digests: Uint8Array;
}

/** One of the four lanes. It hashes a message after the other. */
class Lane {
  /** Address of the lane's next block in the module, and the number of blocks there: none while it is idle. */
  pointer: number;
  blocks = 0;
  readonly #module: ShaModule;
  readonly #batch: Batch;
  /** Of the lane's part of the buffer. */
  readonly #start: number;
  /** Of the first word of its state. */
  readonly #state: number;
  #message = 0;
  #offset = 0;
  #padded = false;
  /** Bytes of the lane's part of the buffer that were written. */
  #used = 0;

  constructor(module: ShaModule, place: number, batch: Batch) {
    this.#module = module;
    this.#batch = batch;
    this.#start = BUFFER + place * LANE_BYTES;
    this.#state = FOUR_STATES + 4 * place;
    this.pointer = this.#start;
  }

  /** @param message index of the next one */
  begin(message: number): void {
    const { state } = this.#batch.beginning;
    const { view } = this.#module;
    for (let i = 0; i < DIGEST_WORDS; i++) {
      view.setInt32(this.#state + 16 * i, load32le(state, 4 * i), true);
    }
    this.#message = message;
    this.#offset = 0;
    this.#padded = false;
    this.#fill();
  }

  /** @param count blocks that were compressed */
  advance(count: number): void {
    this.pointer += count * BLOCK_BYTES;
    this.blocks -= count;
    if (this.blocks > 0) return;
    if (this.#padded) this.#end();
    else this.#fill();
  }

  compressAlone(): void {
    this.#copyState(this.#state, 16, STATE, 4);
    this.#module.functions.sha256Blocks(this.pointer, this.blocks);
    this.#copyState(STATE, 4, this.#state, 16);
    this.advance(this.blocks);
  }

  wipe(): void {
    this.#module.functions.wipe(this.#start, this.#used);
  }

  /** Writes the digest. The lane is idle then. */
  #end(): void {
    this.pointer = this.#start;
    const { view } = this.#module;
    const to = this.#message * DIGEST_BYTES;
    for (let i = 0; i < DIGEST_WORDS; i++) {
      store32be(this.#batch.digests, to + 4 * i, view.getInt32(this.#state + 16 * i, true));
    }
  }

  /** Copies the next part of the message to the lane's part of the buffer, with padding if it fits. */
  #fill(): void {
    const { messages, beginning } = this.#batch;
    this.pointer = this.#start;
    const length = messages.place(this.#message, this.pointer, this.#offset);
    this.#offset += length;
    this.#used = Math.max(this.#used, Math.min(length + 2 * BLOCK_BYTES, LANE_BYTES));
    this.blocks = Math.floor(length / BLOCK_BYTES);
    const end = this.blocks * BLOCK_BYTES;
    const rest = length - end;
    if (length + PADDING_BYTES > LANE_BYTES) {
      // The padding does not fit: a partial block is copied again with the next part.
      this.#offset -= rest;
      return;
    }
    const total = beginning.bytes + messages.lengthOf(this.#message);
    this.blocks += pad(this.#module.memory, this.pointer + end, rest, total, BLOCK_BYTES);
    this.#padded = true;
  }

  /** Copies eight words that are `step` bytes apart. */
  #copyState(from: number, step: number, to: number, toStep: number): void {
    const { view } = this.#module;
    for (let i = 0; i < DIGEST_WORDS; i++) {
      view.setInt32(to + toStep * i, view.getInt32(from + step * i, true), true);
    }
  }
}

/** Length of the key's block, which is already compressed. */

/**
 * HMAC-SHA-256 (FIPS 198-1) of many messages under one key, four at a time: first all inner hashes,
 * then all outer ones.
 *
 * @returns the tags, 32 bytes each, in the order of the messages
 */
export function hmacSha256Many(
  module: ShaModule,
  states: KeyedStates,
  messages: readonly Uint8Array[],
): Uint8Array[] {
  return tagsOf(module, states, bytesMessages(module, messages));
}

/**
 * HMAC-SHA-256 of the Base64 of many messages, encoded in the buffer in which it is hashed.
 *
 * @param messages `text` has 4 · ⌈data.length / 3⌉ bytes and receives the Base64
 * @returns the tags, 32 bytes each, in the order of the messages
 * @throws RangeError for a `text` of another length
 */
export function hmacSha256Base64Many(
  module: ShaModule,
  states: KeyedStates,
  messages: readonly Base64Message[],
): Uint8Array[] {
  messages.forEach(({ data, text }, i) => {
    checkBytes(`messages[${i}].data`, data);
    checkBytes(`messages[${i}].text`, text, 4 * Math.ceil(data.length / 3));
  });
  return tagsOf(module, states, base64Messages(module, messages));
}

function tagsOf(
  module: ShaModule,
  { inner, outer }: KeyedStates,
  messages: Messages,
): Uint8Array[] {
  const digests = hashedMany(module, messages, { state: inner, bytes: BLOCK_BYTES });
  const ofDigests = digestMessages(module, digests);
  const tags = digestsIn(hashedMany(module, ofDigests, { state: outer, bytes: BLOCK_BYTES }));
  wipe(digests);
  return tags;
}

/** Words of 32 bits of four lanes, interleaved: word w of lane l is at 16 w + 4 l. */

/** @param words of one lane, in the module's form */
export function spreadLane(words: Uint8Array, lanes: Uint8Array, lane: number): void {
  for (let i = 0; i < words.length; i++) lanes[16 * (i >> 2) + 4 * lane + (i & 3)] = words[i]!;
}

/** The reverse. @param words receives the words of one lane */
export function gatherLane(lanes: Uint8Array, words: Uint8Array, lane: number): void {
  for (let i = 0; i < words.length; i++) words[i] = lanes[16 * (i >> 2) + 4 * lane + (i & 3)]!;
}
