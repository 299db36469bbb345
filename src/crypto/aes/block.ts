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
import { CBC_DECRYPT, CBC_ENCRYPT, CTR, OFFSET, PLAIN, rounds } from './rounds.ts';

if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1) {
  throw new Error('AES needs a little-endian host');
}

export class Aes implements BlockCipher {
  readonly blockBytes = 16;
  private readonly w: Int32Array;
  private readonly dw: Int32Array;

  /** @param key 16, 24 or 32 bytes, of which no reference is kept */
  constructor(key: Uint8Array) {
    checkBytes('key', key, [16, 24, 32]);
    const { tables } = rounds();
    this.w = expandKey(tables, key);
    this.dw = invertKey(tables, this.w);
  }

  encryptBlocks(source: Uint8Array, target: Uint8Array): void {
    this.process(PLAIN, false, source, target);
  }

  decryptBlocks(source: Uint8Array, target: Uint8Array): void {
    this.process(PLAIN, true, source, target);
  }

  ctrBlocks(counter: Uint8Array, source: Uint8Array, target: Uint8Array): void {
    this.process(CTR, false, source, target, counter);
  }

  cbcEncryptBlocks(chain: Uint8Array, source: Uint8Array, target?: Uint8Array): void {
    this.process(CBC_ENCRYPT, false, source, target, chain);
  }

  cbcDecryptBlocks(chain: Uint8Array, source: Uint8Array, target: Uint8Array): void {
    this.process(CBC_DECRYPT, true, source, target, chain);
  }

  offsetEncryptBlocks(run: OffsetRun, source: Uint8Array, target: Uint8Array): void {
    this.process(OFFSET, false, source, target, run.offset, run);
  }

  offsetDecryptBlocks(run: OffsetRun, source: Uint8Array, target: Uint8Array): void {
    this.process(OFFSET, true, source, target, run.offset, run);
  }

  wipe(): void {
    this.w.fill(0);
    this.dw.fill(0);
  }

  private process(
    step: number,
    inverse: boolean,
    source: Uint8Array,
    target?: Uint8Array,
    chain?: Uint8Array,
    offsets?: OffsetRun,
  ): void {
    const keys = inverse ? this.dw : this.w;
    rounds().process(step, keys, inverse, source, target, chain, offsets);
    if (offsets) offsets.index += source.length / 16;
  }
}
