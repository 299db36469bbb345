/**
 * AES (FIPS 197) with keys of 128, 192 and 256 bits.
 *
 * NOT safe against side channels: it looks up tables at places that depend on key and data, so that
 * code that shares a cache with it may learn the key (Bernstein 2005; Osvik, Shamir, Tromer 2006). The
 * engines of src/engine that are safe come first; this is the portable reference.
 *
 * Only for little-endian hosts, as is every common one; on others loading registers.ts throws.
 */
import type { BlockCipher, OffsetRun } from '../contracts.ts';
import { expandKey, invertKey, type Keys } from './key-schedule.ts';
import { CBC, CTR, DECRYPT, ENCRYPT } from './rounds.ts';
import { run, tables } from './run.ts';

/**
 * The AES block cipher (FIPS 197) by tables: 16, 24 or 32-byte key. Not safe against cache
 * timing.
 */
export class Aes implements BlockCipher {
  readonly blockBytes = 16;
  /** For the cipher and for its inverse. */
  declare readonly keys: Keys;

  /** @param key 16, 24 or 32 bytes, of which no reference is kept */
  constructor(key: Uint8Array) {
    // Leaner than checkBytes of errors.ts, because this core stands alone in a few kilobytes; the
    // modes check arguments from outside with that.
    if (!(key instanceof Uint8Array)) throw new TypeError('key must be a Uint8Array');
    if (![16, 24, 32].includes(key.length)) {
      throw new RangeError(`key must have 16, 24 or 32 bytes, got ${key.length}`);
    }
    const w = expandKey(tables, key);
    this.keys = [w, invertKey(tables, w)];
  }

  encryptBlocks(source: Uint8Array, target: Uint8Array): void {
    run(this, ENCRYPT, source, target);
  }

  decryptBlocks(source: Uint8Array, target: Uint8Array): void {
    run(this, DECRYPT, source, target);
  }

  ctrBlocks(counter: Uint8Array, source: Uint8Array, target: Uint8Array): void {
    run(this, CTR, source, target, counter);
  }

  cbcEncryptBlocks(chain: Uint8Array, source: Uint8Array, target?: Uint8Array): void {
    run(this, CBC, source, target, chain);
  }

  offsetBlocks(at: OffsetRun, source: Uint8Array, target: Uint8Array, inverse: boolean): void {
    run(this, inverse ? DECRYPT : ENCRYPT, source, target, at.offset, at);
  }

  wipe(): void {
    this.keys.forEach((words) => words.fill(0));
  }
}
