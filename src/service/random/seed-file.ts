import { fromBase64url, toBase64url, wipe } from '../../crypto/bytes.ts';
import { VaultError } from '../../keys/values/errors.ts';
import type { Vault, VaultDraft, VaultRecord } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { PiggybackedWrite, Taken } from '../audit/piggybacked-write.ts';

/** Length of a seed file ("Cryptography Engineering", section 9.6.1). */
export const SEED_BYTES = 64;

/** How old a seed becomes while the vault is open (section 9.6.5 proposes ten minutes). */
export const SEED_REWRITE_MS = 10 * 60_000;

/** The vault record with the seed. No backup has it: two vaults would begin with one seed. */
const SEED_ID = 'fortuna-seed';
const SEED_TYPE = 'seed';

interface Deps {
  readonly vault: Vault;
  readonly random: RandomSource & {
    /** Mixes in bytes without credit. */
    stir(seed: Uint8Array): void;
  };
  readonly now: () => number;
}

/**
 * Fortuna's seed file ("Cryptography Engineering", section 9.6), sealed in the vault. It is an additional
 * input and never credited: storage can be copied, restored or lose a write, and two runs would then start
 * from one seed. So no call waits for it, and a locked start has the platform's generator alone.
 *
 * A seed is only ever replaced after it was mixed in, in the same commit: what earlier runs collected
 * is not lost.
 */
export class SeedFile implements PiggybackedWrite {
  readonly #deps: Deps;
  #writtenAt = Number.NEGATIVE_INFINITY;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Section 9.6.2, after an unlock: mixes in the stored seed. The next commit of the log, which has an entry
   * of the unlock, replaces it. Damage and locks end nothing: the platform's bytes are enough.
   */
  async restore(): Promise<void> {
    this.#writtenAt = Number.NEGATIVE_INFINITY;
    const record = await unlessRefused(this.#deps.vault.read(SEED_ID));
    this.#stir(record);
  }

  /** Section 9.6.5: replaces a seed of ten minutes, in a commit of its own. */
  async rewriteIfDue(): Promise<void> {
    if (!this.#isDue) return;
    const taken = this.take();
    const work = this.#deps.vault.commit((draft) => taken.write(draft)).then(() => true);
    taken.settle((await unlessRefused(work)) ?? false);
  }

  get #isDue(): boolean {
    return Math.abs(this.#deps.now() - this.#writtenAt) >= SEED_REWRITE_MS;
  }

  take(): Taken {
    const now = this.#deps.now();
    const isDue = this.#isDue;
    if (isDue) this.#writtenAt = now;
    return {
      write: async (draft) => {
        if (isDue) await this.#replace(draft);
      },
      settle: (saved) => {
        if (isDue && !saved) this.#writtenAt = Number.NEGATIVE_INFINITY;
      },
    };
  }

  async #replace(draft: VaultDraft): Promise<void> {
    this.#stir(await unlessRefused(draft.get(SEED_ID)));
    const seed = this.#deps.random.bytes(SEED_BYTES);
    draft.put({ id: SEED_ID, type: SEED_TYPE, value: toBase64url(seed) });
    wipe(seed);
  }

  #stir(record: VaultRecord | undefined): void {
    if (typeof record?.value !== 'string') return;
    const seed = fromBase64url(record.value);
    this.#deps.random.stir(seed);
    wipe(seed);
  }
}

/** Undefined where the vault is locked, damaged or cannot be written. */
async function unlessRefused<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}
