/*
 * The steps of opening before the chunks, in the order of docs/format.md section 8: lengths, version,
 * suite and flags; purpose; key; origin; context; commitment. Only the last step uses a key, and only
 * its outcome depends on a secret.
 */
import { copyOf, equal, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError, checkFixedBytes } from '../../crypto/errors.ts';
import { deriveChunkKeys, wipeChunkKeys, type ChunkKeys } from '../keys/chunk-keys.ts';
import type { ChunkSuite } from '../wire/suites.ts';
import { checkAssociatedData, checkOrigin, messageContext } from '../wire/context.ts';
import { checkIdentities, openDataKey } from '../keys/data-key.ts';
import type { Identity } from '../keys/data-key.ts';
import { parseEnvelope, parsePrefix } from '../wire/envelope.ts';
import type { Prefix } from '../wire/envelope.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import { KEY_ID_BYTES, chunkSuite, purposeByte, type Purpose } from '../wire/header.ts';
import { KEY_BYTES, deriveInputKey } from '../keys/input-key.ts';
import { NATIVE_CRYPTO } from '../native-crypto.ts';
import type { RecipientTypes } from '../recipients/recipient-type.ts';
import { RECIPIENT_TYPES } from '../recipients/recipient-types.ts';
import { COMMITMENT_BYTES, HEADER_BYTES, SALT_BYTES } from '../wire/sealed-length.ts';

const NOTHING = new Uint8Array(0);

/** Options of opening. */
export interface BeginOpenOptions {
  /** The named key of the generation that the header key id belongs to, 32 bytes. */
  readonly key?: Uint8Array | undefined;
  /** 16 bytes. If given, a message with another header key id fails. */
  readonly keyId?: Uint8Array | undefined;
  /** Messages of other purposes fail. */
  readonly purpose: Purpose;
  /** Serialised origin of the caller; used when the message is bound to one. */
  readonly origin?: string | undefined;
  /** Up to 65,536 bytes, as they were when sealing. */
  readonly associatedData?: Uint8Array | undefined;
  /**
   * 'own' (default): a message with recipients fails, since anyone could have made it.
   * 'shared': such a message is opened with `identities`; its sealer is not authenticated.
   */
  readonly accept?: 'own' | 'shared' | undefined;
  /** Tried in order on a message with recipients. */
  readonly identities?: readonly Identity[] | undefined;
  /** The data key of this message from `openDataKey`, 32 bytes, instead of identities. */
  readonly dataKey?: Uint8Array | undefined;
  /** The recipient types; default: those that need only the platform. */
  readonly recipientTypes?: RecipientTypes | undefined;
  /** The engine; default: WebCrypto. */
  readonly crypto?: FormatCrypto | undefined;
}

/** The result for a stream: the input for opening its chunks. */
export interface StreamOpenPlan {
  readonly suite: ChunkSuite;
  /** Wiped by the code that opens the chunks. */
  readonly keys: ChunkKeys;
  /** Position of the first chunk. */
  readonly chunksOffset: number;
  /** The body ends in padding, to be read by PaddingReader. */
  readonly padded: boolean;
}

/** The result for a whole message. */
export interface OpenPlan extends StreamOpenPlan {
  /** Length of all chunks opened. */
  readonly bodyBytes: number;
}

/**
 * Checks everything before the chunks of a message, and derives its keys.
 *
 * @param head the sealed message, or its first PREFIX_BYTES_MAX bytes
 * @param totalBytes length of the whole sealed message
 * @throws EnvelopeError if the bytes are not a sealed message of a known version
 * @throws AuthenticationError if anything else differs from what was sealed
 * @throws TypeError, RangeError for arguments of a wrong type or length
 */
export async function beginOpen(
  options: BeginOpenOptions,
  head: Uint8Array,
  totalBytes: number,
): Promise<OpenPlan> {
  checkOpenOptions(options);
  const { bodyBytes } = parseEnvelope(head, totalBytes);
  return { ...(await beginOpenStream(options, head)), bodyBytes };
}

/** The same for a stream, whose length is known only at its end. */
export async function beginOpenStream(
  options: BeginOpenOptions,
  head: Uint8Array,
): Promise<StreamOpenPlan> {
  const { crypto = NATIVE_CRYPTO } = options;
  checkOpenOptions(options);
  const prefix = parsePrefix(head);
  if (!isMeantFor(options, prefix)) throw new AuthenticationError();
  const inputKey = await openInputKey(options, prefix, head, crypto);
  try {
    const { suite, salt, context, commitment } = boundTo(options, prefix, head);
    const keys = await deriveChunkKeys(crypto, suite, inputKey, salt, context);
    requireCommitment(keys, commitment);
    return { suite, keys, chunksOffset: prefix.chunksOffset, padded: prefix.header.flags.padded };
  } finally {
    wipe(inputKey);
  }
}

/** The public inputs of the key derivation, and the commitment that the keys must match. */
export interface Bound {
  readonly suite: ChunkSuite;
  readonly context: Uint8Array;
  /** Views of the message. */
  readonly salt: Uint8Array;
  readonly commitment: Uint8Array;
}

/** @param head the beginning of the message, with everything before its chunks */
export function boundTo(
  { origin = '', associatedData = NOTHING }: BeginOpenOptions,
  { header, recipients, chunksOffset }: Prefix,
  head: Uint8Array,
): Bound {
  const context = messageContext({
    header: head.subarray(0, HEADER_BYTES),
    recipients: recipients.bytes,
    origin: header.flags.originBound ? origin : '',
    associatedData,
  });
  const commitmentAt = chunksOffset - COMMITMENT_BYTES;
  return {
    suite: chunkSuite(header.suite),
    context,
    salt: head.subarray(commitmentAt - SALT_BYTES, commitmentAt),
    commitment: head.subarray(commitmentAt, chunksOffset),
  };
}

/** Compares the commitment. @throws AuthenticationError if it differs; the keys are then wiped */
export function requireCommitment(keys: ChunkKeys, commitment: Uint8Array): void {
  if (equal(keys.commitment, commitment)) return;
  wipeChunkKeys(keys);
  throw new AuthenticationError();
}

/**
 * Whether purpose, key id, recipients and origin match. They are public, but a mismatch has no error of its
 * own.
 */
export function isMeantFor(options: BeginOpenOptions, { header }: Prefix): boolean {
  return (
    header.purpose === options.purpose &&
    (options.keyId === undefined || equal(options.keyId, header.headerKeyId)) &&
    (!header.flags.recipients || options.accept === 'shared') &&
    (!header.flags.originBound || options.origin !== undefined)
  );
}

/** @returns 32 fresh bytes, to be wiped */
async function openInputKey(
  options: BeginOpenOptions,
  envelope: Prefix,
  head: Uint8Array,
  crypto: FormatCrypto,
): Promise<Uint8Array> {
  const { header } = envelope;
  if (header.flags.recipients) {
    if (options.dataKey) return copyOf(options.dataKey);
    const { identities = [], recipientTypes = RECIPIENT_TYPES } = options;
    const { entries } = envelope.recipients;
    const headerBytes = head.subarray(0, HEADER_BYTES);
    return (await openDataKey(entries, identities, headerBytes, recipientTypes)).dataKey;
  }
  checkFixedBytes('key', options.key, KEY_BYTES);
  return deriveInputKey(crypto, options.key, header.purpose, header.suite);
}

/** Checks types and lengths. @throws TypeError, RangeError, EnvelopeError TOO_LARGE */
export function checkOpenOptions(options: BeginOpenOptions): void {
  const { associatedData = NOTHING } = options;
  if (options.key !== undefined) checkFixedBytes('key', options.key, KEY_BYTES);
  else if (options.accept !== 'shared') throw withoutKey(options);
  checkIdentities(options.identities ?? [], options.recipientTypes ?? RECIPIENT_TYPES);
  if (options.dataKey !== undefined) checkFixedBytes('dataKey', options.dataKey, KEY_BYTES);
  if (options.keyId !== undefined) checkFixedBytes('keyId', options.keyId, KEY_ID_BYTES);
  if (options.origin !== undefined) checkOrigin(options.origin);
  purposeByte(options.purpose);
  checkFixedBytes('associatedData', associatedData);
  checkAssociatedData(associatedData);
}

function withoutKey({ identities, dataKey }: BeginOpenOptions): TypeError {
  if (identities === undefined && dataKey === undefined) {
    return new TypeError('key must be a Uint8Array');
  }
  const given = identities === undefined ? 'dataKey' : 'identities';
  return new TypeError(
    `${given} opens messages to recipients, which anyone can make: give accept: 'shared' to open such ones`,
  );
}
