import { isKeyPairName } from '../../format/recipients/table.ts';
import { parsePublicKey } from '../../format/wire/public-key.ts';
import type { Json } from '../json.ts';
import type { VaultRecord } from '../vault/record.ts';

/** Another person's public key, in a record whose id is 16 random bytes, as base64url. */
export interface ContactValue {
  readonly name: string;
  /** As text, "swp1.…", of a key to seal to. */
  readonly publicKey: string;
  /** ms since the epoch */
  readonly created: number;
  /** When the user said that the words were the same; null: not yet. */
  readonly verified: number | null;
}

export const CONTACT = 'contact';

export const contactOf = (record: VaultRecord): ContactValue =>
  record.value as unknown as ContactValue;

export function contactRecord(id: string, value: ContactValue): VaultRecord {
  return { id, type: CONTACT, value: value as unknown as Json };
}

/** Whether a contact can have it: of its bytes only the number is looked at. */
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
