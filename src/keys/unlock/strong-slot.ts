import { concat, u16be, utf8, wipe } from '../../crypto/bytes.ts';
import { SHA512 } from '../../crypto/hash/sha512.ts';
import { hkdf } from '../../crypto/kdf/hkdf.ts';
import type { RandomSource } from '../../random/contract.ts';
import { openSlot, sealSlot, SLOT_TYPES } from './slots.ts';
import type { Slot } from './slots.ts';

/*
 * Slots whose secret is strong by itself, so that HKDF (RFC 5869, SHA-512) is enough: a recovery code
 * (16 random bytes), and the output of an authenticator's PRF (32 bytes).
 *
 *     slot key = HKDF(salt = slot id, IKM = secret, info = label ‖ vault id, 32 bytes)
 */

/** The parameters of a WebAuthn slot, in clear, with which the authenticator is asked again. */
export interface PrfCredential {
  /** 1 … 1,023 bytes (WebAuthn Level 3, section 5.1: "credential ID"). */
  readonly credentialId: Uint8Array;
  /** 32 random bytes: the PRF's input. */
  readonly prfSalt: Uint8Array;
}

const LABELS = {
  [SLOT_TYPES.recoveryCode]: 'SWM1 recovery code',
  [SLOT_TYPES.webauthnPrf]: 'SWM1 prf',
} as const;

const CREDENTIAL_ID_MAX_BYTES = 1023;
const PRF_BYTES = 32;

interface Place {
  readonly vaultId: Uint8Array;
  readonly created: number;
}

/**
 * Makes a slot for a recovery code.
 *
 * @param secret 16 bytes (recovery-code.ts), which the caller wipes
 */
export function sealRecoverySlot(
  place: Place,
  secret: Uint8Array,
  vaultKey: Uint8Array,
  random: RandomSource,
): Promise<Slot> {
  const parameters = new Uint8Array(0);
  return seal({ ...place, type: SLOT_TYPES.recoveryCode, parameters }, secret, vaultKey, random);
}

/**
 * Makes a slot for an authenticator.
 *
 * @param output of the authenticator's PRF, 32 bytes or more, which the caller wipes
 * @throws RangeError for an output that is short or all zero (Bitwarden's prf.rs refuses the same),
 *   and for a credential id or salt of a wrong length
 */
export function sealPrfSlot(
  place: Place,
  { credentialId, prfSalt }: PrfCredential,
  output: Uint8Array,
  vaultKey: Uint8Array,
  random: RandomSource,
): Promise<Slot> {
  if (!isSoundOutput(output)) throw new RangeError('output: must be at least 32 bytes, not zero');
  const isId = credentialId.length >= 1 && credentialId.length <= CREDENTIAL_ID_MAX_BYTES;
  if (!isId) throw new RangeError(`credentialId: must be 1 to ${CREDENTIAL_ID_MAX_BYTES} bytes`);
  if (prfSalt.length !== PRF_BYTES) throw new RangeError('prfSalt: must be 32 bytes');
  const parameters = concat(u16be(credentialId.length), credentialId, prfSalt);
  const header = { ...place, type: SLOT_TYPES.webauthnPrf, parameters };
  return seal(header, output.subarray(0, PRF_BYTES), vaultKey, random);
}

/** The vault key, which the caller wipes; undefined where the slot is of another type or secret. */
export async function openRecoverySlot(slot: Slot, secret: Uint8Array) {
  return slot.type === SLOT_TYPES.recoveryCode ? open(slot, secret) : undefined;
}

/** The vault key, which the caller wipes; undefined where the slot is of another type or output. */
export async function openPrfSlot(slot: Slot, output: Uint8Array) {
  if (slot.type !== SLOT_TYPES.webauthnPrf || !isSoundOutput(output)) return undefined;
  return open(slot, output.subarray(0, PRF_BYTES));
}

/** Undefined for a slot of another type, or with other parameters. */
export function prfCredentialOf({ type, parameters }: Slot): PrfCredential | undefined {
  if (type !== SLOT_TYPES.webauthnPrf || parameters.length < 2) return undefined;
  const idBytes = (parameters[0]! << 8) | parameters[1]!;
  if (parameters.length !== 2 + idBytes + PRF_BYTES) return undefined;
  const [credentialId, prfSalt] = [parameters.slice(2, 2 + idBytes), parameters.slice(2 + idBytes)];
  return { credentialId, prfSalt };
}

function isSoundOutput(output: Uint8Array): boolean {
  return output.length >= PRF_BYTES && output.subarray(0, PRF_BYTES).some((byte) => byte !== 0);
}

type StrongHeader = Omit<Slot, 'sealed' | 'slotId'> & { readonly type: keyof typeof LABELS };

async function seal(
  fields: StrongHeader,
  secret: Uint8Array,
  vaultKey: Uint8Array,
  random: RandomSource,
): Promise<Slot> {
  const header = { ...fields, slotId: random.bytes(16) };
  const slotKey = keyOf(header, secret);
  try {
    return await sealSlot(header, slotKey, vaultKey, random);
  } finally {
    wipe(slotKey);
  }
}

/** The vault key, which the caller wipes; undefined where the secret is not the slot's. */
async function open(slot: Slot, secret: Uint8Array): Promise<Uint8Array | undefined> {
  const slotKey = keyOf(slot as Slot & StrongHeader, secret);
  try {
    return await openSlot(slot, slotKey);
  } finally {
    wipe(slotKey);
  }
}

function keyOf(slot: StrongHeader & Pick<Slot, 'slotId'>, secret: Uint8Array): Uint8Array {
  const info = concat(utf8(LABELS[slot.type]), slot.vaultId);
  return hkdf(SHA512, secret, slot.slotId, info, 32);
}
