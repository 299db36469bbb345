import { checkBytes } from '../../../crypto/errors.ts';
import {
  BUFFER,
  BUFFER_BYTES,
  FOUR_STATES,
  INITIAL_256,
  STATE,
} from '../generator/hash/sha-layout.ts';
import { pad, toWords, type ShaModule } from './sha.ts';
import type { Base64Message } from '../../contract.ts';
import { wipe } from '../../../crypto/bytes.ts';
import type { KeyedStates } from './keyed-states.ts';

/** SHA-256 of many messages, four at a time: Merkle trees, lists of passwords, tables of files. */

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** The part of the buffer for one lane: whole blocks. */
const LANE_BYTES = BUFFER_BYTES >> 2;
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
 * @param messages any number, of any lengths
 * @param beginning the common prefix; default: none
 * @returns their digests, 32 bytes each, in the same order
 */
export function sha256Many(
  module: ShaModule,
  messages: readonly Uint8Array[],
  beginning?: Beginning,
): Uint8Array[] {
  messages.forEach((message, i) => checkBytes(`messages[${i}]`, message));
  return hashedMany(
    module,
    messages.map((message) => bytesContent(module, message)),
    beginning,
  );
}

/** What is hashed, as it comes into a lane of the buffer. */
interface Content {
  /** Bytes that are hashed. */
  readonly length: number;
  /** Writes the bytes from `offset` on to `pointer`. @returns how many: LANE_BYTES, or all that are left */
  place(pointer: number, offset: number): number;
}

function bytesContent({ memory }: ShaModule, data: Uint8Array): Content {
  return {
    length: data.length,
    place(pointer, offset) {
      const part = data.subarray(offset, offset + LANE_BYTES);
      memory.set(part, pointer);
      return part.length;
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
function base64Content({ memory, functions }: ShaModule, { data, text }: Base64Message): Content {
  return {
    length: text.length,
    place(pointer, offset) {
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

function hashedMany(
  module: ShaModule,
  messages: readonly Content[],
  beginning: Beginning = { state: initialState(module), bytes: 0 },
): Uint8Array[] {
  module.bench.owner?.leave();
  const digests: Uint8Array[] = [];
  let next = 0;
  const lanes: Lane[] = [];
  const idle = [0, 1, 2, 3];
  try {
    for (;;) {
      while (idle.length > 0 && next < messages.length) {
        lanes.push(new Lane(module, idle.pop()!, next, messages[next++]!, beginning));
      }
      if (lanes.length === 0) return digests;
      if (lanes.length > FEW) compressTogether(module, lanes);
      else for (const lane of lanes) lane.compressAlone();
      for (const lane of lanes.filter(({ ended }) => ended)) {
        digests[lane.message] = lane.digest();
        idle.push(lane.place);
        lanes.splice(lanes.indexOf(lane), 1);
      }
    }
  } finally {
    module.bench.wipe(module.bench.touched);
  }
}

function initialState({ memory }: ShaModule): Uint8Array {
  return memory.subarray(INITIAL_256, INITIAL_256 + DIGEST_BYTES);
}

/** Compresses as many blocks as every lane has in the buffer. The results of idle lanes are ignored. */
function compressTogether({ functions }: ShaModule, lanes: readonly Lane[]): void {
  const count = Math.min(...lanes.map(({ blocks }) => blocks));
  const pointers = [0, 1, 2, 3].map((place) => BUFFER + place * LANE_BYTES);
  for (const lane of lanes) pointers[lane.place] = lane.pointer;
  const [a, b, c, d] = pointers as [number, number, number, number];
  functions.sha256FourBlocks(a, b, c, d, count);
  for (const lane of lanes) lane.advance(count);
}

/** A message in one of the four lanes. */
class Lane {
  readonly place: number;
  /** Index of the message. */
  readonly message: number;
  /** Address of the lane's next block in the module, and the number of blocks there. */
  pointer = 0;
  blocks = 0;
  ended = false;
  readonly #module: ShaModule;
  readonly #content: Content;
  readonly #bytesBefore: number;
  #offset = 0;
  #padded = false;
  /** Bytes of the lane's part of the buffer that were written. */
  #used = 0;

  constructor(
    module: ShaModule,
    place: number,
    message: number,
    content: Content,
    { state, bytes }: Beginning,
  ) {
    this.place = place;
    this.message = message;
    this.#module = module;
    this.#content = content;
    this.#bytesBefore = bytes;
    spreadLane(state, module.memory.subarray(FOUR_STATES), place);
    this.#fill();
  }

  /** @param count blocks that were compressed */
  advance(count: number): void {
    this.pointer += count * BLOCK_BYTES;
    this.blocks -= count;
    if (this.blocks > 0) return;
    if (this.#padded) this.ended = true;
    else this.#fill();
  }

  compressAlone(): void {
    const { memory, functions } = this.#module;
    const states = memory.subarray(FOUR_STATES);
    gatherLane(states, memory.subarray(STATE, STATE + DIGEST_BYTES), this.place);
    functions.sha256Blocks(this.pointer, this.blocks);
    spreadLane(memory.subarray(STATE, STATE + DIGEST_BYTES), states, this.place);
    this.advance(this.blocks);
  }

  /** Ends the lane, which is then free for another message. */
  digest(): Uint8Array {
    this.#module.functions.wipe(BUFFER + this.place * LANE_BYTES, this.#used);
    const words = new Uint8Array(DIGEST_BYTES);
    gatherLane(this.#module.memory.subarray(FOUR_STATES), words, this.place);
    return toWords(words, 4);
  }

  /** Copies the next part of the message to the lane's part of the buffer, with padding if it fits. */
  #fill(): void {
    const { memory } = this.#module;
    this.pointer = BUFFER + this.place * LANE_BYTES;
    const length = this.#content.place(this.pointer, this.#offset);
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
    const total = this.#bytesBefore + this.#content.length;
    this.blocks += pad(memory, this.pointer + end, rest, total, BLOCK_BYTES);
    this.#padded = true;
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
  { inner, outer }: KeyedStates,
  messages: readonly Uint8Array[],
): Uint8Array[] {
  return outerHashes(
    module,
    outer,
    sha256Many(module, messages, { state: inner, bytes: BLOCK_BYTES }),
  );
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
  { inner, outer }: KeyedStates,
  messages: readonly Base64Message[],
): Uint8Array[] {
  messages.forEach(({ data, text }, i) => {
    checkBytes(`messages[${i}].data`, data);
    checkBytes(`messages[${i}].text`, text, 4 * Math.ceil(data.length / 3));
  });
  const texts = messages.map((message) => base64Content(module, message));
  return outerHashes(
    module,
    outer,
    hashedMany(module, texts, { state: inner, bytes: BLOCK_BYTES }),
  );
}

function outerHashes(
  module: ShaModule,
  outer: Uint8Array,
  digests: readonly Uint8Array[],
): Uint8Array[] {
  const tags = sha256Many(module, digests, { state: outer, bytes: BLOCK_BYTES });
  wipe(...digests);
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
