import type { RandomSource } from './contract.ts';

/** The most bytes of one getRandomValues call (Web Cryptography API, section 10.1.1). */
export const QUOTA_BYTES = 65_536;

/** The method of the Web Cryptography API that SystemSource calls. */
export interface PlatformCrypto {
  getRandomValues(target: Uint8Array<ArrayBuffer>): unknown;
}

/** The platform's cryptographic generator. No other file uses the global. */
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
