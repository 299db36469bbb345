/**
 * AES (FIPS 197) with keys of 128, 192 and 256 bits.
 *
 * NOT safe against side channels: the addresses of its table look-ups depend on key and data, so code that
 * shares a cache with it may learn the key (Bernstein 2005; Osvik, Shamir, Tromer 2006). The registry prefers
 * the safe engines of src/engine; this is the portable reference.
 *
 * Only for little-endian hosts, which all common ones are. On others loading registers.ts throws.
 */
import type { BlockCipher, OffsetRun } from '../contracts.ts';
import { expandKey, invertKey, type Keys } from './key-schedule.ts';
import { CBC, CTR, DECRYPT, ENCRYPT } from './rounds.ts';
import { run, tables } from './run.ts';

/**
 * The AES block cipher (FIPS 197) with look-up tables: 16, 24 or 32-byte key. Not safe against cache timing.
 */
export class Aes implements BlockCipher {
  readonly blockBytes = 16;
  /** Round keys of the cipher, and of its inverse once it decrypted: most modes never do. */
  declare readonly keys: Keys;

  /** @param key 16, 24 or 32 bytes; copied */
  constructor(key: Uint8Array) {
    // Not checkBytes of errors.ts, to keep this file small: it is also used without the modes, which check
    // their callers' arguments with checkBytes.
    if (!(key instanceof Uint8Array)) throw new TypeError('key must be a Uint8Array');
    if (![16, 24, 32].includes(key.length)) {
      throw new RangeError(`key must have 16, 24 or 32 bytes, got ${key.length}`);
    }
    this.keys = [expandKey(tables, key)];
  }

  encryptBlocks(source: Uint8Array, target: Uint8Array): void {
    run(this, ENCRYPT, source, target);
  }

  decryptBlocks(source: Uint8Array, target: Uint8Array): void {
    this.invert();
    run(this, DECRYPT, source, target);
  }

  ctrBlocks(counter: Uint8Array, source: Uint8Array, target: Uint8Array): void {
    run(this, CTR, source, target, counter);
  }

  cbcEncryptBlocks(chain: Uint8Array, source: Uint8Array, target?: Uint8Array): void {
    run(this, CBC, source, target, chain);
  }

  offsetBlocks(at: OffsetRun, source: Uint8Array, target: Uint8Array, inverse: boolean): void {
    if (inverse) this.invert();
    run(this, inverse ? DECRYPT : ENCRYPT, source, target, at.offset, at);
  }

  wipe(): void {
    this.keys.forEach((words) => words?.fill(0));
  }

  private invert(): void {
    this.keys[1] ??= invertKey(tables, this.keys[0]);
  }
}
