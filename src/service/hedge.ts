import { wipe } from '../crypto/bytes.ts';
import { HedgedSalt } from '../format/hedged-salt.ts';
import type { Vault } from '../keys/vault.ts';
import type { RandomSource } from '../random/contract.ts';
import { DrawnAhead } from './drawn-ahead.ts';

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

  /** For one batch: a hedge of its own, over randomness that is drawn for many salts at once. */
  batchSalts(): Promise<HedgedSalt> {
    const { random, platform } = this.#parts;
    return this.#over(new DrawnAhead(random), new DrawnAhead(platform));
  }

  #made(): Promise<HedgedSalt> {
    return this.#over(this.#parts.random, this.#parts.platform);
  }

  async #over(random: RandomSource, platform: RandomSource): Promise<HedgedSalt> {
    const bootId = platform.bytes(BOOT_ID_BYTES);
    const vaultKey = await this.#parts.vault.hedgeKey();
    try {
      return new HedgedSalt({ random, platform, bootId, vaultKey });
    } finally {
      if (vaultKey) wipe(vaultKey);
    }
  }
}
