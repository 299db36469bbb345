/*
 * Identities of age (age.ts) as user keys. One key holds the identities of one file: each is a
 * generation, in the file's order, with its text in UTF-8 and its recipient's text as public key. Sites
 * cannot request such a key; it opens files in the manager.
 */
import { fromBase64url, toBase64url, utf8 } from '../../crypto/bytes.ts';
import type { UserKeyValue } from './user-key.ts';

/** An identity, which opens files, and its recipient, to which others seal. */
export interface AgeIdentity {
  readonly identity: string;
  readonly recipient: string;
}

/** Identities as one user key. @param created ms since the epoch */
export function importedAgeKey(
  identities: readonly AgeIdentity[],
  created: number,
  label: string,
): UserKeyValue {
  const generations = identities.map(({ identity, recipient }, place) => ({
    generation: place + 1,
    key: toBase64url(utf8(identity)),
    created,
    publicKey: toBase64url(utf8(recipient)),
  }));
  return { label, created, generations };
}

/** The identities, newest first. */
export function identitiesOf({ generations, kept = [] }: UserKeyValue): string[] {
  return [...generations.toReversed(), ...kept].map(({ key }) => textOf(key));
}

/** The recipient of the newest identity. */
export function recipientOf({ generations }: UserKeyValue): string {
  return textOf(generations.at(-1)!.publicKey!);
}

const textOf = (base64url: string): string => new TextDecoder().decode(fromBase64url(base64url));
