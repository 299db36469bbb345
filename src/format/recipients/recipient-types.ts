/*
 * Creates the recipient types from the rows of wire/recipient-table.ts and the given KEMs. Type 255 is for tests alone and
 * is never in this map.
 */
import { dhkemX25519 } from '../../engine/kem/dhkem-x25519.ts';
import type { Kem } from '../../engine/kem/kem.ts';
import { NATIVE_X25519 } from '../../engine/kem/native-x25519.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../native-crypto.ts';
import { hpkeRecipient } from './hpke.ts';
import type { RecipientType, RecipientTypes } from './recipient-type.ts';
import { namedKeyRecipient } from './secret-wrapping.ts';
import { KEY_PAIR_TYPES, NAMED_KEY_RECIPIENT } from '../wire/recipient-table.ts';
import type { KeyPairType } from '../wire/recipient-table.ts';

/** Dependencies of recipient types. */
export interface RecipientTypesDeps {
  /** By name. A row without a KEM is left out; sealing to it fails with UNSUPPORTED. */
  readonly kems: Readonly<Partial<Record<string, Kem>>>;
  readonly crypto: FormatCrypto;
  /** The source for encapsulations and salts. */
  readonly random: RandomSource;
  /** Default: all rows of the table. */
  readonly rows?: readonly KeyPairType[] | undefined;
}

/**
 * The recipient types of these KEMs, and the sealer's own named key.
 *
 * @throws RangeError if a KEM's lengths differ from those of its row
 */
export function recipientTypes({
  kems,
  crypto,
  random,
  rows = KEY_PAIR_TYPES,
}: RecipientTypesDeps): RecipientTypes {
  const types = new Map<number, RecipientType>();
  for (const row of rows) {
    const kem = kems[row.name];
    if (!kem) continue;
    checkLengths(row, kem);
    types.set(row.type, hpkeRecipient(kem, crypto, random));
  }
  types.set(NAMED_KEY_RECIPIENT, namedKeyRecipient(crypto, random));
  return types;
}

/** The types that need only the platform. X-Wing needs a bundle with a library for its KEM. */
export const RECIPIENT_TYPES: RecipientTypes = recipientTypes({
  kems: { X25519: dhkemX25519(() => Promise.resolve(NATIVE_X25519)) },
  crypto: NATIVE_CRYPTO,
  random: NATIVE_RANDOM,
});

function checkLengths(row: KeyPairType, kem: Kem): void {
  const isSame =
    row.publicKeyBytes === kem.publicKeyBytes && row.encapsulatedBytes === kem.encapsulatedBytes;
  if (!isSame) throw new RangeError(`kems: the lengths of ${row.name} are not those of the table`);
}
