import { isKeyPairName } from '../../format/wire/recipient-table.ts';
import { parsePublicKey } from '../../format/wire/public-key.ts';
import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';

/** Another person's public key, in a record whose id is 16 random bytes, as base64url. */
export interface ContactValue {
  readonly name: string;
  /** As text, "swp1.…", of a key to seal to. */
  readonly publicKey: string;
  /** ms since the epoch */
  readonly created: number;
  /** When the user confirmed the verification words, ms since the epoch; null: not yet. */
  readonly verified: number | null;
}

/** The type of their records. */
export const CONTACT = 'contact';

/** The contact in a record of this type. */
export const contactOf = (record: VaultRecord): ContactValue =>
  record.value as unknown as ContactValue;

/** @param id 16 bytes, base64url */
export function contactRecord(id: string, value: ContactValue): VaultRecord {
  return { id, type: CONTACT, value: value as unknown as Json };
}

/**
 * Whether this is the text of a public key to seal to. Of the key's bytes only the number is
 * checked.
 */
export function isContactKey(text: unknown): text is string {
  if (typeof text !== 'string') return false;
  try {
    const { type } = parsePublicKey(text);
    return isKeyPairName(type);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
