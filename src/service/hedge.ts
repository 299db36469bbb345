import { HedgedSalt } from '../format/hedged-salt.ts';
import type { Vault } from '../keys/vault.ts';
import type { RandomSource } from '../random/contract.ts';

export interface HedgeParts {
  readonly vault: Pick<Vault, 'hedgeKey'>;
  readonly random: RandomSource;
  /** The browser's own generator, beside ours. */
  readonly platform: RandomSource;
}

const BOOT_ID_BYTES = 16;

/**
 * Where salts for sealing come from: one hedge for this worker's life and this unlock. Should both
 * generators be broken, two messages get the same salt only if they are equal.
 */
export class Hedge {
  readonly #parts: HedgeParts;
  #salts: Promise<HedgedSalt> | undefined;

  constructor(parts: HedgeParts) {
    this.#parts = parts;
  }

  salts(): Promise<HedgedSalt> {
    this.#salts ??= this.#made();
    return this.#salts;
  }

  /** On lock: what comes next is mixed with the vault key of the next unlock. */
  forget(): void {
    this.#salts = undefined;
  }

  async #made(): Promise<HedgedSalt> {
    const { vault, random, platform } = this.#parts;
    const bootId = platform.bytes(BOOT_ID_BYTES);
    return new HedgedSalt({ random, platform, bootId, vaultKey: await vault.hedgeKey() });
  }
}
