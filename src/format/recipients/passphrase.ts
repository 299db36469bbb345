/*
 * A passphrase as the only recipient of a message (docs/format.md section 3.2), for people who have no key: they
 * are told it by another way than the message.
 *
 *   wrapping key = HKDF-Expand-SHA-512(Argon2id(passphrase, password salt, cost), "SWM1 passphrase", 32)
 *   body         = memory KiB u32 ‖ passes u8 ‖ lanes u8 ‖ password salt (16)
 *                    ‖ Cobblestone-256 of the data key under it: salt (24) ‖ commitment (32) ‖ chunk (48)
 *
 * Cost and password salt need no place in the context: others give another key. The commitment lets one passphrase alone
 * open a body, so that a message cannot be made that tries many of them at once.
 */
import { concat, u32be, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import {
  ARGON2ID_COST,
  ARGON2ID_MIN,
  isAtMost,
  PASSWORD_SALT_BYTES,
  type Argon2idCost,
  type PassphraseKdf,
} from '../passphrase.ts';
import type { RandomSource } from '../../random/contract.ts';
import { EnvelopeError } from '../errors.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import { NAMED_KEY_RECIPIENT, SOLE_RECIPIENT } from '../wire/recipient-table.ts';
import { entryBytes } from '../wire/sealed-length.ts';
import type { RecipientsSection } from '../wire/recipients.ts';
import type { RecipientType } from './recipient-type.ts';
import { secretWrapping } from './secret-wrapping.ts';

/** More than this is refused before any work: 256 MiB, 8 passes. Lanes cost no time: they are computed in turn. */
const MAX: Argon2idCost = { memoryKiB: 262_144, passes: 8, parallelism: 16 };
const COST_BYTES = 6;
const HEAD_BYTES = COST_BYTES + PASSWORD_SALT_BYTES;

/** The type byte of a passphrase. */
export const PASSPHRASE_RECIPIENT = SOLE_RECIPIENT;
/** Bytes of its entry. */
export const PASSPHRASE_ENTRY_BYTES = HEAD_BYTES + entryBytes(NAMED_KEY_RECIPIENT);

/** What the recipient type of passphrases is made of. */
export interface PassphraseRecipientDeps {
  readonly derive: PassphraseKdf;
  readonly crypto: FormatCrypto;
  readonly random: RandomSource;
  /** Of new messages; default: 64 MiB, 3 passes. */
  readonly cost?: Argon2idCost | undefined;
}

/**
 * The recipient type of passphrases. Its keys are prepared bytes (format/passphrase.ts).
 *
 * @throws RangeError for a cost that no reader accepts
 */
export function passphraseRecipient(deps: PassphraseRecipientDeps): RecipientType {
  const { derive, crypto, random, cost = ARGON2ID_COST } = deps;
  if (!isAtMost(ARGON2ID_MIN, cost) || !isAtMost(cost, MAX)) {
    throw new RangeError('cost: 19 to 256 MiB, 2 to 8 passes and 1 to 16 lanes are accepted');
  }
  const wrapping = secretWrapping('SWM1 passphrase', crypto, random);
  return {
    async wrap(passphrase, dataKey, context) {
      const salt = random.bytes(PASSWORD_SALT_BYTES);
      const key = await derive(passphrase, salt, cost);
      try {
        const head = [u32be(cost.memoryKiB), Uint8Array.of(cost.passes, cost.parallelism), salt];
        return concat(...head, await wrapping.wrap(key, dataKey, context));
      } finally {
        wipe(key);
      }
    },
    async unwrap(passphrase, body, context) {
      if (body.length < HEAD_BYTES) throw new AuthenticationError();
      const salt = body.slice(COST_BYTES, HEAD_BYTES);
      const key = await derive(passphrase, salt, acceptedCost(body));
      try {
        return await wrapping.unwrap(key, body.subarray(HEAD_BYTES), context);
      } finally {
        wipe(key);
      }
    },
  };
}

/** Whether a passphrase is the recipient of a message, and then the only one. */
export const hasPassphrase = ({ entries }: Pick<RecipientsSection, 'entries'>): boolean =>
  entries.some(({ type }) => type === PASSPHRASE_RECIPIENT);

/**
 * What one guess costs at the passphrase of a message.
 *
 * @returns undefined for a message without a passphrase, and for one whose entry is cut off
 * @throws EnvelopeError TOO_LARGE for more work than is accepted, BAD_ENVELOPE for less than any version writes
 */
export function costOfPassphrase({
  entries,
}: Pick<RecipientsSection, 'entries'>): Argon2idCost | undefined {
  const entry = entries.find(({ type }) => type === PASSPHRASE_RECIPIENT);
  return entry && entry.body.length >= HEAD_BYTES ? acceptedCost(entry.body) : undefined;
}

/** @throws EnvelopeError TOO_LARGE for more work than is accepted, BAD_ENVELOPE for less than any version writes */
function acceptedCost(body: Uint8Array): Argon2idCost {
  const memoryKiB = new DataView(body.buffer, body.byteOffset).getUint32(0);
  const cost = { memoryKiB, passes: body[4]!, parallelism: body[5]! };
  const asked = `${cost.passes} passes over ${memoryKiB} KiB in ${cost.parallelism} lanes`;
  if (!isAtMost(cost, MAX)) {
    throw new EnvelopeError('TOO_LARGE', `The passphrase costs ${asked}: more than is accepted`);
  }
  if (!isAtMost(ARGON2ID_MIN, cost)) {
    throw new EnvelopeError('BAD_ENVELOPE', `The passphrase costs ${asked}: less than is written`);
  }
  return cost;
}
