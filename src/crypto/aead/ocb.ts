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

/**
 * OCB3 (RFC 7253) over a block cipher. A repeated nonce breaks confidentiality and authenticity. With blocks
 * of 8 bytes both are lost near 2^32 blocks under one key; encrypt far fewer.
 */
export class Ocb extends CheckedAead {
  /** Section 4.2: at most 120 bits, one byte less than a block. This class refuses the empty nonce. */
  readonly nonceBytes: { readonly min: 1; readonly max: number };
  readonly tagBytes: number;
  private readonly cipher: BlockCipher<BlockBytes>;
  private readonly lStar: Uint8Array;
  private readonly lDollar: Uint8Array;
  /** L_0 ‖ L_1 ‖ …, up to the largest index used so far. */
  private masks: Uint8Array;

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
    this.lStar = new Uint8Array(blockBytes);
    // Section 4.1: L_* = ENCIPHER(K, zeros(128)); L_$ = double(L_*); L_0 = double(L_$)
    cipher.encryptBlocks(this.lStar, this.lStar);
    this.lDollar = double(this.lStar);
    this.masks = double(this.lDollar);
  }

  wipe(): void {
    wipe(this.lStar, this.lDollar, this.masks);
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
    const checksum = checksumOf(plaintext, this.cipher.blockBytes);
    const offset = this.crypt(nonce, plaintext, sealed.subarray(0, length), true);
    sealed.set(this.tag(checksum, offset, associatedData), length);
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
    const offset = this.crypt(nonce, sealed.subarray(0, length), plaintext, false);
    const tag = this.tag(checksumOf(plaintext, this.cipher.blockBytes), offset, associatedData);
    const isRight = equal(tag, received);
    if (!isRight) wipe(plaintext);
    return isRight;
  }

  /**
   * Sections 4.2 and 4.3, from the nonce to the last block, without checksum and tag.
   *
   * @returns Offset_* if there was an incomplete block, else Offset_m
   */
  private crypt(
    nonce: Uint8Array,
    source: Uint8Array,
    target: Uint8Array,
    encrypt: boolean,
  ): Uint8Array {
    const { cipher } = this;
    const { blockBytes } = cipher;
    const whole = source.length - (source.length % blockBytes);
    const run = this.start(this.firstOffset(nonce), whole / blockBytes);
    const { offset } = run;
    // Offset_i = Offset_{i-1} xor L_{ntz(i)}
    // C_i = Offset_i xor ENCIPHER(K, P_i xor Offset_i)
    const from = head(source, whole);
    const to = head(target, whole);
    if (cipher.offsetBlocks) cipher.offsetBlocks(run, from, to, !encrypt);
    else blocksPortable(cipher, run, from, to, encrypt);
    if (whole < source.length) {
      // Offset_* = Offset_m xor L_*
      xorInto(offset, this.lStar);
      // Pad = ENCIPHER(K, Offset_*)
      const pad = new Uint8Array(blockBytes);
      cipher.encryptBlocks(offset, pad);
      // C_* = P_* xor Pad[1..bitlen(P_*)]
      for (let i = whole; i < source.length; i++) target[i] = source[i] ^ pad[i - whole];
      wipe(pad);
    }
    return offset;
  }

  /** Section 4.2, "Nonce-dependent and per-encryption variables". @returns Offset_0 */
  private firstOffset(nonce: Uint8Array): Uint8Array<ArrayBuffer> {
    const { blockBytes } = this.cipher;
    const { shiftBytes, shiftBits, bottomMask, tagShift } = NUMBERS[blockBytes];
    // Nonce = num2str(TAGLEN mod 128, 7) || zeros(120 - bitlen(N)) || 1 || N
    const block = new Uint8Array(blockBytes);
    block[0] = ((8 * this.tagBytes) % (8 * blockBytes)) << tagShift;
    block[blockBytes - 1 - nonce.length] |= 1;
    block.set(nonce, blockBytes - nonce.length);
    // bottom = str2num(Nonce[123..128])
    const bottom = block[blockBytes - 1] & bottomMask;
    // Ktop = ENCIPHER(K, Nonce[1..122] || zeros(6))
    block[blockBytes - 1] &= ~bottomMask;
    this.cipher.encryptBlocks(block, block);
    // Stretch = Ktop || (Ktop[1..64] xor Ktop[9..72])
    const half = blockBytes / 2;
    const stretch = new Uint8Array(blockBytes + half);
    stretch.set(block);
    for (let i = 0; i < half; i++) {
      const next = (block[i + shiftBytes] << 8) | block[i + shiftBytes + 1];
      stretch[blockBytes + i] = block[i] ^ ((next << shiftBits) >> 8);
    }
    // Offset_0 = Stretch[1+bottom..128+bottom]
    const bytes = bottom >> 3;
    const bits = bottom & 7;
    for (let i = 0; i < blockBytes; i++) {
      block[i] = (((stretch[i + bytes] << 8) | stretch[i + bytes + 1]) << bits) >> 8;
    }
    return block;
  }

  /** Section 4.2: the first TAGLEN bits of Tag = ENCIPHER(K, Checksum xor Offset xor L_$) xor HASH(K,A). */
  private tag(
    checksum: Uint8Array,
    offset: Uint8Array,
    associatedData: Uint8Array | undefined,
  ): Uint8Array {
    xorInto(checksum, offset);
    xorInto(checksum, this.lDollar);
    this.cipher.encryptBlocks(checksum, checksum);
    if (associatedData && associatedData.length > 0) xorInto(checksum, this.hash(associatedData));
    return head(checksum, this.tagBytes);
  }

  /** HASH(K, A), section 4.1 */
  private hash(data: Uint8Array): Uint8Array {
    const { cipher } = this;
    const { blockBytes } = cipher;
    const whole = data.length - (data.length % blockBytes);
    // Sum_0 = zeros(128); Offset_0 = zeros(128)
    const run = this.start(new Uint8Array(blockBytes), whole / blockBytes);
    // Offset_i = Offset_{i-1} xor L_{ntz(i)}; Sum_i = Sum_{i-1} xor ENCIPHER(K, A_i xor Offset_i)
    const blocks = new Uint8Array(whole + (whole < data.length ? blockBytes : 0));
    blocks.set(data);
    for (let i = 0; i < whole; i += blockBytes) {
      nextOffset(run);
      xorInto(blocks.subarray(i, i + blockBytes), run.offset);
    }
    if (whole < data.length) {
      // Offset_* = Offset_m xor L_*
      xorInto(run.offset, this.lStar);
      // CipherInput = (A_* || 1 || zeros(127-bitlen(A_*))) xor Offset_*
      blocks[data.length] = 0x80;
      xorInto(blocks.subarray(whole), run.offset);
    }
    // Sum = Sum_m xor ENCIPHER(K, CipherInput): encrypts all blocks at once, then adds them
    cipher.encryptBlocks(blocks, blocks);
    return sumOf(blocks, blockBytes);
  }

  /** Starts a run at block 0, with L_i for `blocks` blocks (section 4.1: double(L_{i-1})). */
  private start(offset: Uint8Array, blocks: number): OffsetRun {
    const { blockBytes } = this.cipher;
    const count = 32 - Math.clz32(blocks);
    while (this.masks.length < blockBytes * count) {
      const longer = new Uint8Array(this.masks.length + blockBytes);
      longer.set(this.masks);
      longer.set(double(this.masks.subarray(-blockBytes)), this.masks.length);
      wipe(this.masks);
      this.masks = longer;
    }
    return { offset, masks: this.masks, index: 0 };
  }
}

/** Offset_i = Offset_{i-1} xor L_{ntz(i)} */
function nextOffset(run: OffsetRun): void {
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
function checksumOf(plaintext: Uint8Array, blockBytes: BlockBytes): Uint8Array {
  const whole = plaintext.length - (plaintext.length % blockBytes);
  const checksum = sumOf(head(plaintext, whole), blockBytes);
  if (whole < plaintext.length) {
    xorInto(checksum, plaintext.subarray(whole));
    checksum[plaintext.length - whole] ^= 0x80;
  }
  return checksum;
}

/** XORs all blocks. Uses words if they are aligned, which is four times as fast. */
function sumOf(blocks: Uint8Array, blockBytes: BlockBytes): Uint8Array {
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
