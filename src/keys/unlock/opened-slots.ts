import { wipe } from '../../crypto/bytes.ts';
import { Secret } from '../../crypto/secret.ts';
import { VaultError } from '../vault/errors.ts';
import { preparePassphrase } from './passphrase.ts';
import type { PassphraseKdf } from './passphrase.ts';
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
 * Tries a secret on the slots, one after the other, and yields those that it opens.
 *
 * @throws VaultError CORRUPT where a passphrase is given and no slot is for a passphrase with accepted
 *   parameters; WRONG_PASSPHRASE for a secret that no slot can have
 */
export async function* openSlots(
  slots: readonly Slot[],
  secret: SlotSecret,
  derive: PassphraseKdf,
): AsyncGenerator<OpenedSlot, void> {
  if ('passphrase' in secret && isRecoveryCode(secret.passphrase)) {
    yield* openSlots(slots, { recoveryCode: secret.passphrase }, derive);
  }
  const { bytes, accepts, open } = attempt(secret, derive);
  try {
    const usable = slots.filter(accepts);
    if (usable.length === 0 && 'passphrase' in secret) throw new VaultError('CORRUPT');
    for (const slot of usable) {
      const key = await open(slot, bytes);
      if (key !== undefined) yield* yieldAndWipe(new SecretSlot(slot, key));
    }
  } finally {
    wipe(bytes);
  }
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
