/**
 * AES (FIPS 197) with keys of 128, 192 and 256 bits.
 *
 * NOT safe against side channels: it looks up tables at places that depend on key and data, so that
 * whoever shares a cache with it may learn the key (Bernstein 2005; Osvik, Shamir, Tromer 2006). The
 * engines of src/engine that are safe come first; this is the portable reference.
 *
 * Only for little-endian hosts, as is every common one; on others loading rounds.ts throws.
 */
import type { BlockCipher, OffsetRun } from '../contracts.ts';
import { checkBytes } from '../errors.ts';
import { expandKey, invertKey } from './key-schedule.ts';
import {
  CBC,
  CTR,
  DECRYPT,
  ENCRYPT,
  OFFSET_DECRYPT,
  OFFSET_ENCRYPT,
  process,
  tables,
} from './rounds.ts';

export class Aes implements BlockCipher {
  readonly blockBytes = 16;
  /** For the cipher and for its inverse. */
  readonly keys: readonly [Int32Array, Int32Array];

  /** @param key 16, 24 or 32 bytes, of which no reference is kept */
  constructor(key: Uint8Array) {
    checkBytes('key', key, [16, 24, 32]);
    const w = expandKey(tables(), key);
    this.keys = [w, invertKey(tables(), w)];
  }

  encryptBlocks(source: Uint8Array, target: Uint8Array): void {
    process(ENCRYPT, this, source, target);
  }

  decryptBlocks(source: Uint8Array, target: Uint8Array): void {
    process(DECRYPT, this, source, target);
  }

  ctrBlocks(counter: Uint8Array, source: Uint8Array, target: Uint8Array): void {
    process(CTR, this, source, target, counter);
  }

  cbcEncryptBlocks(chain: Uint8Array, source: Uint8Array, target?: Uint8Array): void {
    process(CBC, this, source, target, chain);
  }

  offsetEncryptBlocks(run: OffsetRun, source: Uint8Array, target: Uint8Array): void {
    process(OFFSET_ENCRYPT, this, source, target, run.offset, run);
  }

  offsetDecryptBlocks(run: OffsetRun, source: Uint8Array, target: Uint8Array): void {
    process(OFFSET_DECRYPT, this, source, target, run.offset, run);
  }

  wipe(): void {
    for (const words of this.keys) words.fill(0);
  }
}
