import type { ThreadCrypto } from '../../format/format-crypto.ts';
import { MessageOpener } from '../../format/short/opener.ts';
import type { MessageOpenerOptions } from '../../format/short/opener.ts';

/** Of one batch: one opener for each key and purpose, so that what its messages share is computed once. */
export class Openers {
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
