import type { Vault } from '../../keys/vault/vault.ts';
import type { ThreadCrypto } from '../../format/format-crypto.ts';
import { MessageOpener, type MessageOpenerOptions } from '../../format/short/opener.ts';

/** Far more than pages that work by turns; beyond it all are made anew. */
const MAX_KEPT = 64;

/**
 * What seals or opens under the keys that pages use, so that a message costs no derivation but its
 * own. All are wiped whenever the vault locks or changes: then grants and keys are looked up again.
 */
export class CipherCache<T extends { wipe(): void }> {
  readonly #kept = new Map<string, T>();

  constructor(vault: Pick<Vault, 'onForget'>) {
    vault.onForget(() => this.#forget());
  }

  /** @param name tells apart all that give different bytes */
  of(name: string, make: () => T | undefined): T | undefined {
    const known = this.#kept.get(name);
    if (known) return known;
    const made = make();
    if (!made) return undefined;
    if (this.#kept.size === MAX_KEPT) this.#forget();
    this.#kept.set(name, made);
    return made;
  }

  #forget(): void {
    for (const cipher of this.#kept.values()) cipher.wipe();
    this.#kept.clear();
  }
}

/** Of one batch: one opener for each key and purpose, so that what its messages share is computed once. */
export class OpenerCache {
  readonly #openers = new Map<string, MessageOpener>();

  /** @param keyId the header key id, as text */
  of(keyId: string, options: MessageOpenerOptions, crypto: ThreadCrypto): MessageOpener {
    const name = `${keyId} ${options.purpose}`;
    const opener = this.#openers.get(name) ?? new MessageOpener(options, crypto);
    this.#openers.set(name, opener);
    return opener;
  }

  wipe(): void {
    for (const opener of this.#openers.values()) opener.wipe();
    this.#openers.clear();
  }
}
