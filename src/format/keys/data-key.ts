/*
 * The data key of a message with recipients (docs/format.md section 3): generates it, seals it to each
 * recipient, and opens it for one of them.
 */
import { wipe } from '../../crypto/bytes.ts';
import { AuthenticationError, isAuthenticationError } from '../../crypto/errors.ts';
import type { RandomSource } from '../../random/contract.ts';
import { wrapContext } from '../wire/context.ts';
import { EnvelopeError } from '../errors.ts';
import { KEY_BYTES } from './input-key.ts';
import { RECIPIENTS_MAX } from '../wire/limits.ts';
import type { RecipientTypes } from '../recipients/recipient-type.ts';
import {
  ENTRY_ID_BYTES,
  encodeRecipients,
  isSoleRecipientAlone,
  tooMany,
} from '../wire/recipients.ts';
import type { RecipientEntry } from '../wire/recipients.ts';

/** A recipient to seal to. */
export interface Recipient {
  /** Type byte of docs/format.md section 3.2. */
  readonly type: number;
  /** The recipient's public key, as the type defines it. */
  readonly key: Uint8Array;
}

/** A private key to open with. */
export interface Identity {
  /** Type byte of docs/format.md section 3.2. */
  readonly type: number;
  /** The private key, as the type defines it. */
  readonly key: Uint8Array;
}

/** A data key, which the caller wipes, and its sealed entries. */
export interface SharedDataKey {
  readonly dataKey: Uint8Array;
  /** Encoded, without the length field of the section. */
  readonly recipients: Uint8Array;
}

/**
 * Generates a data key and seals it to each recipient.
 *
 * @param header the 24 bytes of the message
 * @throws RangeError for an empty list, an invalid public key, or a passphrase beside other recipients
 * @throws EnvelopeError TOO_LARGE for more than 16, UNSUPPORTED for a type that is not in `types`
 */
export async function sealDataKey(
  recipients: readonly Recipient[],
  header: Uint8Array,
  types: RecipientTypes,
  random: RandomSource,
): Promise<SharedDataKey> {
  if (recipients.length === 0) throw new RangeError('recipients must name at least one');
  if (recipients.length > RECIPIENTS_MAX) throw tooMany(recipients.length);
  if (!isSoleRecipientAlone(recipients.map(({ type }) => type))) {
    throw new RangeError('recipients: a passphrase is the only recipient of its message');
  }
  const dataKey = random.bytes(KEY_BYTES);
  try {
    const entries: RecipientEntry[] = [];
    for (const { type, key } of recipients) {
      const wrapper = types.get(type);
      if (!wrapper) throw unknown(type);
      const id = random.bytes(ENTRY_ID_BYTES);
      entries.push({
        type,
        id,
        body: await wrapper.wrap(key, dataKey, wrapContext(header, type, id)),
      });
    }
    return { dataKey, recipients: encodeRecipients(entries) };
  } catch (error) {
    wipe(dataKey);
    throw error;
  }
}

/** The data key of a message, 32 bytes, which the caller wipes, and the identity that opened it. */
export interface OpenedDataKey<I extends Identity> {
  readonly dataKey: Uint8Array;
  readonly identity: I;
}

/**
 * Checks that each identity can be of use.
 *
 * @throws TypeError for an identity of a type that is not in `types`
 */
export function checkIdentities(identities: readonly Identity[], types: RecipientTypes): void {
  const index = identities.findIndex(({ type }) => !types.has(type));
  if (index < 0) return;
  const { type } = identities[index]!;
  throw new TypeError(`identities[${index}]: type ${type} is not supported${WHERE}`);
}

/**
 * Tries each entry with each identity of its type, in order. Skips entries of unknown types.
 *
 * @param header the 24 bytes of the message
 * @throws AuthenticationError if no identity opens an entry; EnvelopeError NEEDS_KEY if none does, and the message is for a
 *   group of which an identity lacks the epoch
 */
export async function openDataKey<I extends Identity>(
  entries: readonly RecipientEntry[],
  identities: readonly I[],
  header: Uint8Array,
  types: RecipientTypes,
): Promise<OpenedDataKey<I>> {
  let failure: Error = new AuthenticationError();
  for (const { type, id, body } of entries) {
    const wrapper = types.get(type);
    for (const identity of wrapper ? identities.filter((one) => one.type === type) : []) {
      try {
        const context = wrapContext(header, type, id);
        return { dataKey: await wrapper!.unwrap(identity.key, body, context), identity };
      } catch (error) {
        // `types` may come from another script of the library, which has a class of its own.
        if (isAuthenticationError(error)) continue;
        if (!(error instanceof EnvelopeError && error.code === 'NEEDS_KEY')) throw error;
        failure = error;
      }
    }
  }
  throw failure;
}

function unknown(type: number): EnvelopeError {
  return new EnvelopeError('UNSUPPORTED', `Recipients of type ${type} are not supported${WHERE}`);
}

/** For callers of the library whose recipient types are those of the platform alone. */
const WHERE = ' by these recipientTypes: sealwright/sharing has those of all types';
