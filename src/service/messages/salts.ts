import { wipe } from '../../crypto/bytes.ts';
import type { Awaitable } from '../../engine/contract.ts';
import { HedgedSalt } from '../../format/keys/hedged-salt.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import { BufferedRandom } from '../../random/buffered-random.ts';

/** What salts are made from. */
export interface HedgeDeps {
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
  readonly #deps: HedgeDeps;
  /** Once they are made; before that, the promise of them. */
  #salts: Awaitable<HedgedSalt> | undefined;
  // Grows with every lock: what was begun before it is not remembered.
  #epoch = 0;

  constructor(deps: HedgeDeps) {
    this.#deps = deps;
  }

  salts(): Awaitable<HedgedSalt> {
    this.#salts ??= this.#create();
    return this.#salts;
  }

  /** On lock: what comes next is mixed with the vault key of the next unlock. */
  forget(): void {
    this.#salts = undefined;
    this.#epoch++;
  }

  async #create(): Promise<HedgedSalt> {
    const epoch = this.#epoch;
    const { random, platform, vault } = this.#deps;
    const bootId = platform.bytes(BOOT_ID_BYTES);
    const vaultKey = await vault.hedgeKey();
    try {
      const buffered = new BufferedRandom(random, platform);
      const salts = new HedgedSalt({ random: buffered, platform, bootId, vaultKey });
      if (epoch === this.#epoch) this.#salts = salts;
      return salts;
    } finally {
      if (vaultKey) wipe(vaultKey);
    }
  }
}
