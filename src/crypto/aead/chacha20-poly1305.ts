/**
 * ChaCha20-Poly1305 (RFC 8439, section 2.8): the first block of the key stream gives the authenticator's key,
 * the others encrypt.
 *
 * A nonce used twice under one key reveals the XOR of the two messages and the authenticator's key.
 */
import { copyOf, equal, wipe } from '../bytes.ts';
import { checkBytes } from '../errors.ts';
import { Poly1305 } from '../mac/poly1305.ts';
import { chacha20 } from '../stream/chacha20.ts';
import { store32le } from '../words.ts';
import { CHACHA_POLY_MAX_BYTES } from './buffers.ts';
import { CheckedAead } from './checked-aead.ts';

/** ChaCha20-Poly1305 (RFC 8439, section 2.8): 32-byte key, 12-byte nonce, 16-byte tag. */
export class ChaCha20Poly1305 extends CheckedAead {
  readonly nonceBytes = { min: 12, max: 12 } as const;
  readonly tagBytes = 16;
  private readonly key: Uint8Array;

  /** @param key 32 bytes, copied */
  constructor(key: Uint8Array) {
    super();
    checkBytes('key', key, 32);
    this.key = copyOf(key);
  }

  wipe(): void {
    wipe(this.key);
  }

  protected maxBytes(): number {
    return CHACHA_POLY_MAX_BYTES;
  }

  protected sealInto(
    sealed: Uint8Array,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associatedData: Uint8Array,
  ): void {
    const ciphertext = sealed.subarray(0, plaintext.length);
    chacha20(this.key, nonce, 1, plaintext, ciphertext);
    sealed.set(this.tag(nonce, ciphertext, associatedData), plaintext.length);
  }

  protected openInto(
    plaintext: Uint8Array,
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData: Uint8Array,
  ): boolean {
    const { length } = plaintext;
    const ciphertext = sealed.subarray(0, length);
    // Verified before a byte is decrypted
    const tag = this.tag(nonce, ciphertext, associatedData);
    if (!equal(tag, sealed.subarray(length))) return false;
    chacha20(this.key, nonce, 1, ciphertext, plaintext);
    return true;
  }

  /**
   * Section 2.8: Poly1305(A ‖ pad16(A) ‖ C ‖ pad16(C) ‖ [len(A)]_64 ‖ [len(C)]_64) under the key
   * that section 2.6 generates: the first 32 bytes of block 0.
   */
  private tag(nonce: Uint8Array, ciphertext: Uint8Array, associatedData: Uint8Array): Uint8Array {
    const oneTimeKey = chacha20(this.key, nonce, 0, new Uint8Array(32));
    const mac = new Poly1305(oneTimeKey);
    wipe(oneTimeKey);
    for (const padded of [associatedData, ciphertext]) {
      mac.update(padded);
      if (padded.length % 16 !== 0) mac.update(pad16(padded.length));
    }
    return mac.update(lengths(associatedData.length, ciphertext.length)).digest();
  }
}

/** Section 2.8.1: zeros up to the next multiple of 16. */
function pad16(lengthBytes: number): Uint8Array {
  return new Uint8Array(-lengthBytes & 15);
}

/** Two lengths in bytes, each a 64-bit integer, little-endian. */
function lengths(aBytes: number, cBytes: number): Uint8Array {
  const block = new Uint8Array(16);
  [aBytes, cBytes].forEach((bytes, i) => {
    store32le(block, 8 * i, bytes);
    store32le(block, 8 * i + 4, Math.floor(bytes / 0x1_0000_0000));
  });
  return block;
}
