/** GCM (SP 800-38D) in the AES module: counter mode, and GHASH without tables indexed by secrets. */
import { checkTagBytes, GCM_MAX_BYTES } from '../../../crypto/aead/buffers.ts';
import { CheckedAead } from '../../../crypto/aead/checked-aead.ts';
import { equalAt } from '../../../crypto/bytes.ts';
import { swap32 } from '../../../crypto/words.ts';
import { countBuffer, STANDARD } from './aes.ts';
import type { AesKey } from './aes.ts';
import { hashBlocks, needHash } from './ghash.ts';
import { clear, copyIn, copyOut } from '../memory.ts';
import { BUFFER, BUFFER_BYTES, COUNTER, HASH, MASK } from '../generator/aes/layout.ts';

// Section 5.2.1.2: 128, 120, 112, 104 or 96 bits, and 64 or 32 for some applications (appendix C)
const TAG_BYTES = [4, 8, 12, 13, 14, 15, 16];
/** The counter of J_0: 1, big-endian. */
const FIRST = 0x100_0000;

/** GCM (SP 800-38D) in the AES module. */
export class WasmGcm extends CheckedAead {
  readonly nonceBytes = { min: 1, max: Number.MAX_SAFE_INTEGER } as const;
  readonly tagBytes: number;
  private readonly key: AesKey;
  /**
   * Whether counters are secret: J_0 of a nonce that does not have 12 bytes is a hash under H, which no
   * address may depend on. Vector permutation counts in a register.
   */
  private secretCounter = false;

  /** @param key owned by this object: `wipe` wipes it */
  constructor(key: AesKey, options: { readonly tagBytes?: number } = {}) {
    super();
    this.tagBytes = checkTagBytes(options.tagBytes ?? 16, TAG_BYTES);
    this.key = key;
  }

  wipe(): void {
    this.key.wipe();
  }

  protected maxBytes(): number {
    return GCM_MAX_BYTES;
  }

  protected sealInto(
    sealed: Uint8Array,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associatedData: Uint8Array,
  ): void {
    const { length } = plaintext;
    this.begin(nonce, associatedData);
    // Section 7.1, step 3: C = GCTR_K(inc_32(J_0), P). The preceding block, of J_0, masks the tag.
    const { module } = this.key;
    const { bytes } = module;
    for (let done = 0, lead = 16; lead > 0 || done < length; lead = 0) {
      const at = this.place();
      const part = Math.min(length - done, BUFFER + BUFFER_BYTES - at - lead);
      const data = at + lead;
      if (lead > 0) module.clearBlock(at);
      copyIn(bytes, data, plaintext, done, part);
      this.count(at, (lead + part + 15) >> 4);
      if (lead > 0) module.copyBlock(MASK, at);
      copyOut(bytes, data, sealed, done, part);
      done += part;
      this.absorb(data, part, done === length ? associatedData.length : undefined, length);
      this.key.clear(at, lead + part + 32);
    }
    // Steps 5 and 6: T = MSB_t(GCTR_K(J_0, S))
    module.addBlock(HASH, MASK);
    copyOut(bytes, HASH, sealed, length, this.tagBytes);
    this.end();
  }

  protected openInto(
    plaintext: Uint8Array,
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData: Uint8Array,
  ): boolean {
    const { length } = plaintext;
    this.begin(nonce, associatedData);
    const { module } = this.key;
    const { bytes } = module;
    module.clearBlock(MASK);
    module.functions.counterFew(MASK, 1, STANDARD);
    // Section 7.2: steps 5 to 8 (verification) before …
    const at = this.place();
    const room1 = BUFFER + BUFFER_BYTES - at;
    for (let done = 0, first = true; first || done < length; first = false) {
      const part = Math.min(length - done, room1);
      copyIn(bytes, at, sealed, done, part);
      done += part;
      this.absorb(at, part, done === length ? associatedData.length : undefined, length);
    }
    module.addBlock(HASH, MASK);
    const isRight = equalAt(bytes, HASH, sealed, length, this.tagBytes);
    this.end();
    if (!isRight) {
      this.key.clear(BUFFER, BUFFER_BYTES);
      return false;
    }
    // … step 4 (decryption). A message that fits into the buffer is there already.
    for (let done = 0; done < length;) {
      const start = this.place();
      const part = Math.min(length - done, BUFFER + BUFFER_BYTES - start);
      if (length > room1) copyIn(bytes, start, sealed, done, part);
      this.count(start, (part + 15) >> 4);
      copyOut(bytes, start, plaintext, done, part);
      done += part;
    }
    this.key.clear(at, Math.min(length + 32, BUFFER + BUFFER_BYTES - at));
    return true;
  }

  /** Section 7.1, step 2: COUNTER := J_0; then hashes the associated data. */
  private begin(nonce: Uint8Array, associatedData: Uint8Array): void {
    const { key } = this;
    const { module } = key;
    const { bytes } = module;
    key.use();
    module.needSubkey();
    needHash(module, STANDARD);
    module.clearBlock(HASH);
    this.secretCounter = nonce.length !== 12;
    if (!this.secretCounter) {
      // J_0 = IV ‖ 0^31 ‖ 1
      copyIn(bytes, COUNTER, nonce, 0, 12);
      module.words[(COUNTER >> 2) + 3] = FIRST;
    } else {
      // J_0 = GHASH(IV ‖ 0^{s+64} ‖ [len(IV)]_64)
      this.absorbAll(nonce, true);
      module.copyBlock(COUNTER, HASH);
      module.clearBlock(HASH);
    }
    if (associatedData.length > 0) this.absorbAll(associatedData, false);
  }

  /** Position in the buffer of blocks that begin at COUNTER. */
  private place(): number {
    return this.secretCounter ? BUFFER : BUFFER + 16 * (this.key.module.bytes[COUNTER + 15]! & 15);
  }

  /** XORs the key stream from COUNTER on to blocks at `at`. */
  private count(at: number, blocks: number): void {
    const { module } = this.key;
    if (this.secretCounter) module.functions.counterFew(at, blocks, STANDARD);
    else countBuffer(module, at, blocks, STANDARD);
  }

  private absorbAll(data: Uint8Array, withLength: boolean): void {
    for (let done = 0; done < data.length;) {
      const part = Math.min(data.length - done, BUFFER_BYTES);
      copyIn(this.key.module.bytes, BUFFER, data, done, part);
      done += part;
      this.absorb(BUFFER, part, withLength && done === data.length ? 0 : undefined, done);
      this.key.clear(BUFFER, part + 32);
    }
  }

  /**
   * Hashes bytes of the buffer, padded with zeros to whole blocks.
   *
   * @param aBytes if given, a block with the lengths of associated data and of all `cBytes` comes last
   */
  private absorb(at: number, length: number, aBytes: number | undefined, cBytes: number): void {
    const { module } = this.key;
    const padded = (length + 15) & ~15;
    clear(module.bytes, at + length, padded - length);
    if (aBytes !== undefined) {
      storeBits(module.words, (at + padded) >> 2, aBytes);
      storeBits(module.words, (at + padded + 8) >> 2, cBytes);
    }
    const blocks = (padded >> 4) + (aBytes === undefined ? 0 : 1);
    hashBlocks(module, at, blocks, STANDARD);
  }

  private end(): void {
    this.key.module.clearBlock(HASH);
    this.key.module.clearBlock(MASK);
  }
}

/** A length in bits, 64 bits big-endian, as the words `i` and `i` + 1. */
function storeBits(words: Int32Array, i: number, lengthBytes: number): void {
  words[i] = swap32(Math.floor(lengthBytes / 0x2000_0000));
  words[i + 1] = swap32(lengthBytes << 3);
}
