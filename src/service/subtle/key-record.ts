import type { StoredAlgorithm, StoredKey } from '../../subtle/stored-key.ts';
import type { Usage } from '../../subtle/key.ts';

/** A key that the user owns, under the name that the origin has for it; it has no bytes here. */
export interface NamedKey {
  readonly type: 'secret';
  readonly extractable: false;
  readonly algorithm: StoredAlgorithm;
  readonly usages: readonly Usage[];
  readonly keyId: string;
  readonly generation: number;
  /** Of the key that is derived. */
  readonly bits: number;
}

/** A shared key that `encapsulateKey` made, and its ciphertext as base64url. */
export interface EncapsulatedRecord extends StoredKey {
  readonly ciphertext: string;
}

/** What is kept of a key of `subtle`. JSON. */
export type KeyRecord = StoredKey | EncapsulatedRecord | NamedKey;

/** Whether a record is a key of the user, without bytes. */
export function isNamed(record: KeyRecord): record is NamedKey {
  return 'keyId' in record;
}
