import { wipe } from '../../crypto/bytes.ts';
import { Secret } from '../../crypto/secret.ts';
import { VaultError } from '../values/errors.ts';
import { preparePassphrase, underSignal } from '../../format/passphrase.ts';
import { workOf } from './passphrase-kdf.ts';
import type { PassphraseKdf } from '../../format/passphrase.ts';
import { isPassphraseSlot, openPassphraseSlot } from './passphrase-slot.ts';
import { parseRecoveryCode } from './recovery-code.ts';
import { SLOT_TYPES } from './slots.ts';
import type { Slot } from './slots.ts';
import { openPrfSlot, openRecoverySlot, prfCredentialOf } from './strong-slot.ts';

/** The secret with which a user opens the vault. */
export type SlotSecret =
  /** A recovery code is accepted here too: people type it where they are asked for a passphrase. */
  | { readonly passphrase: string }
  | { readonly recoveryCode: string }
  /** The output of the authenticator's PRF for a slot's salt; the caller wipes it. */
  | { readonly prf: Uint8Array };

/** A slot that a secret has opened. */
export interface OpenedSlot {
  readonly slot: Slot;
  /** The vault key that was sealed in it; wiped when the iteration goes on or ends. */
  readonly key: Uint8Array;
}

/** An opened slot whose key is not printed. */
class SecretSlot implements OpenedSlot {
  readonly slot: Slot;
  readonly secret: Secret;

  constructor(slot: Slot, key: Uint8Array) {
    this.slot = slot;
    this.secret = new Secret(key);
  }

  get key(): Uint8Array {
    return this.secret.bytes;
  }
}

/** A secret as bytes, and the slots on which it is tried. */
interface Attempt {
  readonly bytes: Uint8Array;
  readonly accepts: (slot: Slot) => boolean;
  readonly open: (slot: Slot, bytes: Uint8Array) => Promise<Uint8Array | undefined>;
}

/**
 * How many slots a secret is tried on, and up to how much work (in KiB times passes) on those after
 * the first: others may have written slots into a store. About 20 s on two slow cores.
 */
export const TRIES = { slots: 32, work: 8 * 2 ** 20 } as const;

/**
 * Tries a secret on the slots, one after the other, and yields those that it opens. A slot whose
 * derivation fails, such as for lack of memory, is one that it does not open.
 *
 * @param slots in the order of readStoredVault: those that others cannot have written come first
 * @param signal an abort ends the tries with its reason
 * @throws the last derivation's error, where none has succeeded
 * @throws VaultError CORRUPT where a passphrase is given and no slot is for a passphrase with accepted
 *   parameters; WRONG_PASSPHRASE for a secret that no slot can have
 */
export async function* openSlots(
  slots: readonly Slot[],
  secret: SlotSecret,
  derive: PassphraseKdf,
  signal?: AbortSignal,
): AsyncGenerator<OpenedSlot, void> {
  if ('passphrase' in secret && isRecoveryCode(secret.passphrase)) {
    yield* openSlots(slots, { recoveryCode: secret.passphrase }, derive, signal);
  }
  const { bytes, accepts, open } = attempt(secret, underSignal(derive, signal));
  try {
    const usable = slots.filter(accepts);
    if (usable.length === 0 && 'passphrase' in secret) throw new VaultError('CORRUPT');
    const failures: unknown[] = [];
    const tried = withinLimits(usable);
    for (const slot of tried) {
      const key = await open(slot, bytes).catch((error: unknown) => {
        signal?.throwIfAborted();
        failures.push(error);
      });
      if (key !== undefined) yield* yieldAndWipe(new SecretSlot(slot, key));
    }
    if (failures.length > 0 && failures.length === tried.length) throw failures.at(-1);
  } finally {
    wipe(bytes);
  }
}

function withinLimits(slots: readonly Slot[]): readonly Slot[] {
  let work = 0;
  return slots.slice(0, TRIES.slots).filter(({ type, parameters }, index) => {
    work += workOf(type, parameters);
    return index === 0 || work <= TRIES.work;
  });
}

function attempt(secret: SlotSecret, derive: PassphraseKdf): Attempt {
  if ('passphrase' in secret) {
    const open: Attempt['open'] = (slot, bytes) => openPassphraseSlot(slot, bytes, derive);
    return { bytes: prepare(secret.passphrase), accepts: isPassphraseSlot, open };
  }
  if ('recoveryCode' in secret) {
    const bytes = parseRecoveryCode(secret.recoveryCode);
    if (bytes === undefined) throw new VaultError('WRONG_PASSPHRASE');
    const accepts: Attempt['accepts'] = ({ type }) => type === SLOT_TYPES.recoveryCode;
    return { bytes, accepts, open: openRecoverySlot };
  }
  const accepts: Attempt['accepts'] = (slot) => prfCredentialOf(slot) !== undefined;
  return { bytes: secret.prf.slice(), accepts, open: openPrfSlot };
}

/** Yields the slot, then wipes its key. */
function* yieldAndWipe(opened: OpenedSlot): Generator<OpenedSlot, void> {
  try {
    yield opened;
  } finally {
    wipe(opened.key);
  }
}

function isRecoveryCode(text: string): boolean {
  const secret = parseRecoveryCode(text);
  if (secret !== undefined) wipe(secret);
  return secret !== undefined;
}

function prepare(passphrase: string): Uint8Array {
  try {
    return preparePassphrase(passphrase);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) {
      throw new VaultError('WRONG_PASSPHRASE');
    }
    throw error;
  }
}
