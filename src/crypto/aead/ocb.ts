/**
 * OCB3 (RFC 7253) over a block cipher: one pass and one block cipher call per block. Comments quote the RFC's
 * statements above their implementation. Blocks of 8 bytes have the numbers of
 * draft-krovetz-ocb-wideblock-00, an expired draft that generalises the RFC; the RFC's own stand beside.
 *
 * A nonce used twice reveals the blocks that are equal and allows forgeries.
 */
import { copyOf, equal, wipe, xorInto } from '../bytes.ts';
import type { BlockBytes, BlockCipher, OffsetRun } from '../contracts.ts';
import { double } from '../gf128.ts';
import { checkTagBytes, head } from './buffers.ts';
import { CheckedAead } from './checked-aead.ts';

/** What depends on the length of a block. */
interface Numbers {
  /** The lengths of tags that this class offers. Section 3.1 names TAGLEN of 128, 96 and 64 bits. */
  readonly tagBytes: readonly number[];
  /** SHIFT of the draft: 8 · shiftBytes + shiftBits. The RFC shifts by 8 bits. */
  readonly shiftBytes: number;
  readonly shiftBits: number;
  /** The bits of `bottom`, MASKLEN of the draft: 6 in the RFC. */
  readonly bottomMask: number;
  /** To shift TAGLEN to the top of the first byte: TAGREP of the draft has 7 bits in the RFC. */
  readonly tagShift: number;
}

const NUMBERS: Readonly<Record<BlockBytes, Numbers>> = {
  16: { tagBytes: [8, 12, 16], shiftBytes: 1, shiftBits: 0, bottomMask: 0x3f, tagShift: 1 },
  8: { tagBytes: [4, 6, 8], shiftBytes: 3, shiftBits: 1, bottomMask: 0x1f, tagShift: 2 },
};

/** After the last block: Offset_* and Checksum_* if there was an incomplete one, else Offset_m and Checksum_m. */
type MessageState = Pick<OffsetRun, 'offset' | 'sum'>;

/**
 * OCB3 (RFC 7253) over a block cipher. A repeated nonce breaks confidentiality and authenticity. With blocks
 * of 8 bytes both are lost near 2^32 blocks under one key; encrypt far fewer.
 */
export class Ocb extends CheckedAead {
  /** Section 4.2: at most 120 bits, one byte less than a block. This class refuses the empty nonce. */
  readonly nonceBytes: { readonly min: 1; readonly max: number };
  readonly tagBytes: number;
  private readonly cipher: BlockCipher<BlockBytes>;
  private readonly masks: OcbMasks;

  /**
   * @param cipher owned by this object: `wipe` wipes it
   * @param options tagBytes: 8, 12 or 16 with blocks of 16 bytes, 4, 6 or 8 with blocks of 8; a block if
   * absent
   */
  constructor(cipher: BlockCipher<BlockBytes>, options: { readonly tagBytes?: number } = {}) {
    super();
    const { blockBytes } = cipher;
    this.nonceBytes = { min: 1, max: blockBytes - 1 };
    this.tagBytes = checkTagBytes(options.tagBytes ?? blockBytes, NUMBERS[blockBytes].tagBytes);
    this.cipher = cipher;
    const lStar = new Uint8Array(blockBytes);
    cipher.encryptBlocks(lStar, lStar);
    this.masks = new OcbMasks(lStar);
  }

  wipe(): void {
    this.masks.wipe();
    this.cipher.wipe();
  }

  /** Section 5.1 recommends at most 2^48 blocks under a key; no array holds so many. */
  protected maxBytes(): number {
    return Number.MAX_SAFE_INTEGER;
  }

  protected sealInto(
    sealed: Uint8Array,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associatedData: Uint8Array,
  ): void {
    const { length } = plaintext;
    const state = this.crypt(nonce, plaintext, sealed.subarray(0, length), true);
    sealed.set(this.tag(state, associatedData), length);
  }

  protected openInto(
    plaintext: Uint8Array,
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData: Uint8Array,
  ): boolean {
    const { length } = plaintext;
    // Copied first: `plaintext` may begin where `sealed` begins.
    const received = copyOf(sealed.subarray(length));
    const state = this.crypt(nonce, sealed.subarray(0, length), plaintext, false);
    const tag = this.tag(state, associatedData);
    const isRight = equal(tag, received);
    if (!isRight) wipe(plaintext);
    return isRight;
  }

  /** Sections 4.2 and 4.3, from the nonce to the last block, without the tag. */
  private crypt(
    nonce: Uint8Array,
    source: Uint8Array,
    target: Uint8Array,
    encrypt: boolean,
  ): MessageState {
    const { cipher } = this;
    const { blockBytes } = cipher;
    const whole = source.length - (source.length % blockBytes);
    const offset = this.firstOffset(nonce);
    // Checksum_0 = zeros(128)
    const sum = new Uint8Array(blockBytes);
    const run = { offset, masks: this.masks.upTo(whole / blockBytes), index: 0, sum };
    const from = head(source, whole);
    const to = head(target, whole);
    const sumsPlaintext = cipher.offsetBlocks !== undefined && cipher.sumsPlaintext === true;
    // Checksum_i = Checksum_{i-1} xor P_i; now, because `target` may be `source`
    if (encrypt && !sumsPlaintext) xorInto(sum, sumOf(from, blockBytes));
    // Offset_i = Offset_{i-1} xor L_{ntz(i)}
    // C_i = Offset_i xor ENCIPHER(K, P_i xor Offset_i)
    if (cipher.offsetBlocks) cipher.offsetBlocks(run, from, to, !encrypt);
    else blocksPortable(cipher, run, from, to, encrypt);
    if (!encrypt && !sumsPlaintext) xorInto(sum, sumOf(to, blockBytes));
    if (whole < source.length) {
      // Offset_* = Offset_m xor L_*
      xorInto(offset, this.masks.star);
      // Pad = ENCIPHER(K, Offset_*)
      const pad = new Uint8Array(blockBytes);
      cipher.encryptBlocks(offset, pad);
      // C_* = P_* xor Pad[1..bitlen(P_*)]
      // Checksum_* = Checksum_m xor (P_* || 1 || zeros(127-bitlen(P_*)))
      for (let i = whole; i < source.length; i++) {
        const before = source[i];
        const after = before ^ pad[i - whole];
        sum[i - whole] ^= encrypt ? before : after;
        target[i] = after;
      }
      sum[source.length - whole] ^= 0x80;
      wipe(pad);
    }
    return { offset, sum };
  }

  /** Section 4.2. @returns Offset_0 */
  private firstOffset(nonce: Uint8Array): Uint8Array<ArrayBuffer> {
    const { block, bottom } = nonceBlock(nonce, this.tagBytes, this.cipher.blockBytes);
    // Ktop = ENCIPHER(K, Nonce[1..122] || zeros(6))
    this.cipher.encryptBlocks(block, block);
    return offsetZero(block, bottom);
  }

  /** Section 4.2: the first TAGLEN bits of Tag = ENCIPHER(K, Checksum xor Offset xor L_$) xor HASH(K,A). */
  private tag({ offset, sum }: MessageState, associatedData: Uint8Array | undefined): Uint8Array {
    xorInto(sum, offset);
    xorInto(sum, this.masks.dollar);
    this.cipher.encryptBlocks(sum, sum);
    if (associatedData && associatedData.length > 0) xorInto(sum, this.hash(associatedData));
    return head(sum, this.tagBytes);
  }

  /** HASH(K, A), section 4.1 */
  private hash(data: Uint8Array): Uint8Array {
    const { blockBytes } = this.cipher;
    const blocks = hashInput(data, this.masks, blockBytes);
    // Sum = Sum_m xor ENCIPHER(K, CipherInput): encrypts all blocks at once, then adds them
    this.cipher.encryptBlocks(blocks, blocks);
    return sumOf(blocks, blockBytes);
  }
}

/** The values that depend on the key alone (section 4.1). */
export class OcbMasks {
  /** L_* */
  readonly star: Uint8Array;
  /** L_$ */
  readonly dollar: Uint8Array;
  /** L_0 ‖ L_1 ‖ …, up to the largest index used so far. */
  private masks: Uint8Array<ArrayBuffer>;

  /** @param star L_* = ENCIPHER(K, zeros(128)), one block; kept, and wiped by `wipe` */
  constructor(star: Uint8Array) {
    // L_$ = double(L_*); L_0 = double(L_$)
    this.star = star;
    this.dollar = double(star);
    this.masks = double(this.dollar);
  }

  /**
   * @returns L_0 ‖ L_1 ‖ …, one block each: those of `blocks` blocks, or more. Wiped by the next call for more
   * blocks.
   */
  upTo(blocks: number): Uint8Array<ArrayBuffer> {
    const blockBytes = this.star.length;
    const count = 32 - Math.clz32(blocks);
    while (this.masks.length < blockBytes * count) {
      // L_i = double(L_{i-1})
      const longer = new Uint8Array(this.masks.length + blockBytes);
      longer.set(this.masks);
      longer.set(double(this.masks.subarray(-blockBytes)), this.masks.length);
      wipe(this.masks);
      this.masks = longer;
    }
    return this.masks;
  }

  wipe(): void {
    wipe(this.star, this.dollar, this.masks);
  }
}

/**
 * Section 4.2, "Nonce-dependent and per-encryption variables", up to Ktop.
 *
 * @param nonce 1 to blockBytes - 1 bytes
 * @returns block: what Ktop is the encryption of; bottom: in bits
 */
export function nonceBlock(
  nonce: Uint8Array,
  tagBytes: number,
  blockBytes: BlockBytes,
): { block: Uint8Array<ArrayBuffer>; bottom: number } {
  const { bottomMask, tagShift } = NUMBERS[blockBytes];
  // Nonce = num2str(TAGLEN mod 128, 7) || zeros(120 - bitlen(N)) || 1 || N
  const block = new Uint8Array(blockBytes);
  block[0] = ((8 * tagBytes) % (8 * blockBytes)) << tagShift;
  block[blockBytes - 1 - nonce.length] |= 1;
  block.set(nonce, blockBytes - nonce.length);
  // bottom = str2num(Nonce[123..128])
  const bottom = block[blockBytes - 1] & bottomMask;
  block[blockBytes - 1] &= ~bottomMask;
  return { block, bottom };
}

/**
 * Section 4.2, from Ktop on.
 *
 * @param ktop one block
 * @param bottom of `nonceBlock`
 * @returns Offset_0
 */
export function offsetZero(ktop: Uint8Array, bottom: number): Uint8Array<ArrayBuffer> {
  const blockBytes = ktop.length as BlockBytes;
  const { shiftBytes, shiftBits } = NUMBERS[blockBytes];
  // Stretch = Ktop || (Ktop[1..64] xor Ktop[9..72])
  const half = blockBytes / 2;
  const stretch = new Uint8Array(blockBytes + half);
  stretch.set(ktop);
  for (let i = 0; i < half; i++) {
    const next = (ktop[i + shiftBytes] << 8) | ktop[i + shiftBytes + 1];
    stretch[blockBytes + i] = ktop[i] ^ ((next << shiftBits) >> 8);
  }
  // Offset_0 = Stretch[1+bottom..128+bottom]
  const offset = new Uint8Array(blockBytes);
  const bytes = bottom >> 3;
  const bits = bottom & 7;
  for (let i = 0; i < blockBytes; i++) {
    offset[i] = (((stretch[i + bytes] << 8) | stretch[i + bytes + 1]) << bits) >> 8;
  }
  return offset;
}

/**
 * Offset_index without the offsets before it. L_{ntz(i)}, by which Offset_i differs from the one before, is also
 * the only bit in which the Gray code of i differs from that of i - 1.
 *
 * @param offset Offset_0
 * @param masks L_0 ‖ L_1 ‖ … of at least `index` blocks
 */
export function offsetAt(
  offset: Uint8Array,
  masks: Uint8Array,
  index: number,
): Uint8Array<ArrayBuffer> {
  const { length } = offset;
  const result = copyOf(offset);
  let gray = index ^ (index >>> 1);
  for (let at = 0; gray !== 0; at += length, gray >>>= 1) {
    if ((gray & 1) === 1) xorInto(result, masks.subarray(at, at + length));
  }
  return result;
}

/** @returns the blocks whose encryptions have the sum HASH(K, A) (section 4.1); no blocks for no data */
export function hashInput(
  data: Uint8Array,
  masks: OcbMasks,
  blockBytes: BlockBytes,
): Uint8Array<ArrayBuffer> {
  const whole = data.length - (data.length % blockBytes);
  // Sum_0 = zeros(128); Offset_0 = zeros(128)
  const offset = new Uint8Array(blockBytes);
  const run = { offset, masks: masks.upTo(whole / blockBytes), index: 0 };
  // Offset_i = Offset_{i-1} xor L_{ntz(i)}; Sum_i = Sum_{i-1} xor ENCIPHER(K, A_i xor Offset_i)
  const blocks = new Uint8Array(whole + (whole < data.length ? blockBytes : 0));
  blocks.set(data);
  for (let i = 0; i < whole; i += blockBytes) {
    nextOffset(run);
    xorInto(blocks.subarray(i, i + blockBytes), offset);
  }
  if (whole < data.length) {
    // Offset_* = Offset_m xor L_*
    xorInto(offset, masks.star);
    // CipherInput = (A_* || 1 || zeros(127-bitlen(A_*))) xor Offset_*
    blocks[data.length] = 0x80;
    xorInto(blocks.subarray(whole), offset);
  }
  return blocks;
}

/** Offset_i = Offset_{i-1} xor L_{ntz(i)} */
function nextOffset(run: Omit<OffsetRun, 'sum'>): void {
  run.index++;
  const ntz = 31 - Math.clz32(run.index & -run.index);
  const { length } = run.offset;
  xorInto(run.offset, run.masks.subarray(length * ntz, length * ntz + length));
}

function blocksPortable(
  cipher: BlockCipher<BlockBytes>,
  run: OffsetRun,
  source: Uint8Array,
  target: Uint8Array,
  encrypt: boolean,
): void {
  const { blockBytes } = cipher;
  const block = new Uint8Array(blockBytes);
  for (let i = 0; i < source.length; i += blockBytes) {
    nextOffset(run);
    block.set(source.subarray(i, i + blockBytes));
    xorInto(block, run.offset);
    if (encrypt) cipher.encryptBlocks(block, block);
    else cipher.decryptBlocks(block, block);
    xorInto(block, run.offset);
    target.set(block, i);
  }
}

/**
 * Checksum_i = Checksum_{i-1} xor P_i, and at the end
 * Checksum_* = Checksum_m xor (P_* || 1 || zeros(127-bitlen(P_*)))
 */
export function checksumOf(plaintext: Uint8Array, blockBytes: BlockBytes): Uint8Array {
  const whole = plaintext.length - (plaintext.length % blockBytes);
  const checksum = sumOf(head(plaintext, whole), blockBytes);
  if (whole < plaintext.length) {
    xorInto(checksum, plaintext.subarray(whole));
    checksum[plaintext.length - whole] ^= 0x80;
  }
  return checksum;
}

/** XORs all blocks. Uses words if they are aligned, which is four times as fast. */
export function sumOf(blocks: Uint8Array, blockBytes: BlockBytes): Uint8Array {
  if (blocks.byteOffset % 4 !== 0) {
    const aligned = copyOf(blocks);
    const sum = sumOf(aligned, blockBytes);
    wipe(aligned);
    return sum;
  }
  const words = new Int32Array(blocks.buffer, blocks.byteOffset, blocks.length / 4);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = words.length % 8;
  // 32 bytes per iteration; the first blocks are added separately if the others do not fill 32 bytes each.
  if (i >= 4) [a, b, c, d] = words;
  if (i % 4 === 2) {
    a ^= words[i - 2];
    b ^= words[i - 1];
  }
  for (; i < words.length; i += 8) {
    a ^= words[i] ^ words[i + 4];
    b ^= words[i + 1] ^ words[i + 5];
    c ^= words[i + 2] ^ words[i + 6];
    d ^= words[i + 3] ^ words[i + 7];
  }
  const sum = blockBytes === 8 ? Int32Array.of(a ^ c, b ^ d) : Int32Array.of(a, b, c, d);
  return new Uint8Array(sum.buffer);
}
