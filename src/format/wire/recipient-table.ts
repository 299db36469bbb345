/*
 * The one table of recipient types (docs/format.md section 3.2), as data. To add a type with a key pair: a
 * row here, and its KEM in kems.ts. The text of public keys, lengths, and the kinds of keys that the vault
 * and its backups store derive from the row.
 *
 * It imports nothing, because the script that runs in pages bundles it.
 */

/** A recipient type whose recipients have a public key and open with the private one. */
export interface KeyPairType {
  /** The type byte of recipient entries, and of the public key's text: 1 … 127, never reused. */
  readonly type: number;
  /** The algorithm's name, as keys of the vault store it. */
  readonly name: string;
  /** Length of a public key in bytes. */
  readonly publicKeyBytes: number;
  /** Length in bytes of the encapsulation, which precedes the sealed data key. */
  readonly encapsulatedBytes: number;
}

/** All recipient types with a key pair. HPKE seals the data key (hpke.ts). */
export const KEY_PAIR_TYPES = [
  /** RFC 7748 section 6.1. */
  { type: 1, name: 'X25519', publicKeyBytes: 32, encapsulatedBytes: 32 },
  /** draft-connolly-cfrg-xwing-kem: ML-KEM-768 ‖ X25519. */
  { type: 2, name: 'X-Wing', publicKeyBytes: 1_216, encapsulatedBytes: 1_120 },
] as const satisfies readonly KeyPairType[];

/** The name of a recipient type with a key pair: the algorithm of a sharing key. */
export type KeyPairName = (typeof KEY_PAIR_TYPES)[number]['name'];

/** All names. */
export const KEY_PAIR_NAMES: readonly KeyPairName[] = KEY_PAIR_TYPES.map(({ name }) => name);

/** The algorithm of new sharing keys. */
export const NEW_KEY_PAIR: KeyPairName = 'X-Wing';

/**
 * The type byte of the sealer's own named key as a recipient (secret-wrapping.ts): it has no public key.
 */
export const NAMED_KEY_RECIPIENT = 3;

/** The type byte of what is the only recipient of its message (docs/format.md section 3.2). */
export const SOLE_RECIPIENT = 4;

/** The type byte of a group (recipients/group-key.ts), and of its id as text. */
export const GROUP_RECIPIENT = 5;

/** The type byte of the entry of attributes (attributes.ts): it is no recipient, and readers without it skip it. */
export const ATTRIBUTES_ENTRY = 6;

/** Whether this names a recipient type with a key pair. */
export function isKeyPairName(name: unknown): name is KeyPairName {
  return KEY_PAIR_TYPES.some((row) => row.name === name);
}

/**
 * The type byte of a recipient type with a key pair.
 *
 * @throws RangeError for a name that is not in the table
 */
export function recipientTypeOf(name: unknown): number {
  const row = KEY_PAIR_TYPES.find((each) => each.name === name);
  if (!row) throw new RangeError('algorithm: not a recipient type of this version');
  return row.type;
}

/**
 * The name of a recipient type with a key pair.
 *
 * @throws RangeError for a type byte that is not in the table
 */
export function keyPairNameOf(type: number): KeyPairName {
  const row = KEY_PAIR_TYPES.find((each) => each.type === type);
  if (!row) throw new RangeError('type: not a recipient type of this version');
  return row.name;
}
