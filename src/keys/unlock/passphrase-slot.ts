import { wipe } from '../../crypto/bytes.ts';
import type { RandomSource } from '../../random/contract.ts';
import { PASSWORD_SALT_BYTES, type PassphraseKdf } from '../../format/passphrase.ts';
import {
  ARGON2ID,
  encodeParameters,
  isAccepted,
  kdfOf,
  parseParameters,
  PBKDF2,
  passphraseKey,
  type PassphraseCost,
} from './passphrase-kdf.ts';
import { openSlot, sealSlot } from './slots.ts';
import type { Slot } from './slots.ts';

/** What a new passphrase slot is made of. */
export interface NewSlot {
  readonly vaultId: Uint8Array;
  readonly created: number;
  readonly cost: PassphraseCost;
}

/**
 * Makes a slot with a fresh id and salt. The cost decides its type: Argon2id, or PBKDF2.
 *
 * @param passphrase prepared bytes (passphrase.ts), which the caller wipes
 * @throws RangeError for a cost outside the accepted limits
 */
export async function sealPassphraseSlot(
  { vaultId, created, cost }: NewSlot,
  passphrase: Uint8Array,
  vaultKey: Uint8Array,
  { derive, random }: { readonly derive: PassphraseKdf; readonly random: RandomSource },
): Promise<Slot> {
  if (!isAccepted(cost)) throw new RangeError('cost: outside the accepted parameters');
  const salt = random.bytes(PASSWORD_SALT_BYTES);
  const slotId = random.bytes(16);
  const parameters = encodeParameters({ cost, salt });
  const slotKey = await passphraseKey(passphrase, { cost, salt }, derive);
  try {
    const header = { type: kdfOf(cost), vaultId, slotId, created, parameters };
    return await sealSlot(header, slotKey, vaultKey, random);
  } finally {
    wipe(slotKey);
  }
}

/** Whether the slot is for a passphrase, whatever its parameters. */
export const isForPassphrase = ({ type }: Slot): boolean => type === ARGON2ID || type === PBKDF2;

/** Whether a passphrase may be tried on the slot: its parameters are accepted. Does no derivation. */
export function isPassphraseSlot(slot: Slot): boolean {
  return parseParameters(slot.type, slot.parameters) !== undefined;
}

/**
 * The vault key, which the caller wipes; undefined where the passphrase does not open the slot.
 * Parameters outside the accepted limits are refused before any work.
 */
export async function openPassphraseSlot(
  slot: Slot,
  passphrase: Uint8Array,
  derive: PassphraseKdf,
): Promise<Uint8Array | undefined> {
  const parameters = parseParameters(slot.type, slot.parameters);
  if (parameters === undefined) return undefined;
  const slotKey = await passphraseKey(passphrase, parameters, derive);
  try {
    return await openSlot(slot, slotKey);
  } finally {
    wipe(slotKey);
  }
}
