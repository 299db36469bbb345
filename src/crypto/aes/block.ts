/**
 * AES (FIPS 197) with keys of 128, 192 and 256 bits.
 *
 * NOT safe against side channels: it looks up tables at places that depend on key and data, so that
 * whoever shares a cache with it may learn the key (Bernstein 2005; Osvik, Shamir, Tromer 2006). The
 * engines of src/engine that are safe come first; this is the portable reference.
 *
 * Only for little-endian hosts, which is every host that runs a current browser or Node on a common
 * processor; on others loading this module throws.
 */
import type { BlockCipher, OffsetRun } from '../contracts.ts';
import { checkBytes } from '../errors.ts';
import { expandKey, invertKey } from './key-schedule.ts';
import { CBC_DECRYPT, CBC_ENCRYPT, CTR, OFFSET, PLAIN, process, tables } from './rounds.ts';

if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1) {
  throw new Error('AES needs a little-endian host');
}

export class Aes implements BlockCipher {
  readonly blockBytes = 16;
  /** For the cipher and for its inverse. */
  private readonly keys: readonly [Int32Array, Int32Array];

  /** @param key 16, 24 or 32 bytes, of which no reference is kept */
  constructor(key: Uint8Array) {
    checkBytes('key', key, [16, 24, 32]);
    const w = expandKey(tables(), key);
    this.keys = [w, invertKey(tables(), w)];
  }

  encryptBlocks(source: Uint8Array, target: Uint8Array): void {
    process(PLAIN, 0, this.keys[0], source, target);
  }

  decryptBlocks(source: Uint8Array, target: Uint8Array): void {
    process(PLAIN, 1, this.keys[1], source, target);
  }

  ctrBlocks(counter: Uint8Array, source: Uint8Array, target: Uint8Array): void {
    process(CTR, 0, this.keys[0], source, target, counter);
  }

  cbcEncryptBlocks(chain: Uint8Array, source: Uint8Array, target?: Uint8Array): void {
    process(CBC_ENCRYPT, 0, this.keys[0], source, target, chain);
  }

  cbcDecryptBlocks(chain: Uint8Array, source: Uint8Array, target: Uint8Array): void {
    process(CBC_DECRYPT, 1, this.keys[1], source, target, chain);
  }

  offsetEncryptBlocks(run: OffsetRun, source: Uint8Array, target: Uint8Array): void {
    process(OFFSET, 0, this.keys[0], source, target, run.offset, run);
  }

  offsetDecryptBlocks(run: OffsetRun, source: Uint8Array, target: Uint8Array): void {
    process(OFFSET, 1, this.keys[1], source, target, run.offset, run);
  }

  wipe(): void {
    for (const words of this.keys) words.fill(0);
  }
}
