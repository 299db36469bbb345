/**
 * Base class of the ciphers of this folder: copies blocks into aligned 32-bit words, chunk by chunk, and does
 * the steps of the modes there. A cipher only processes words.
 *
 * The words are shared by all keys and wiped after each run, so that they contain no secret between two runs.
 * Only for little-endian hosts, which all common ones are. On others loading this module throws.
 */
import { copyOf, wipe, xorInto } from '../bytes.ts';
import type { BlockBytes, BlockCipher, OffsetRun } from '../contracts.ts';
import { checkBytes } from '../errors.ts';
import { swap32 } from '../words.ts';

/** Fits into the first-level cache, with tables and masks. */
const CHUNK_BYTES = 4096;

/** The blocks of a chunk. */
const text = new Int32Array(CHUNK_BYTES / 4);
/** What a mode XORs to each block: counters' key stream, previous blocks, OCB's offsets. */
const mask = new Int32Array(CHUNK_BYTES / 4);
/**
 * Both on a prototype: V8 then treats them as constants, as in aes/registers.ts, also where a bundler has made variables of
 * all constants of modules. The offsets of OCB are added in half the time.
 */
const chunk = Object.create({ text, mask }) as {
  readonly text: Int32Array;
  readonly mask: Int32Array;
};
const textBytes = new Uint8Array(text.buffer);
const maskBytes = new Uint8Array(mask.buffer);

if (new Uint8Array(Int32Array.of(1).buffer)[0] !== 1) throw new Error('big-endian');

/** A block cipher over 32-bit words in the byte order of the host. */
export abstract class WordCipher<B extends BlockBytes = 16> implements BlockCipher<B> {
  abstract readonly blockBytes: B;
  readonly sumsPlaintext = true;

  abstract wipe(): void;

  encryptBlocks(source: Uint8Array, target: Uint8Array): void {
    for (let done = 0; done < source.length; done += CHUNK_BYTES) {
      const words = load(source, done);
      this.encryptWords(text, 0, words);
      store(target, done, words);
    }
    wipeWords(source.length);
  }

  decryptBlocks(source: Uint8Array, target: Uint8Array): void {
    for (let done = 0; done < source.length; done += CHUNK_BYTES) {
      const words = load(source, done);
      this.decryptWords(text, 0, words);
      store(target, done, words);
    }
    wipeWords(source.length);
  }

  ctrBlocks(counter: Uint8Array, source: Uint8Array, target: Uint8Array): void {
    const block = wordsOf(counter);
    const last = block.length - 1;
    let low = swap32(block[last]);
    for (let done = 0; done < source.length; done += CHUNK_BYTES) {
      const words = load(source, done);
      for (let i = 0; i < words; i += block.length) {
        for (let j = 0; j < last; j++) mask[i + j] = block[j];
        mask[i + last] = swap32(low);
        low = (low + 1) | 0;
      }
      this.encryptWords(mask, 0, words);
      for (let i = 0; i < words; i++) text[i] ^= mask[i];
      store(target, done, words);
    }
    block[last] = swap32(low);
    counter.set(new Uint8Array(block.buffer));
    wipeWords(source.length);
  }

  cbcEncryptBlocks(chain: Uint8Array, source: Uint8Array, target?: Uint8Array): void {
    const previous = wordsOf(chain);
    const size = previous.length;
    for (let done = 0; done < source.length; done += CHUNK_BYTES) {
      const words = load(source, done);
      for (let j = 0; j < size; j++) text[j] ^= previous[j];
      this.encryptWords(text, 0, size);
      for (let i = size; i < words; i += size) {
        for (let j = i; j < i + size; j++) text[j] ^= text[j - size];
        this.encryptWords(text, i, i + size);
      }
      previous.set(text.subarray(words - size, words));
      if (target !== undefined) store(target, done, words);
    }
    chain.set(new Uint8Array(previous.buffer));
    wipeWords(source.length);
  }

  cbcDecryptBlocks(chain: Uint8Array, source: Uint8Array, target: Uint8Array): void {
    const previous = wordsOf(chain);
    const size = previous.length;
    for (let done = 0; done < source.length; done += CHUNK_BYTES) {
      const words = load(source, done);
      mask.set(previous);
      mask.set(text.subarray(0, words - size), size);
      previous.set(text.subarray(words - size, words));
      this.decryptWords(text, 0, words);
      for (let i = 0; i < words; i++) text[i] ^= mask[i];
      store(target, done, words);
    }
    chain.set(new Uint8Array(previous.buffer));
    wipeWords(source.length);
  }

  offsetBlocks(run: OffsetRun, source: Uint8Array, target: Uint8Array, inverse: boolean): void {
    const offset = wordsOf(run.offset);
    const masks = wordsOf(run.masks);
    const addOffsets = offset.length === 4 ? addToFourWords : addToTwoWords;
    // Of four words, which are two blocks of 8 bytes.
    const sum = new Int32Array(4);
    for (let done = 0; done < source.length; done += CHUNK_BYTES) {
      const words = load(source, done);
      if (!inverse) addToSum(sum, words);
      run.index = addOffsets(run.index, offset, masks, words);
      if (inverse) this.decryptWords(text, 0, words);
      else this.encryptWords(text, 0, words);
      addMasks(words);
      if (inverse) addToSum(sum, words);
      store(target, done, words);
    }
    run.offset.set(new Uint8Array(offset.buffer));
    xorInto(run.sum, new Uint8Array(sum.buffer, 0, this.blockBytes));
    if (this.blockBytes === 8) xorInto(run.sum, new Uint8Array(sum.buffer, 8));
    wipe(masks, sum);
    wipeWords(source.length);
  }

  /** Encrypts the blocks w[from … to - 1] in place. */
  protected abstract encryptWords(w: Int32Array, from: number, to: number): void;

  /** The inverse of `encryptWords`. */
  protected abstract decryptWords(w: Int32Array, from: number, to: number): void;
}

/** A cipher of blocks of 16 bytes with keys of 16, 24 or 32 bytes, which are expanded once. */
export abstract class KeyedWordCipher extends WordCipher {
  readonly blockBytes = 16;
  /** The round keys. */
  protected readonly keys: Int32Array;

  /**
   * @param key 16, 24 or 32 bytes; not kept
   * @param expandKey the key schedule
   */
  constructor(key: Uint8Array, expandKey: (key: Uint8Array) => Int32Array) {
    super();
    checkBytes('key', key, [16, 24, 32]);
    this.keys = expandKey(key);
  }

  wipe(): void {
    this.keys.fill(0);
  }
}

/**
 * XORs the offsets of the blocks after block `index` to `text`, and writes them to `mask`: Offset_i = Offset_{i-1} ⊕
 * L_{ntz(i)} (RFC 7253, section 4.2), where ntz(i) = 31 - clz(i & -i).
 *
 * @param offset that of block `index`; updated
 * @returns the number of the last block
 */
function addToFourWords(
  index: number,
  offset: Int32Array,
  masks: Int32Array,
  words: number,
): number {
  const { text: w, mask: m } = chunk;
  let a = offset[0];
  let b = offset[1];
  let c = offset[2];
  let d = offset[3];
  for (let i = 0; i < words; i += 4) {
    index++;
    const from = (31 - Math.clz32(index & -index)) << 2;
    a ^= masks[from];
    b ^= masks[from + 1];
    c ^= masks[from + 2];
    d ^= masks[from + 3];
    m[i] = a;
    m[i + 1] = b;
    m[i + 2] = c;
    m[i + 3] = d;
    w[i] ^= a;
    w[i + 1] ^= b;
    w[i + 2] ^= c;
    w[i + 3] ^= d;
  }
  offset[0] = a;
  offset[1] = b;
  offset[2] = c;
  offset[3] = d;
  return index;
}

/** The same for blocks of 8 bytes. */
function addToTwoWords(
  index: number,
  offset: Int32Array,
  masks: Int32Array,
  words: number,
): number {
  const { text: w, mask: m } = chunk;
  let a = offset[0];
  let b = offset[1];
  for (let i = 0; i < words; i += 2) {
    index++;
    const from = (31 - Math.clz32(index & -index)) << 1;
    a ^= masks[from];
    b ^= masks[from + 1];
    m[i] = a;
    m[i + 1] = b;
    w[i] ^= a;
    w[i + 1] ^= b;
  }
  offset[0] = a;
  offset[1] = b;
  return index;
}

/** sum ⊕= the words of `text`, four by four, while they are in the first-level cache. */
function addToSum(sum: Int32Array, words: number): void {
  const { text: w } = chunk;
  let a = sum[0];
  let b = sum[1];
  let c = sum[2];
  let d = sum[3];
  // Of an odd number of blocks of 8 bytes the first is added apart.
  let i = words & 2;
  if (i > 0) {
    a ^= w[0];
    b ^= w[1];
  }
  for (; i < words; i += 4) {
    a ^= w[i];
    b ^= w[i + 1];
    c ^= w[i + 2];
    d ^= w[i + 3];
  }
  sum[0] = a;
  sum[1] = b;
  sum[2] = c;
  sum[3] = d;
}

/** text ⊕= mask. @param words even */
function addMasks(words: number): void {
  const { text: w, mask: m } = chunk;
  let i = words & 2;
  if (i > 0) {
    w[0] ^= m[0];
    w[1] ^= m[1];
  }
  for (; i < words; i += 4) {
    w[i] ^= m[i];
    w[i + 1] ^= m[i + 1];
    w[i + 2] ^= m[i + 2];
    w[i + 3] ^= m[i + 3];
  }
}

/** Copies a chunk into `text`. @returns its number of words */
function load(source: Uint8Array, from: number): number {
  const bytes = Math.min(CHUNK_BYTES, source.length - from);
  textBytes.set(bytes === source.length ? source : source.subarray(from, from + bytes));
  return bytes / 4;
}

function store(target: Uint8Array, at: number, words: number): void {
  target.set(words === text.length ? textBytes : textBytes.subarray(0, 4 * words), at);
}

function wordsOf(bytes: Uint8Array): Int32Array<ArrayBuffer> {
  return new Int32Array(copyOf(bytes).buffer);
}

function wipeWords(used: number): void {
  textBytes.fill(0, 0, used);
  maskBytes.fill(0, 0, used);
}

/** @returns the little-endian words of a key */
export function keyWords(key: Uint8Array): Int32Array<ArrayBuffer> {
  return wordsOf(key);
}
