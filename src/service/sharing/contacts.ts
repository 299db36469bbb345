import { toBase64url } from '../../crypto/bytes.ts';
import { recipientTypeOf } from '../../format/wire/recipient-table.ts';
import { CONTACT, contactOf, contactRecord } from '../../keys/annotations/contact.ts';
import type { ContactValue } from '../../keys/annotations/contact.ts';
import { deleteIn } from '../../keys/annotations/deletions.ts';
import type { VaultDraft } from '../../keys/vault/draft.ts';
import type { VaultRecord } from '../../keys/values/record.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { RandomSource } from '../../random/contract.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { sharingKeyOf } from './sharing.ts';
import { verificationOf, type Verification } from './verification.ts';

const ID_BYTES = 16;

/** Limits the vault's size: X-Wing keys have more than a kilobyte. */
export const CONTACTS_MAX = 500;

/** Another person's public key, as the vault stores it. */
export interface Contact extends ContactValue {
  readonly id: string;
  readonly verification: Verification;
}

/** Dependencies of Contacts. */
export interface ContactsDeps {
  readonly vault: Vault;
  readonly random: RandomSource;
  readonly now: () => number;
}

/**
 * Other people's public keys, one record each. They are encrypted at rest, because a list of contacts is private. Sites
 * cannot read them.
 */
export class Contacts {
  readonly #deps: ContactsDeps;

  constructor(deps: ContactsDeps) {
    this.#deps = deps;
  }

  /** Sorted by name. */
  async all(): Promise<readonly Contact[]> {
    const contacts = (await this.#deps.vault.list(CONTACT)).map(withVerification);
    return contacts.sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
  }

  /** @throws SealwrightError INVALID_ARGUMENT if there is no such contact */
  async publicKeysOf(ids: readonly string[]): Promise<string[]> {
    const all = await this.all();
    return ids.map((id) => {
      const contact = all.find((one) => one.id === id);
      if (contact) return contact.publicKey;
      throw new SealwrightError('INVALID_ARGUMENT', 'contacts: no such contact');
    });
  }

  /**
   * @returns the id of the new contact
   * @throws SealwrightError INVALID_ARGUMENT if the text is not a public key for sharing, or the vault already has it
   */
  async addIn(draft: VaultDraft, name: string, publicKey: string): Promise<string> {
    sharingKeyOf(publicKey, 'publicKey');
    const all = (await draft.list(CONTACT)).map(contactOf);
    const same = all.find((contact) => contact.publicKey === publicKey);
    if (same) {
      throw new SealwrightError('INVALID_ARGUMENT', 'publicKey: a contact with this key exists');
    }
    if (all.length >= CONTACTS_MAX) {
      throw new SealwrightError('TOO_LARGE', `There is room for ${CONTACTS_MAX} contacts`);
    }
    const id = toBase64url(this.#deps.random.bytes(ID_BYTES));
    draft.put(contactRecord(id, { name, publicKey, created: this.#time(), verified: null }));
    return id;
  }

  /** @throws SealwrightError INVALID_ARGUMENT if there is no such contact */
  async changeIn(
    draft: VaultDraft,
    id: string,
    change: { readonly name?: string; readonly verified?: boolean },
  ): Promise<void> {
    const { name, verified } = change;
    const value: ContactValue = {
      ...contactOf(known(await draft.get(id))),
      ...(name !== undefined && { name }),
      ...(verified !== undefined && { verified: verified ? this.#time() : null }),
    };
    draft.put(contactRecord(id, value));
  }

  /** @throws SealwrightError INVALID_ARGUMENT if there is no such contact */
  async removeIn(draft: VaultDraft, id: string): Promise<void> {
    await deleteIn(draft, known(await draft.get(id)), this.#time());
  }

  #time(): number {
    return Math.trunc(this.#deps.now());
  }
}

function withVerification(record: VaultRecord): Contact {
  const value = contactOf(record);
  return { ...value, id: record.id, verification: verificationOfText(value.publicKey) };
}

/** @param publicKey as text, of a sharing key */
export function verificationOfText(publicKey: string): Verification {
  const { type, bytes } = sharingKeyOf(publicKey, 'publicKey');
  return verificationOf(recipientTypeOf(type), bytes);
}

function known(record: VaultRecord | undefined): VaultRecord {
  if (record?.type === CONTACT) return record;
  throw new SealwrightError('INVALID_ARGUMENT', 'id: no such contact');
}
