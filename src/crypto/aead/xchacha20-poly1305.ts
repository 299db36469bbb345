/**
 * XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03, section 2.1): ChaCha20-Poly1305 with nonces of 24 bytes,
 * which may be random. Each message has its own subkey.
 */
import { copyOf, wipe } from '../bytes.ts';
import type { Aead } from '../contracts.ts';
import { checkBytes } from '../errors.ts';
import { hchacha20, shortNonce } from '../stream/xchacha20.ts';
import { ChaCha20Poly1305 } from './chacha20-poly1305.ts';

/**
 * XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha): 32-byte key, 24-byte nonce that may be random,
 * 16-byte tag.
 */
export class XChaCha20Poly1305 implements Aead {
  readonly nonceBytes = { min: 24, max: 24 } as const;
  readonly tagBytes = 16;
  private readonly key: Uint8Array;

  /** @param key 32 bytes, copied */
  constructor(key: Uint8Array) {
    checkBytes('key', key, 32);
    this.key = copyOf(key);
  }

  seal(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associatedData?: Uint8Array,
    into?: Uint8Array,
  ): Uint8Array {
    return this.under(nonce, (aead) =>
      aead.seal(shortNonce(nonce), plaintext, associatedData, into),
    );
  }

  open(
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData?: Uint8Array,
    into?: Uint8Array,
  ): Uint8Array {
    return this.under(nonce, (aead) => aead.open(shortNonce(nonce), sealed, associatedData, into));
  }

  wipe(): void {
    wipe(this.key);
  }

  /** Calls `work` with the AEAD under the nonce's subkey, which is wiped afterwards, also on failure. */
  private under(nonce: Uint8Array, work: (aead: Aead) => Uint8Array): Uint8Array {
    checkBytes('nonce', nonce, 24);
    const subkey = hchacha20(this.key, nonce.subarray(0, 16));
    const aead = new ChaCha20Poly1305(subkey);
    try {
      return work(aead);
    } finally {
      aead.wipe();
      wipe(subkey);
    }
  }
}
