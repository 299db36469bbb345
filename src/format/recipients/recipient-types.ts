/*
 * The registry of recipient types (docs/format.md section 3.2). A type says how the data key of a
 * message is sealed to one recipient. Type 255 is for tests alone and never goes into this map.
 */
import { dhkemX25519 } from '../../engine/kem/dhkem-x25519.ts';
import type { Kem } from '../../engine/kem/kem.ts';
import { NATIVE_X25519 } from '../../engine/kem/native-x25519.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import { hpkeRecipient } from './hpke.ts';
import { namedKeyRecipient } from './named-key.ts';
import type { RecipientTypes } from './recipient-type.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../native-crypto.ts';

/** The type bytes on the wire. */
export const X25519_RECIPIENT = 1;
export const X_WING_RECIPIENT = 2;
export const NAMED_KEY_RECIPIENT = 3;

export interface RecipientParts {
  readonly kems: { readonly x25519: Kem; readonly xWing?: Kem };
  readonly crypto: FormatCrypto;
  readonly random: RandomSource;
}

export function recipientTypes({ kems, crypto, random }: RecipientParts): RecipientTypes {
  const { x25519, xWing } = kems;
  const types = new Map([
    [X25519_RECIPIENT, hpkeRecipient(x25519, crypto, random)],
    [NAMED_KEY_RECIPIENT, namedKeyRecipient(crypto, random)],
  ]);
  if (xWing) types.set(X_WING_RECIPIENT, hpkeRecipient(xWing, crypto, random));
  return types;
}

/** What needs the platform alone. X-Wing comes with whoever bundles a library for it. */
export const RECIPIENT_TYPES: RecipientTypes = recipientTypes({
  kems: { x25519: dhkemX25519(() => Promise.resolve(NATIVE_X25519)) },
  crypto: NATIVE_CRYPTO,
  random: NATIVE_RANDOM,
});
