/*
 * The steps of sealing before the chunks. They need the named key; the resulting plan does not contain it.
 * The code that seals the chunks (sealMessage, or a content script for large payloads) therefore has the keys
 * of this one message only.
 */
import { concat, u16be, wipe } from '../../crypto/bytes.ts';
import { checkBytes, checkFixedBytes } from '../../crypto/errors.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { RandomSource } from '../../random/contract.ts';
import { deriveChunkKeys, type ChunkKeys } from '../keys/chunk-keys.ts';
import type { ChunkSuite } from '../wire/suites.ts';
import { checkAssociatedData, checkOrigin, messageContext } from '../wire/context.ts';
import { sealDataKey } from '../keys/data-key.ts';
import type { Recipient } from '../keys/data-key.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import {
  KEY_ID_BYTES,
  STREAM_SUITE,
  chunkSuite,
  encodeHeader,
  suiteFor,
  type Purpose,
} from '../wire/header.ts';
import { KEY_BYTES, deriveInputKey } from '../keys/input-key.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../native-crypto.ts';
import type { AttributesSealing, RecipientTypes } from '../recipients/recipient-type.ts';
import { RECIPIENT_TYPES } from '../recipients/recipient-types.ts';
import { RECIPIENTS_MAX } from '../wire/limits.ts';
import { ENTRY_ID_BYTES, encodeRecipients, tooMany } from '../wire/recipients.ts';
import { SALT_BYTES, paddedLength } from '../wire/sealed-length.ts';

/** Options of sealing. */
export interface BeginSealOptions {
  /** The newest generation of the named key, 32 bytes. Not needed with `recipients`. */
  readonly key?: Uint8Array | undefined;
  /** Header key id, 16 bytes, random, one for each key, generation and origin. */
  readonly keyId?: Uint8Array | undefined;
  readonly purpose: Purpose;
  /** Serialised origin, such as "https://example.org". If given, the message is bound to it. */
  readonly origin?: string | undefined;
  /** Up to 65,536 bytes. Not stored; the same bytes are needed to open. */
  readonly associatedData?: Uint8Array | undefined;
  /** Hide the length (Padmé). Default: true for purpose "field", else false. */
  readonly pad?: boolean | undefined;
  /** 1 to 16 recipients. Seals under a fresh data key, which is sealed to each of them. */
  readonly recipients?: readonly Recipient[] | undefined;
  /** The recipient types; default: those that need only the platform. */
  readonly recipientTypes?: RecipientTypes | undefined;
  /** Makes the entry of attributes, of a message with recipients (recipients/attributes.ts). */
  readonly attributes?: AttributesSealing | undefined;
  /** For data keys and entry ids; default: the platform's generator. */
  readonly random?: RandomSource | undefined;
  /** The engine; default: WebCrypto. */
  readonly crypto?: FormatCrypto | undefined;
}

/** The result for a stream: the input for sealing its chunks. */
export interface StreamSealPlan {
  /** header ‖ recipients ‖ salt ‖ commitment: the message up to its first chunk. */
  readonly prefix: Uint8Array;
  readonly suite: ChunkSuite;
  /** Wiped by the code that seals the chunks. */
  readonly keys: ChunkKeys;
  /** Whether the message must be padded before it is cut into chunks. */
  readonly padded: boolean;
}

/** The result for a whole message. */
export interface SealPlan extends StreamSealPlan {
  /** Length of the body: the message, padded if it is padded. */
  readonly bodyBytes: number;
}

/**
 * Checks the options, derives the keys of a message and makes its prefix.
 *
 * @param messageBytes length of the message, which decides the suite
 * @param saltFor returns 24 bytes, never twice the same for one context
 * @throws TypeError, RangeError for arguments of a wrong type or length
 * @throws EnvelopeError TOO_LARGE for a limit, UNSUPPORTED for an unknown type of recipient
 */
export async function beginSeal(
  options: BeginSealOptions,
  messageBytes: number,
  saltFor: SaltFor,
): Promise<SealPlan> {
  const bodyBytes = isPadded(options) ? paddedLength(messageBytes) : messageBytes;
  return { ...(await begin(options, suiteFor(bodyBytes), saltFor)), bodyBytes };
}

/** The same for a stream or Blob: always suite 02, because the length need not be known yet. */
export function beginSealStream(
  options: BeginSealOptions,
  saltFor: SaltFor,
): Promise<StreamSealPlan> {
  return begin(options, STREAM_SUITE, saltFor);
}

const NOTHING = new Uint8Array(0);

/** Returns the salt for a context, 24 bytes. */
export type SaltFor = (context: Uint8Array) => Awaitable<Uint8Array>;

async function begin(
  options: BeginSealOptions,
  suite: 1 | 2,
  saltFor: SaltFor,
): Promise<StreamSealPlan> {
  const { crypto = NATIVE_CRYPTO } = options;
  const header = headerFor(options, suite);
  const { inputKey, recipients } = options.recipients
    ? await dataKeyFor(options, options.recipients, header, crypto)
    : await namedInputKey(options, suite, crypto);
  try {
    const context = contextFor(options, header, recipients);
    const salt = await saltFor(context);
    checkBytes('salt', salt, SALT_BYTES);
    const keys = await deriveChunkKeys(crypto, chunkSuite(suite), inputKey, salt, context);
    const section = options.recipients ? [u16be(recipients.length), recipients] : [];
    const prefix = concat(header, ...section, salt, keys.commitment);
    return { prefix, suite: chunkSuite(suite), keys, padded: isPadded(options) };
  } finally {
    wipe(inputKey);
  }
}

/**
 * Checks the options and makes the header, 24 bytes.
 *
 * @throws TypeError, RangeError, EnvelopeError as `beginSeal`
 */
export function headerFor(options: BeginSealOptions, suite: 1 | 2): Uint8Array {
  const { associatedData, origin, purpose, recipients } = options;
  if (associatedData !== undefined) checkFixedBytes('associatedData', associatedData);
  if (associatedData !== undefined) checkAssociatedData(associatedData);
  if (origin !== undefined) checkOrigin(origin);
  return encodeHeader({
    suite,
    purpose,
    flags: {
      recipients: recipients !== undefined,
      originBound: origin !== undefined,
      padded: isPadded(options),
    },
    headerKeyId: headerKeyId(options),
  });
}

/** The context of the message. @param recipients encoded entries, or no bytes */
export function contextFor(
  { origin = '', associatedData = NOTHING }: Pick<BeginSealOptions, 'origin' | 'associatedData'>,
  header: Uint8Array,
  recipients: Uint8Array,
): Uint8Array {
  return messageContext({ header, recipients, origin, associatedData });
}

/** Whether the message is padded: the option or its default. */
export function isPadded({ pad, purpose }: BeginSealOptions): boolean {
  return pad ?? purpose === 'field';
}

interface BodyKey {
  /** 32 bytes, which the caller wipes. */
  readonly inputKey: Uint8Array;
  /** Encoded recipient entries, or nothing. */
  readonly recipients: Uint8Array;
}

async function namedInputKey(
  { key, purpose }: BeginSealOptions,
  suite: 1 | 2,
  crypto: FormatCrypto,
): Promise<BodyKey> {
  checkFixedBytes('key', key, KEY_BYTES);
  const inputKey = await deriveInputKey(crypto, key, purpose, suite);
  return { inputKey, recipients: NOTHING };
}

async function dataKeyFor(
  options: BeginSealOptions,
  to: readonly Recipient[],
  header: Uint8Array,
  crypto: FormatCrypto,
): Promise<BodyKey> {
  const { random = NATIVE_RANDOM, recipientTypes = RECIPIENT_TYPES, attributes } = options;
  if (attributes && to.length === RECIPIENTS_MAX) throw tooMany(RECIPIENTS_MAX + 1);
  const { dataKey, recipients } = await sealDataKey(to, header, recipientTypes, random);
  if (!attributes) return { inputKey: dataKey, recipients };
  try {
    const id = random.bytes(ENTRY_ID_BYTES);
    const context = contextFor(options, header, recipients);
    const { origin = '', associatedData = NOTHING } = options;
    const bound = { origin, associatedData };
    const entry = await attributes({ dataKey, header, id, context, crypto, ...bound });
    return { inputKey: dataKey, recipients: concat(recipients, encodeRecipients([entry])) };
  } catch (error) {
    wipe(dataKey);
    throw error;
  }
}

/** Required without recipients. With recipients, zeros by default. */
function headerKeyId({ keyId, recipients }: BeginSealOptions): Uint8Array {
  if (keyId === undefined && recipients) return new Uint8Array(KEY_ID_BYTES);
  checkFixedBytes('keyId', keyId, KEY_ID_BYTES);
  return keyId;
}
