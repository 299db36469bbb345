import { wipe } from '../crypto/bytes.ts';
import { isArgon2idSlot, openArgon2idSlot } from './argon2id-slot.ts';
import { VaultError } from './errors.ts';
import { preparePassphrase } from './passphrase.ts';
import type { PassphraseKdf } from './passphrase.ts';
import type { Slot } from './slot.ts';

export interface OpenedSlot {
  readonly slot: Slot;
  /** The vault key that was sealed in it; wiped when the next slot is asked for. */
  readonly key: Uint8Array;
}

/**
 * The slots that a passphrase opens, tried one after the other.
 *
 * @throws VaultError CORRUPT where no slot is for a passphrase, or none with parameters that may be
 *   worked on; WRONG_PASSPHRASE for one that preparePassphrase refuses: no vault has such a one
 */
export async function* openedSlots(
  slots: readonly Slot[],
  passphrase: string,
  derive: PassphraseKdf,
): AsyncGenerator<OpenedSlot, void> {
  const usable = slots.filter(isArgon2idSlot);
  if (usable.length === 0) throw new VaultError('CORRUPT');
  const prepared = prepare(passphrase);
  try {
    for (const slot of usable) {
      const key = await openArgon2idSlot(slot, prepared, derive);
      if (key !== undefined) yield* lent({ slot, key });
    }
  } finally {
    wipe(prepared);
  }
}

function* lent(opened: OpenedSlot): Generator<OpenedSlot, void> {
  try {
    yield opened;
  } finally {
    wipe(opened.key);
  }
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
