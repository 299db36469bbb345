/**
 * GCM (SP 800-38D) over a block cipher: CTR with 32 bits and GHASH over the ciphertext.
 *
 * A nonce used twice under one key reveals the authentication key. For nonces of other lengths than 12 bytes
 * the counter block is a hash, so that even distinct nonces can collide.
 */
import { copyOf, equal, wipe, xorInto } from '../bytes.ts';
import type { BlockCipher } from '../contracts.ts';
import { Ghash } from '../mac/ghash.ts';
import { ctr32 } from '../mode/ctr.ts';
import { load32be, store32be, store64be } from '../words.ts';
import { checkTagBytes, GCM_MAX_BYTES } from './buffers.ts';
import { CheckedAead } from './checked-aead.ts';

// Section 5.2.1.2: 128, 120, 112, 104 or 96 bits, and 64 or 32 for some applications (appendix C)
const TAG_BYTES = [4, 8, 12, 13, 14, 15, 16];

/**
 * GCM (SP 800-38D) over a block cipher of 16-byte blocks. A repeated nonce reveals the
 * authentication key.
 */
export class Gcm extends CheckedAead {
  /** Section 5.2.1.1: 1 … 2^64 - 1 bits, of which whole bytes are supported. */
  readonly nonceBytes = { min: 1, max: Number.MAX_SAFE_INTEGER } as const;
  readonly tagBytes: number;
  private readonly cipher: BlockCipher;
  private readonly ghash: Ghash;

  /** @param cipher owned by this object: `wipe` wipes it */
  constructor(cipher: BlockCipher, options: { readonly tagBytes?: number } = {}) {
    super();
    this.tagBytes = checkTagBytes(options.tagBytes ?? 16, TAG_BYTES);
    this.cipher = cipher;
    // Section 7.1, step 1: H = CIPH_K(0^128)
    const h = new Uint8Array(16);
    cipher.encryptBlocks(h, h);
    this.ghash = new Ghash(h);
    wipe(h);
  }

  wipe(): void {
    this.ghash.wipe();
    this.cipher.wipe();
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
    const ciphertext = sealed.subarray(0, plaintext.length);
    const j0 = this.firstCounter(nonce);
    // Step 3: C = GCTR_K(inc_32(J_0), P)
    ctr32(this.cipher, nextCounter(j0), plaintext, ciphertext);
    sealed.set(this.tag(j0, ciphertext, associatedData), plaintext.length);
  }

  protected openInto(
    plaintext: Uint8Array,
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData: Uint8Array,
  ): boolean {
    const { length } = plaintext;
    const ciphertext = sealed.subarray(0, length);
    const j0 = this.firstCounter(nonce);
    // Section 7.2: steps 5 to 8 (verification) before step 4 (decryption).
    const tag = this.tag(j0, ciphertext, associatedData);
    if (!equal(tag, sealed.subarray(length))) return false;
    ctr32(this.cipher, nextCounter(j0), ciphertext, plaintext);
    return true;
  }

  /**
   * Section 7.1, step 2: J_0 = IV ‖ 0^31 ‖ 1 for 96 bits, else GHASH(IV ‖ 0^{s+64} ‖ [len(IV)]_64)
   */
  private firstCounter(nonce: Uint8Array): Uint8Array {
    if (nonce.length !== 12) {
      return this.ghash.reset().absorb(nonce).absorb(lengths(0, nonce.length)).digest();
    }
    const j0 = new Uint8Array(16);
    j0.set(nonce);
    j0[15] = 1;
    return j0;
  }

  /**
   * Steps 4 to 6: S = GHASH(A ‖ 0^v ‖ C ‖ 0^u ‖ [len(A)]_64 ‖ [len(C)]_64),
   * T = MSB_t(GCTR_K(J_0, S))
   */
  private tag(j0: Uint8Array, ciphertext: Uint8Array, associatedData: Uint8Array): Uint8Array {
    const s = this.ghash
      .reset()
      .absorb(associatedData)
      .absorb(ciphertext)
      .absorb(lengths(associatedData.length, ciphertext.length))
      .digest();
    const mask = new Uint8Array(16);
    this.cipher.encryptBlocks(j0, mask);
    xorInto(s, mask);
    return s.subarray(0, this.tagBytes);
  }
}

/** inc_32(J_0) (section 6.2), in a new block */
function nextCounter(j0: Uint8Array): Uint8Array {
  const counter = copyOf(j0);
  store32be(counter, 12, load32be(j0, 12) + 1);
  return counter;
}

/** Two lengths in bits, 64 bits each. */
function lengths(aBytes: number, cBytes: number): Uint8Array {
  const block = new Uint8Array(16);
  store64be(block, 0, 8 * aBytes);
  store64be(block, 8, 8 * cBytes);
  return block;
}
