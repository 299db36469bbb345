/*
 * Identities of age (age.ts) as user keys. One key holds the identities of one file: each is a
 * generation, in the file's order, with its text in UTF-8 and its recipient's text as public key. Sites
 * cannot request such a key; it opens files in the manager.
 */
import { fromBase64url, utf8 } from '../../crypto/bytes.ts';
import type { GenerationKey, ImportedKey, UserKeyValue } from './user-key.ts';

/** An identity, which opens files, and its recipient, to which others seal. */
export interface AgeIdentity {
  readonly identity: string;
  readonly recipient: string;
}

/** Identities as one key to import. */
export function importedAgeKey(identities: readonly AgeIdentity[]): ImportedKey {
  const keys = identities.map(({ identity, recipient }) => {
    return { key: utf8(identity), publicKey: utf8(recipient) };
  });
  return { kind: 'age', keys };
}

/** The identities, newest first. */
export function identitiesOf({ generations, kept = [] }: UserKeyValue): string[] {
  return [...generations.toReversed(), ...kept].map(({ key }) => textOf(key));
}

/** The recipient of an identity. */
export function recipientOf({ publicKey }: Pick<GenerationKey, 'publicKey'>): string {
  return new TextDecoder().decode(publicKey);
}

const textOf = (base64url: string): string => new TextDecoder().decode(fromBase64url(base64url));
