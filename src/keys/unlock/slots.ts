import { concat, equal, toHex, u16be, u64be, wipe } from '../../crypto/bytes.ts';
import type { RandomSource } from '../../random/contract.ts';
import { frameValue, isTime, unframeValue } from '../values/checksummed-value.ts';
import { ARGON2ID, PBKDF2 } from './passphrase-kdf.ts';
import { slotName } from '../values/value-names.ts';
import { openValue, sealValue } from '../values/vault-seal.ts';
import type { VaultContext } from '../values/vault-seal.ts';

/**
 * A slot holds a copy of the vault key, sealed under a key that the user can provide again. Slots are
 * immutable: a new passphrase is a new slot.
 *
 * Body: header ‖ sealed vault key, where the header, which is the whole context of the seal, is
 *
 *     type u8 ‖ vault id (16) ‖ slot id (16) ‖ created ms u64 ‖ length u16 ‖ parameters
 *
 * so that the seal fails if a type, cost, salt or id is changed. The format commits to key and context,
 * so no two passphrases can open one slot.
 */
export interface Slot {
  readonly type: number;
  readonly vaultId: Uint8Array;
  readonly slotId: Uint8Array;
  readonly created: number;
  /** As the type defines them. */
  readonly parameters: Uint8Array;
  readonly sealed: Uint8Array;
}

/**
 * Types of slots. A reader keeps a slot of an unknown type, and copies it, but never tries it. To add
 * one: its number here, a file that seals and opens it, a case in opened-slots.ts and slot-keeper.ts,
 * and a way to ask the user for the secret.
 */
export const SLOT_TYPES = {
  /** Argon2id over a prepared passphrase: passphrase-slot.ts. */
  argon2id: ARGON2ID,
  /** PBKDF2-HMAC-SHA-256 over a prepared passphrase, where Argon2id does not run. */
  pbkdf2: PBKDF2,
  /** WebAuthn PRF: strong-slot.ts. Never the only slot. */
  webauthnPrf: 3,
  /** Recovery code of 128 bits: strong-slot.ts, recovery-code.ts. */
  recoveryCode: 4,
} as const;

/** What opens a slot, in the words of the user interface. */
export type SlotKind = 'passphrase' | 'webauthn-prf' | 'recovery-code' | 'unknown';

/** What opens this slot. */
export function kindOf({ type }: Slot): SlotKind {
  if (type === SLOT_TYPES.argon2id || type === SLOT_TYPES.pbkdf2) return 'passphrase';
  if (type === SLOT_TYPES.webauthnPrf) return 'webauthn-prf';
  return type === SLOT_TYPES.recoveryCode ? 'recovery-code' : 'unknown';
}

const ID_BYTES = 16;
const FIXED_HEADER_BYTES = 1 + ID_BYTES + ID_BYTES + 8 + 2;

/** The stored name of a slot. */
export const nameOfSlot = (slot: Slot): string => slotName(toHex(slot.slotId));

/** The slot as it is stored. */
export function encodeSlot(slot: Slot): Uint8Array {
  return frameValue(nameOfSlot(slot), concat(encodeHeader(slot), slot.sealed));
}

/** Undefined where the value is damaged, or was stored under another slot's name. */
export function parseSlot(name: string, value: Uint8Array): Slot | undefined {
  const body = unframeValue(name, value);
  if (body === undefined || body.length < FIXED_HEADER_BYTES) return undefined;
  const view = new DataView(body.buffer, body.byteOffset);
  const headerBytes = FIXED_HEADER_BYTES + view.getUint16(FIXED_HEADER_BYTES - 2);
  if (body.length < headerBytes) return undefined;
  const slot = {
    type: view.getUint8(0),
    vaultId: body.slice(1, 17),
    slotId: body.slice(17, 33),
    created: Number(view.getBigUint64(33)),
    parameters: body.slice(FIXED_HEADER_BYTES, headerBytes),
    sealed: body.slice(headerBytes),
  };
  return nameOfSlot(slot) === name && isTime(slot.created) ? slot : undefined;
}

/**
 * Seals the vault key (32 bytes) under `slotKey` (32 bytes), which the caller wipes. It opens the slot
 * again, because a slot that cannot be opened must never replace one that can.
 */
export async function sealSlot(
  header: Omit<Slot, 'sealed'>,
  slotKey: Uint8Array,
  vaultKey: Uint8Array,
  random: RandomSource,
): Promise<Slot> {
  const context = contextOf(header);
  const sealed = await sealValue({ key: slotKey, keyId: header.slotId }, context, vaultKey, random);
  const slot = { ...header, sealed };
  const opened = await openSlot(slot, slotKey);
  if (opened === undefined || !equal(opened, vaultKey)) throw new Error('slot: does not open');
  wipe(opened);
  return slot;
}

/** The vault key, which the caller wipes; undefined where `slotKey` is not the slot's. */
export async function openSlot(slot: Slot, slotKey: Uint8Array): Promise<Uint8Array | undefined> {
  return openValue({ key: slotKey, keyId: slot.slotId }, contextOf(slot), slot.sealed);
}

function contextOf(header: Omit<Slot, 'sealed'>): VaultContext {
  return { what: 'slot', fields: [encodeHeader(header)] };
}

function encodeHeader(slot: Omit<Slot, 'sealed'>): Uint8Array {
  const { type, vaultId, slotId, created, parameters } = slot;
  const length = u16be(parameters.length);
  return concat(Uint8Array.of(type), vaultId, slotId, u64be(created), length, parameters);
}
