import { concat, toBase64url, utf8 } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import type { Replicas } from './replicas.ts';
import type { SessionStore } from './session-store.ts';
import { isVaultValue } from '../vault/value-names.ts';

const NOTE = 'vault/proven-damage';

/**
 * That a vault is past opening shows only to whoever has its secret: the slot opens, and neither store
 * has what the newest generation needs. That is remembered together with what lay in the stores at
 * that moment, and holds for as long as nothing of it changes: a store that did not answer then, and
 * does now, has the vault tried again.
 */
export class ProvenDamage {
  readonly #replicas: Replicas;
  readonly #session: SessionStore;

  constructor(replicas: Replicas, session: SessionStore) {
    this.#replicas = replicas;
    this.#session = session;
  }

  async note(): Promise<void> {
    await this.#session.set(NOTE, await this.#evidence());
  }

  async holds(): Promise<boolean> {
    const noted = await this.#session.get(NOTE);
    return noted !== undefined && noted === (await this.#evidence());
  }

  /** A hash of all that both stores hold of the vault, and of what they do not give. */
  async #evidence(): Promise<string> {
    const { names } = await this.#replicas.inventory(isVaultValue);
    let evidence: Uint8Array = new Uint8Array(0);
    for (const name of [...names].sort()) {
      for (const reading of await this.#replicas.copies(name)) {
        const bytes = reading.state === 'present' ? reading.bytes : new Uint8Array(0);
        evidence = sha256(concat(evidence, utf8(`${name} ${reading.state}\0`), sha256(bytes)));
      }
    }
    return toBase64url(evidence);
  }
}
