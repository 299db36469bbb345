import type { Keys } from './key-schedule.ts';
import { expandKey } from './key-schedule.ts';
import { ENCRYPT } from './rounds.ts';
import { run, tables } from './run.ts';

/**
 * Only the forward cipher function (SP 800-38A, section 5.1), for callers that change the key every few
 * blocks: the round keys of the inverse function would cost more than those blocks. Not safe against side
 * channels, like block.ts.
 */
export class ForwardAes {
  readonly #keys: Keys;

  /** @param key 16, 24 or 32 bytes, checked by the caller; copied */
  constructor(key: Uint8Array) {
    this.#keys = [expandKey(tables, key), new Int32Array(0)];
  }

  /** @param source whole blocks @param target as long; may be the same array */
  encryptBlocks(source: Uint8Array, target: Uint8Array): void {
    run({ keys: this.#keys }, ENCRYPT, source, target);
  }

  wipe(): void {
    this.#keys[0].fill(0);
  }
}
