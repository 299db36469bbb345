import type { RandomSource } from './contract.ts';

/** getRandomValues refuses more at once (Web Cryptography API, section 10.1.1). */
export const QUOTA_BYTES = 65_536;

/** The part of the Web Cryptography API that is needed. */
export interface PlatformCrypto {
  getRandomValues(target: Uint8Array<ArrayBuffer>): unknown;
}

/** The platform's cryptographic generator: the one place that may name the global. */
export class SystemSource implements RandomSource {
  readonly #crypto: PlatformCrypto;

  constructor(crypto: PlatformCrypto = globalThis.crypto) {
    this.#crypto = crypto;
  }

  bytes(lengthBytes: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(lengthBytes);
    for (let offset = 0; offset < lengthBytes; offset += QUOTA_BYTES) {
      this.#crypto.getRandomValues(bytes.subarray(offset, offset + QUOTA_BYTES));
    }
    return bytes;
  }
}
