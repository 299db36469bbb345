/** OCB3 (RFC 7253) in the AES module. Comments quote the RFC's statements above their implementation. */
import { checkTagBytes } from '../../../crypto/aead/buffers.ts';
import { CheckedAead } from '../../../crypto/aead/checked-aead.ts';
import { equalAt } from '../../../crypto/bytes.ts';
import { swap32 } from '../../../crypto/words.ts';
import { encryptBuffer } from './aes.ts';
import type { AesKey, AesModule } from './aes.ts';
import { copyIn, copyOut } from '../memory.ts';
import {
  BUFFER,
  BUFFER_BYTES,
  HASH,
  OFFSET,
  OFFSET_DOLLAR,
  OFFSETS,
  PAIR_BYTES,
  SUBKEY,
  SUM,
} from '../generator/aes/layout.ts';

// Section 3.1 names TAGLEN of 128, 96 and 64 bits.
const TAG_BYTES = [8, 12, 16];

/** OCB3 (RFC 7253) in the AES module. */
export class WasmOcb extends CheckedAead {
  /** Section 4.2: at most 120 bits. This class refuses the empty nonce. */
  readonly nonceBytes = { min: 1, max: 15 } as const;
  readonly tagBytes: number;
  protected readonly key: AesKey;
  /** Words, big-endian. */
  private readonly stretch = new Int32Array(6);

  /** @param key owned by this object: `wipe` wipes it */
  constructor(key: AesKey, options: { readonly tagBytes?: number } = {}) {
    super();
    this.tagBytes = checkTagBytes(options.tagBytes ?? 16, TAG_BYTES);
    this.key = key;
  }

  wipe(): void {
    this.stretch.fill(0);
    this.key.wipe();
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
    this.begin(nonce, associatedData);
    this.crypt(plaintext, sealed, length, true);
    this.tag();
    const { module } = this.key;
    copyOut(module.bytes, SUM, sealed, length, this.tagBytes);
    module.clearBlock(SUM);
  }

  protected openInto(
    plaintext: Uint8Array,
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData: Uint8Array,
  ): boolean {
    const { length } = plaintext;
    this.begin(nonce, associatedData);
    this.crypt(sealed, plaintext, length, false);
    this.tag();
    const { module } = this.key;
    const isRight = equalAt(module.bytes, SUM, sealed, length, this.tagBytes);
    module.clearBlock(SUM);
    if (!isRight) plaintext.fill(0);
    return isRight;
  }

  /** HASH := HASH(K, A); then OFFSET := Offset_0 and SUM := Checksum_0. */
  protected begin(nonce: Uint8Array, associatedData: Uint8Array): void {
    const { module } = this.key;
    this.key.use();
    module.needSubkey();
    needOffsets(module);
    module.clearBlock(HASH);
    if (associatedData.length > 0) this.hash(associatedData);
    this.firstOffset(nonce);
    module.clearBlock(SUM);
  }

  /** Section 4.2, "Nonce-dependent and per-encryption variables". */
  private firstOffset(nonce: Uint8Array): void {
    const { stretch } = this;
    const { module } = this.key;
    const { bytes, functions, words } = module;
    // Nonce = num2str(TAGLEN mod 128, 7) || zeros(120 - bitlen(N)) || 1 || N
    module.clearBlock(BUFFER);
    bytes[BUFFER] = ((8 * this.tagBytes) % 128) << 1;
    bytes[BUFFER + 15 - nonce.length]! |= 1;
    copyIn(bytes, BUFFER + 16 - nonce.length, nonce, 0, nonce.length);
    // bottom = str2num(Nonce[123..128])
    const bottom = bytes[BUFFER + 15]! & 0x3f;
    // Ktop = ENCIPHER(K, Nonce[1..122] || zeros(6))
    bytes[BUFFER + 15]! &= 0xc0;
    functions.encryptFew(BUFFER, 1);
    // Stretch = Ktop || (Ktop[1..64] xor Ktop[9..72])
    const [top, offset] = [BUFFER >> 2, OFFSET >> 2];
    for (let i = 0; i < 4; i++) stretch[i] = swap32(words[top + i]!);
    for (let i = 0; i < 2; i++) {
      stretch[4 + i] = stretch[i]! ^ ((stretch[i]! << 8) | (stretch[i + 1]! >>> 24));
    }
    module.clearBlock(BUFFER);
    // Offset_0 = Stretch[1+bottom..128+bottom]
    const skip = bottom >> 5;
    for (let i = 0; i < 4; i++) {
      const [high, low] = [stretch[i + skip]!, stretch[i + skip + 1]!];
      // Two shifts, because a shift by 32 bits would do nothing.
      words[offset + i] = swap32((high << (bottom & 31)) | ((low >>> 1) >>> (~bottom & 31)));
    }
  }

  /** Sections 4.2 and 4.3, over all blocks. Updates OFFSET and SUM. */
  private crypt(source: Uint8Array, target: Uint8Array, length: number, encrypts: boolean): void {
    const whole = length & ~15;
    this.wholeBlocks(source, target, whole, 0, encrypts);
    if (whole < length) this.lastBlock(source, target, whole, length - whole, encrypts);
  }

  /**
   * @param length a multiple of 16
   * @param index number of the message's blocks before them: a multiple of 8, unless fewer than 16 blocks follow
   */
  protected wholeBlocks(
    source: Uint8Array,
    target: Uint8Array,
    length: number,
    index: number,
    encrypts: boolean,
  ): void {
    const { key } = this;
    const { bytes } = key.module;
    for (let done = 0; done < length;) {
      const part = Math.min(length - done, BUFFER_BYTES);
      copyIn(bytes, BUFFER, source, done, part);
      this.blocks(part >> 4, index + (done >> 4), encrypts);
      copyOut(bytes, BUFFER, target, done, part);
      key.clear(BUFFER, encrypts ? part : part + PAIR_BYTES);
      done += part;
    }
  }

  /** Whole blocks at BUFFER, after `index` blocks: sixteen at once, then the others. */
  private blocks(count: number, index: number, encrypts: boolean): void {
    const { module } = this.key;
    const { functions } = module;
    const paired = count & ~15;
    if (paired > 0) {
      module.needSliced();
      if (encrypts) functions.offsetEncryptMany(BUFFER, paired >> 4, index);
      else functions.offsetDecryptMany(BUFFER, paired >> 4, index);
    }
    const few = count - paired;
    if (few === 0) return;
    const at = BUFFER + 16 * paired;
    if (encrypts) functions.sumBlocks(at, few);
    functions.maskBlocks(at, few, index + paired);
    if (encrypts) {
      functions.encryptFew(at, few);
    } else {
      module.needSliced();
      functions.decryptMany(at, 1);
    }
    functions.unmaskBlocks(at, few);
    if (!encrypts) functions.sumBlocks(at, few);
  }

  /** The incomplete block of `length` bytes at `at`, which ends the message. */
  protected lastBlock(
    source: Uint8Array,
    target: Uint8Array,
    at: number,
    length: number,
    encrypts: boolean,
  ): void {
    const { module } = this.key;
    const { bytes, functions } = module;
    // Offset_* = Offset_m xor L_*
    // Pad = ENCIPHER(K, Offset_*)
    module.addBlock(OFFSET, SUBKEY);
    module.copyBlock(BUFFER, OFFSET);
    functions.encryptFew(BUFFER, 1);
    // C_* = P_* xor Pad[1..bitlen(P_*)]
    // Checksum_* = Checksum_m xor (P_* || 1 || zeros(127-bitlen(P_*)))
    for (let i = 0; i < length; i++) {
      const from = source[at + i]!;
      const to = from ^ bytes[BUFFER + i]!;
      bytes[SUM + i]! ^= encrypts ? from : to;
      target[at + i] = to;
    }
    bytes[SUM + length]! ^= 0x80;
    module.clearBlock(BUFFER);
  }

  /** SUM := ENCIPHER(K, Checksum xor Offset xor L_$) xor HASH(K,A) */
  protected tag(): void {
    const { module } = this.key;
    const { functions } = module;
    module.addBlock(SUM, OFFSET);
    module.addBlock(SUM, OFFSET_DOLLAR);
    functions.encryptFew(SUM, 1);
    module.addBlock(SUM, HASH);
    module.clearBlock(HASH);
    module.clearBlock(OFFSET);
    functions.wipe(OFFSETS, PAIR_BYTES);
    this.stretch.fill(0);
  }

  /** HASH(K, A), section 4.1: Sum_i = Sum_{i-1} xor ENCIPHER(K, A_i xor Offset_i) */
  private hash(data: Uint8Array): void {
    const { key } = this;
    const { module } = key;
    const { bytes, functions } = module;
    const whole = data.length & ~15;
    module.clearBlock(OFFSET);
    module.clearBlock(SUM);
    for (let done = 0; done < whole;) {
      const part = Math.min(whole - done, BUFFER_BYTES);
      copyIn(bytes, BUFFER, data, done, part);
      functions.maskBlocks(BUFFER, part >> 4, done >> 4);
      encryptBuffer(module, part >> 4);
      functions.sumBlocks(BUFFER, part >> 4);
      key.clear(BUFFER, part);
      done += part;
    }
    if (whole < data.length) {
      // Offset_* = Offset_m xor L_*
      // CipherInput = (A_* || 1 || zeros(127-bitlen(A_*))) xor Offset_*
      module.addBlock(OFFSET, SUBKEY);
      module.clearBlock(BUFFER);
      copyIn(bytes, BUFFER, data, whole, data.length - whole);
      bytes[BUFFER + data.length - whole] = 0x80;
      module.addBlock(BUFFER, OFFSET);
      functions.encryptFew(BUFFER, 1);
      functions.sumBlocks(BUFFER, 1);
      module.clearBlock(BUFFER);
    }
    module.copyBlock(HASH, SUM);
  }
}

/** The masks, from SUBKEY. */
function needOffsets(module: AesModule): void {
  if (module.offsets) return;
  module.functions.prepareOffsets();
  module.offsets = true;
}
