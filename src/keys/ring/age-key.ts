import { fromBase64url, toBase64url, utf8 } from '../../crypto/bytes.ts';
import type { PickedKeyValue } from './user-key.ts';

/*
 * Identities of age (src/keys/ring/age.ts) as keys of the vault. One key is what one file of identities
 * holds: each is a generation, in the file's order, its text in UTF-8 and its recipient's beside it.
 * No site can ask for such a key; it opens files in the manager.
 */

/** One identity, and what others seal to. */
export interface AgeIdentity {
  readonly identity: string;
  readonly recipient: string;
}

export function importedAgeKey(
  identities: readonly AgeIdentity[],
  created: number,
  label: string,
): PickedKeyValue {
  const generations = identities.map(({ identity, recipient }, place) => ({
    generation: place + 1,
    key: toBase64url(utf8(identity)),
    created,
    publicKey: toBase64url(utf8(recipient)),
  }));
  return { label, created, generations };
}

/** Those that open files, the newest first. */
export function identitiesOf({ generations, kept = [] }: PickedKeyValue): string[] {
  return [...generations.toReversed(), ...kept].map(({ key }) => textOf(key));
}

/** Of the newest identity. */
export function recipientOf({ generations }: PickedKeyValue): string {
  return textOf(generations.at(-1)!.publicKey!);
}

const textOf = (base64url: string): string => new TextDecoder().decode(fromBase64url(base64url));
