/*
 * A group as one recipient of a message (docs/format.md section 3.2): the data key is sealed under the key of one epoch,
 * which every member of that epoch has.
 *
 *   wrapping key = HKDF-Expand-SHA-512(epoch key, "SWM1 group", 32)
 *   body         = group (32) ‖ epoch (32) ‖ salt (24) ‖ commitment (32) ‖ chunk (48)
 *
 * The last three are as for a named key, with the wrap context and the first 64 bytes of the body as context.
 */
import { concat, equal } from '../../crypto/bytes.ts';
import { AuthenticationError, checkBytes } from '../../crypto/errors.ts';
import type { RandomSource } from '../../random/contract.ts';
import { EnvelopeError } from '../errors.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import type { Recipient } from '../keys/data-key.ts';
import { GROUP_RECIPIENT } from '../wire/recipient-table.ts';
import type { RecipientEntry } from '../wire/recipients.ts';
import type { RecipientType } from './recipient-type.ts';
import { secretWrapping } from './secret-wrapping.ts';

/** Length of the digests that name a group and an epoch. */
const DIGEST_BYTES = 32;
const NAMES_BYTES = 2 * DIGEST_BYTES;
/** Group ‖ epoch ‖ key of the epoch. */
const KNOWN_EPOCH_BYTES = NAMES_BYTES + 32;

/** What a message says of the epoch that it is for. */
export interface EpochName {
  /** Digest of the group's first epoch, 32 bytes. */
  readonly group: Uint8Array;
  /** Digest of this epoch, 32 bytes. */
  readonly epoch: Uint8Array;
}

/** The key of one epoch of one group. */
export interface EpochKey extends EpochName {
  /** 32 bytes, which every member of the epoch has. */
  readonly key: Uint8Array;
}

/**
 * The recipient of a message to the members of one epoch; with several keys, the identity that opens what was sealed to any
 * of those epochs.
 *
 * @returns a copy of the keys, which the caller wipes
 */
export function groupRecipientOf(keys: readonly EpochKey[]): Recipient {
  const key = concat(...keys.flatMap(({ group, epoch, key: bytes }) => [group, epoch, bytes]));
  return { type: GROUP_RECIPIENT, key };
}

/** The epochs that a message is for, by its entries. */
export function epochNamesIn(entries: readonly RecipientEntry[]): EpochName[] {
  const ofGroups = entries.filter(
    ({ type, body }) => type === GROUP_RECIPIENT && body.length >= NAMES_BYTES,
  );
  return ofGroups.map(({ body }) => ({
    group: body.subarray(0, DIGEST_BYTES),
    epoch: body.subarray(DIGEST_BYTES, NAMES_BYTES),
  }));
}

/**
 * The recipient type of groups. `unwrap` throws EnvelopeError NEEDS_KEY for an epoch whose key the identity does not have:
 * which epoch a message is for is public.
 */
export function groupRecipient(crypto: FormatCrypto, random: RandomSource): RecipientType {
  const wrapping = secretWrapping('SWM1 group', crypto, random);
  return {
    async wrap(recipientKey, dataKey, context) {
      checkBytes('recipient key', recipientKey, KNOWN_EPOCH_BYTES);
      const names = recipientKey.subarray(0, NAMES_BYTES);
      const key = recipientKey.subarray(NAMES_BYTES);
      return concat(names, await wrapping.wrap(key, dataKey, concat(context, names)));
    },
    async unwrap(identityKey, body, context) {
      if (body.length < NAMES_BYTES) throw new AuthenticationError();
      const names = body.subarray(0, NAMES_BYTES);
      for (let at = 0; at < identityKey.length; at += KNOWN_EPOCH_BYTES) {
        const known = identityKey.subarray(at, at + KNOWN_EPOCH_BYTES);
        if (!equal(known.subarray(0, NAMES_BYTES), names)) continue;
        const sealed = body.subarray(NAMES_BYTES);
        return wrapping.unwrap(known.subarray(NAMES_BYTES), sealed, concat(context, names));
      }
      throw new EnvelopeError(
        'NEEDS_KEY',
        'The message is for an epoch of a group that is missing',
      );
    },
  };
}
