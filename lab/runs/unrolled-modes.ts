/**
 * The study of unrolling of 2009 for two modes, OCB (RFC 7253) and CCM (SP 800-38C) over AES-128: written with loops over
 * the four words of a block, and with those loops written out. The variants differ in nothing else: both encrypt a block
 * with the same function. What depends on the key or the nonce alone is there before the time is taken.
 */
import type { ModeUnrolling } from '../tasks.ts';

/** What a message needs besides its text. All words are little-endian. */
export interface ModeInputs {
  /** The table of the cipher (src/crypto/aes/tables.ts), and 44 round keys. */
  readonly table: Int32Array;
  readonly keys: Int32Array;
  /** OCB: Offset_0, L_$, and L_0 ‖ L_1 ‖ …, four words each. */
  readonly offset: Int32Array;
  readonly dollar: Int32Array;
  readonly masks: Int32Array;
  /** CCM: B_0 and Ctr_0, whose last two bytes count. */
  readonly first: Int32Array;
  readonly counter: Int32Array;
}

/**
 * Seals whole blocks without associated data.
 *
 * @param source four words a block; fewer than 2^16 blocks
 * @param target four words longer: the ciphertext and the tag of 16 bytes
 */
export type SealWords = (inputs: ModeInputs, source: Int32Array, target: Int32Array) => Int32Array;

/** AES-128 of the block in `state`, in place. */
function encryptBlock(t: Int32Array, k: Int32Array, state: Int32Array): void {
  let a = state[0]! ^ k[0]!;
  let b = state[1]! ^ k[1]!;
  let c = state[2]! ^ k[2]!;
  let d = state[3]! ^ k[3]!;
  for (let q = 4; q < 40; q += 4) {
    const x = column(t, 0, a, b, c, d) ^ k[q]!;
    const y = column(t, 0, b, c, d, a) ^ k[q + 1]!;
    const z = column(t, 0, c, d, a, b) ^ k[q + 2]!;
    d = column(t, 0, d, a, b, c) ^ k[q + 3]!;
    a = x;
    b = y;
    c = z;
  }
  state[0] = column(t, 1024, a, b, c, d) ^ k[40]!;
  state[1] = column(t, 1024, b, c, d, a) ^ k[41]!;
  state[2] = column(t, 1024, c, d, a, b) ^ k[42]!;
  state[3] = column(t, 1024, d, a, b, c) ^ k[43]!;
}

/** A new column: a byte of each of four, through the table of its row. */
export function column(
  t: Int32Array,
  page: number,
  a: number,
  b: number,
  c: number,
  d: number,
): number {
  return (
    t[page + (a & 255)]! ^
    t[page + 256 + ((b >>> 8) & 255)]! ^
    t[page + 512 + ((c >>> 16) & 255)]! ^
    t[page + 768 + (d >>> 24)]!
  );
}

/** Where L_{ntz(i)} begins in the masks. */
const maskOf = (i: number): number => 4 * (31 - Math.clz32(i & -i));

/** The last word of a counter block: a big-endian number below 2^16 in its last two bytes. */
const counted = (word: number, i: number): number => word ^ ((i << 24) | ((i & 0xff00) << 8));

export const ocbWithLoops: SealWords = ({ table, keys, ...ocb }, source, target) => {
  const { masks, dollar } = ocb;
  const offset = ocb.offset.slice();
  const sum = new Int32Array(4);
  const block = new Int32Array(4);
  for (let p = 0, i = 1; p < source.length; p += 4, i++) {
    const mask = maskOf(i);
    for (let j = 0; j < 4; j++) {
      offset[j]! ^= masks[mask + j]!;
      sum[j]! ^= source[p + j]!;
      block[j] = source[p + j]! ^ offset[j]!;
    }
    encryptBlock(table, keys, block);
    for (let j = 0; j < 4; j++) target[p + j] = block[j]! ^ offset[j]!;
  }
  for (let j = 0; j < 4; j++) block[j] = sum[j]! ^ offset[j]! ^ dollar[j]!;
  encryptBlock(table, keys, block);
  for (let j = 0; j < 4; j++) target[source.length + j] = block[j]!;
  return target;
};

export const ocbUnrolled: SealWords = ({ table, keys, ...ocb }, source, target) => {
  const { masks, dollar } = ocb;
  const block = new Int32Array(4);
  let o0 = ocb.offset[0]!;
  let o1 = ocb.offset[1]!;
  let o2 = ocb.offset[2]!;
  let o3 = ocb.offset[3]!;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let p = 0, i = 1; p < source.length; p += 4, i++) {
    const mask = maskOf(i);
    o0 ^= masks[mask]!;
    o1 ^= masks[mask + 1]!;
    o2 ^= masks[mask + 2]!;
    o3 ^= masks[mask + 3]!;
    s0 ^= source[p]!;
    s1 ^= source[p + 1]!;
    s2 ^= source[p + 2]!;
    s3 ^= source[p + 3]!;
    block[0] = source[p]! ^ o0;
    block[1] = source[p + 1]! ^ o1;
    block[2] = source[p + 2]! ^ o2;
    block[3] = source[p + 3]! ^ o3;
    encryptBlock(table, keys, block);
    target[p] = block[0] ^ o0;
    target[p + 1] = block[1] ^ o1;
    target[p + 2] = block[2] ^ o2;
    target[p + 3] = block[3] ^ o3;
  }
  block[0] = s0 ^ o0 ^ dollar[0]!;
  block[1] = s1 ^ o1 ^ dollar[1]!;
  block[2] = s2 ^ o2 ^ dollar[2]!;
  block[3] = s3 ^ o3 ^ dollar[3]!;
  encryptBlock(table, keys, block);
  target.set(block, source.length);
  return target;
};

export const ccmWithLoops: SealWords = ({ table, keys, first, counter }, source, target) => {
  const chain = first.slice();
  const block = new Int32Array(4);
  encryptBlock(table, keys, chain);
  for (let p = 0, i = 1; p < source.length; p += 4, i++) {
    for (let j = 0; j < 4; j++) {
      chain[j]! ^= source[p + j]!;
      block[j] = counter[j]!;
    }
    encryptBlock(table, keys, chain);
    block[3] = counted(block[3]!, i);
    encryptBlock(table, keys, block);
    for (let j = 0; j < 4; j++) target[p + j] = source[p + j]! ^ block[j]!;
  }
  for (let j = 0; j < 4; j++) block[j] = counter[j]!;
  encryptBlock(table, keys, block);
  for (let j = 0; j < 4; j++) target[source.length + j] = chain[j]! ^ block[j]!;
  return target;
};

export const ccmUnrolled: SealWords = ({ table, keys, first, counter }, source, target) => {
  const chain = first.slice();
  const block = new Int32Array(4);
  encryptBlock(table, keys, chain);
  for (let p = 0, i = 1; p < source.length; p += 4, i++) {
    chain[0]! ^= source[p]!;
    chain[1]! ^= source[p + 1]!;
    chain[2]! ^= source[p + 2]!;
    chain[3]! ^= source[p + 3]!;
    encryptBlock(table, keys, chain);
    block[0] = counter[0]!;
    block[1] = counter[1]!;
    block[2] = counter[2]!;
    block[3] = counted(counter[3]!, i);
    encryptBlock(table, keys, block);
    target[p] = source[p]! ^ block[0];
    target[p + 1] = source[p + 1]! ^ block[1];
    target[p + 2] = source[p + 2]! ^ block[2];
    target[p + 3] = source[p + 3]! ^ block[3];
  }
  block.set(counter);
  encryptBlock(table, keys, block);
  target[source.length] = chain[0]! ^ block[0]!;
  target[source.length + 1] = chain[1]! ^ block[1]!;
  target[source.length + 2] = chain[2]! ^ block[2]!;
  target[source.length + 3] = chain[3]! ^ block[3]!;
  return target;
};

/** The variants, as Table VI names them; the text tells of CCM, without a table. */
export const MODE_UNROLLING: Readonly<
  Record<'OCB' | 'CCM', Readonly<Record<ModeUnrolling, SealWords>>>
> = {
  OCB: { None: ocbWithLoops, Short: ocbUnrolled },
  CCM: { None: ccmWithLoops, Short: ccmUnrolled },
};
