import type { MessageSealer } from '../format/message-sealer.ts';
import type { Vault } from '../keys/vault.ts';

/** Far more than pages that seal by turns; beyond it all are made anew. */
const MAX_SEALERS = 64;

/**
 * Sealers of the keys that pages use, so that a message costs no derivation but its own. They are
 * wiped whenever the vault locks or changes: then their grants and keys are looked up again.
 */
export class KnownSealers {
  readonly #sealers = new Map<string, MessageSealer>();

  constructor(vault: Pick<Vault, 'onForget'>) {
    vault.onForget(() => this.#forget());
  }

  /** @param name tells all apart that seal differently */
  of(name: string, make: () => MessageSealer | undefined): MessageSealer | undefined {
    const known = this.#sealers.get(name);
    if (known) return known;
    const made = make();
    if (!made) return undefined;
    if (this.#sealers.size === MAX_SEALERS) this.#forget();
    this.#sealers.set(name, made);
    return made;
  }

  #forget(): void {
    for (const sealer of this.#sealers.values()) sealer.wipe();
    this.#sealers.clear();
  }
}
