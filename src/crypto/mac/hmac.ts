import type { HashAlgorithm, Mac } from '../contracts.ts';
import type { ResumableHash } from '../hash/merkle-damgard.ts';
import { wipe } from '../bytes.ts';
import { checkBytes } from '../errors.ts';

// FIPS 198-1, table 1, and RFC 2104, section 2
const IPAD = 0x36;
const OPAD = 0x5c;

/**
 * HMAC (RFC 2104, FIPS 198-1): H((K ⊕ opad) ‖ H((K ⊕ ipad) ‖ message)).
 *
 * The two states after K ⊕ ipad and K ⊕ opad are kept, so that each further message under the key (`reset`)
 * needs two compressions less. As in FIPS 198-1 the key may have any length; the caller decides whether it is
 * long enough.
 */
export class Hmac implements Mac {
  readonly tagBytes: number;
  readonly #inner: ResumableHash;
  readonly #outer: ResumableHash;
  #message: ResumableHash;
  #envelope: ResumableHash;

  /** @param key any length; a key longer than the hash's block is hashed first, as in the standard */
  constructor(hash: HashAlgorithm, key: Uint8Array) {
    checkBytes('key', key);
    this.tagBytes = hash.digestBytes;
    const block = keyBlock(hash, key);
    this.#inner = hash.create().update(block.map((byte) => byte ^ IPAD));
    this.#outer = hash.create().update(block.map((byte) => byte ^ OPAD));
    this.#message = this.#inner.clone();
    this.#envelope = this.#outer.clone();
    wipe(block);
  }

  update(data: Uint8Array): this {
    this.#message.update(data);
    return this;
  }

  digest(): Uint8Array {
    const digest = this.#message.digest();
    this.#envelope = continueFrom(this.#outer, this.#envelope);
    const tag = this.#envelope.update(digest).digest();
    wipe(digest);
    return tag;
  }

  /** Begins another message under the same key. Drops an unfinished message. */
  reset(): this {
    this.#message = continueFrom(this.#inner, this.#message);
    return this;
  }

  wipe(): void {
    for (const hash of [this.#inner, this.#outer, this.#message, this.#envelope]) hash.wipe();
  }
}

/** @returns the tag, as long as the hash's digest, of all parts, one after the other */
export function hmac(
  hash: HashAlgorithm,
  key: Uint8Array,
  ...parts: readonly Uint8Array[]
): Uint8Array {
  const mac = new Hmac(hash, key);
  for (const part of parts) mac.update(part);
  const tag = mac.digest();
  mac.wipe();
  return tag;
}

/** K0: the key, hashed if longer than a block, then zeros up to a block (FIPS 198-1, steps 1–3). */
function keyBlock(hash: HashAlgorithm, key: Uint8Array): Uint8Array {
  const block = new Uint8Array(hash.blockBytes);
  if (key.length <= hash.blockBytes) {
    block.set(key);
    return block;
  }
  const hashing = hash.create().update(key);
  block.set(hashing.digest());
  hashing.wipe();
  return block;
}

/** Restores the keyed state, in the unneeded object if the hash supports that. */
function continueFrom(keyed: ResumableHash, spent: ResumableHash): ResumableHash {
  return spent.resume?.(keyed) ?? keyed.clone();
}
