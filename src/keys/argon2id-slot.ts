import { concat, u32be, wipe } from '../crypto/bytes.ts';
import type { RandomSource } from '../random/contract.ts';
import type { PassphraseKdf } from './passphrase.ts';
import { openSlot, sealSlot, SLOT_TYPES } from './slot.ts';
import type { Slot } from './slot.ts';

/** What one guess of a passphrase costs: Argon2id's m in KiB, t and p (RFC 9106 section 3.1). */
export interface Argon2idCost {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** RFC 9106 section 4, second recommended option (64 MiB, t = 3, p = 4). */
export const ARGON2ID_COST: Argon2idCost = { memoryKiB: 65_536, passes: 3, parallelism: 4 };

/** OWASP Password Storage Cheat Sheet: 19 MiB, t = 2, p = 1. Less is not written and not read. */
export const ARGON2ID_FLOOR: Argon2idCost = { memoryKiB: 19_456, passes: 2, parallelism: 1 };

/** security.md 5.3: a stored value cannot ask for more work than 1 GiB, t = 16, p = 16. */
export const ARGON2ID_CEILING: Argon2idCost = { memoryKiB: 1_048_576, passes: 16, parallelism: 16 };

const VERSION = 0x13; // RFC 9106 section 3.1, "v"
const SALT_BYTES = 16; // RFC 9106 section 3.1: "16 bytes is RECOMMENDED for password hashing"
const PARAMETER_BYTES = 1 + 3 * 4 + SALT_BYTES;

interface Argon2idParameters {
  readonly cost: Argon2idCost;
  readonly salt: Uint8Array;
}

export interface NewSlot {
  readonly vaultId: Uint8Array;
  readonly created: number;
  readonly cost: Argon2idCost;
}

/**
 * A new slot with fresh id and salt.
 *
 * @param passphrase prepared bytes (passphrase.ts), which the caller wipes
 * @throws RangeError when the cost is outside floor and ceiling
 */
export async function sealArgon2idSlot(
  { vaultId, created, cost }: NewSlot,
  passphrase: Uint8Array,
  vaultKey: Uint8Array,
  { derive, random }: { readonly derive: PassphraseKdf; readonly random: RandomSource },
): Promise<Slot> {
  if (!isAccepted(cost)) throw new RangeError('cost: outside the accepted Argon2id parameters');
  const salt = random.bytes(SALT_BYTES);
  const slotId = random.bytes(16);
  const parameters = encodeParameters({ cost, salt });
  const slotKey = await derive(passphrase, salt, cost);
  try {
    const header = { type: SLOT_TYPES.argon2id, vaultId, slotId, created, parameters };
    return await sealSlot(header, slotKey, vaultKey, random);
  } finally {
    wipe(slotKey);
  }
}

/** Whether the slot is of this type, with parameters that may be worked on: costs nothing. */
export function isArgon2idSlot(slot: Slot): boolean {
  return slot.type === SLOT_TYPES.argon2id && parseParameters(slot.parameters) !== undefined;
}

/**
 * The vault key, which the caller wipes; undefined where the passphrase does not open the slot.
 * Parameters outside floor and ceiling are refused before any work.
 */
export async function openArgon2idSlot(
  slot: Slot,
  passphrase: Uint8Array,
  derive: PassphraseKdf,
): Promise<Uint8Array | undefined> {
  const parameters = parseParameters(slot.parameters);
  if (slot.type !== SLOT_TYPES.argon2id || parameters === undefined) return undefined;
  const slotKey = await derive(passphrase, parameters.salt, parameters.cost);
  try {
    return await openSlot(slot, slotKey);
  } finally {
    wipe(slotKey);
  }
}

// version u8 ‖ memory KiB u32 ‖ passes u32 ‖ parallelism u32 ‖ salt (16)
function encodeParameters({ cost, salt }: Argon2idParameters): Uint8Array {
  const { memoryKiB, passes, parallelism } = cost;
  return concat(Uint8Array.of(VERSION), u32be(memoryKiB), u32be(passes), u32be(parallelism), salt);
}

function parseParameters(bytes: Uint8Array): Argon2idParameters | undefined {
  if (bytes.length !== PARAMETER_BYTES || bytes[0] !== VERSION) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const cost = {
    memoryKiB: view.getUint32(1),
    passes: view.getUint32(5),
    parallelism: view.getUint32(9),
  };
  return isAccepted(cost) ? { cost, salt: bytes.slice(13) } : undefined;
}

function isAccepted(cost: Argon2idCost): boolean {
  return (['memoryKiB', 'passes', 'parallelism'] as const).every(
    (name) => cost[name] >= ARGON2ID_FLOOR[name] && cost[name] <= ARGON2ID_CEILING[name],
  );
}
