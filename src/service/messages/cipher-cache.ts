import { then } from '../../engine/awaitable.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { ThreadCrypto } from '../../format/format-crypto.ts';
import { MessageOpener, type MessageOpenerOptions } from '../../format/short/opener.ts';

/** Far more than the pages that are active at one time; when it is full, all are wiped. */
const MAX_CACHED = 64;

/**
 * What seals or opens under the keys that pages use, so that a message costs no derivation but its
 * own. All are wiped whenever the vault locks or changes: then grants and keys are looked up again.
 */
export class CipherCache<T extends { wipe(): void }> {
  readonly #vault: Pick<Vault, 'refresh'>;
  readonly #ciphers = new Map<string, T>();
  // Grows with every change of the vault: a cipher whose key was read before it is not cached.
  #epoch = 0;

  constructor(vault: Pick<Vault, 'onForget' | 'refresh'>) {
    this.#vault = vault;
    vault.onForget(() => {
      this.#epoch++;
      this.#wipeAll();
    });
  }

  /**
   * Does `work` with the cached cipher, or with the one that `make` makes, which is then cached.
   *
   * @param name tells apart all that give different bytes; undefined: not cached, wiped after its use
   * @throws VaultError LOCKED
   */
  use<R>(name: string | undefined, make: () => Awaitable<T>, work: (cipher: T) => R): Awaitable<R> {
    return then(this.#vault.refresh(), () => {
      const cached = name === undefined ? undefined : this.#ciphers.get(name);
      return cached ? work(cached) : this.#useNew(name, make, work);
    });
  }

  #useNew<R>(
    name: string | undefined,
    make: () => Awaitable<T>,
    work: (cipher: T) => R,
  ): Awaitable<R> {
    const epoch = this.#epoch;
    return then(make(), (made) => {
      const isCurrent = epoch === this.#epoch;
      if (name !== undefined && isCurrent && !this.#ciphers.has(name)) {
        this.#add(name, made);
        return work(made);
      }
      try {
        return work(made);
      } finally {
        made.wipe();
      }
    });
  }

  #add(name: string, cipher: T): void {
    if (this.#ciphers.size === MAX_CACHED) this.#wipeAll();
    this.#ciphers.set(name, cipher);
  }

  #wipeAll(): void {
    for (const cipher of this.#ciphers.values()) cipher.wipe();
    this.#ciphers.clear();
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
