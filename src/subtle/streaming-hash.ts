import type { Hash } from '../crypto/contracts.ts';
import { viewBytes } from './webidl/buffer-source.ts';

/** A digest whose message comes in pieces. */
export class StreamingHash {
  readonly #hash: Hash;

  constructor(hash: Hash) {
    this.#hash = hash;
  }

  /** Bytes of the digest. */
  get digestBytes(): number {
    return this.#hash.digestBytes;
  }

  /** Appends to the message; the bytes are read before this returns. @throws Error after `digest` */
  update(data: BufferSource): this {
    this.#hash.update(viewBytes('data', data));
    return this;
  }

  /** Ends the message. @returns digestBytes bytes. @throws Error when called twice */
  digest(): Uint8Array<ArrayBuffer> {
    return this.#hash.digest() as Uint8Array<ArrayBuffer>;
  }

  /** A second hash in the same state, so that a common beginning is hashed once. */
  clone(): StreamingHash {
    return new StreamingHash(this.#hash.clone());
  }
}
