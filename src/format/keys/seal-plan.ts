/*
 * Everything of sealing that comes before the chunks. Needs the named key; what it gives does not:
 * whoever seals the chunks (sealMessage, or a content script for large payloads) gets the keys of
 * this one message alone.
 */
import { concat, u16be, wipe } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import type { RandomSource } from '../../random/contract.ts';
import { deriveChunkKeys, type ChunkKeys } from './chunk-keys.ts';
import type { ChunkSuite } from '../chunks/suites.ts';
import { checkAssociatedData, checkOrigin, messageContext } from '../wire/context.ts';
import { sealDataKey } from './data-key.ts';
import type { Recipient } from './data-key.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import {
  KEY_ID_BYTES,
  STREAM_SUITE,
  chunkSuite,
  encodeHeader,
  suiteFor,
  type Purpose,
} from '../wire/header.ts';
import { KEY_BYTES, deriveInputKey } from './input-key.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../native-crypto.ts';
import type { RecipientTypes } from '../recipients/recipient-type.ts';
import { RECIPIENT_TYPES } from '../recipients/recipient-types.ts';
import { SALT_BYTES, paddedLength } from '../wire/sealed-length.ts';

export interface BeginSealOptions {
  /** The named key of its newest generation, 32 bytes. Not needed with `recipients`. */
  readonly key?: Uint8Array | undefined;
  /** Header key id, 16 bytes, random, one for each key, generation and origin. */
  readonly keyId?: Uint8Array | undefined;
  readonly purpose: Purpose;
  /** Serialised origin, such as "https://example.org". Given: the message is bound to it. */
  readonly origin?: string | undefined;
  /** Up to 65,536 bytes; never stored, has to be equal when opening. */
  readonly associatedData?: Uint8Array | undefined;
  /** Hide the length (Padmé). Default: true for purpose "field", else false. */
  readonly pad?: boolean | undefined;
  /** At least one, at most 16: seal under a fresh data key, which is sealed to each of them. */
  readonly recipients?: readonly Recipient[] | undefined;
  /** What recipient types there are; default: those of this release. */
  readonly recipientTypes?: RecipientTypes | undefined;
  /** For data keys and entry ids; default: the platform's generator. */
  readonly random?: RandomSource | undefined;
  /** The engine; default: WebCrypto. */
  readonly crypto?: FormatCrypto | undefined;
}

export interface StreamSealPlan {
  /** header ‖ recipients ‖ salt ‖ commitment: the message up to its first chunk. */
  readonly prefix: Uint8Array;
  readonly suite: ChunkSuite;
  /** To be wiped by whoever seals the chunks. */
  readonly keys: ChunkKeys;
  /** The message is to be padded before it is cut into chunks. */
  readonly padded: boolean;
}

export interface SealPlan extends StreamSealPlan {
  /** Length of what is cut into chunks: the message, or the padded message. */
  readonly bodyBytes: number;
}

/**
 * @param messageBytes length of the message, which decides the suite
 * @param saltFor gives 24 bytes, never twice the same for one context
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

/** The same for a stream or Blob: always suite 02, so that the length need not be known yet. */
export function beginSealStream(
  options: BeginSealOptions,
  saltFor: SaltFor,
): Promise<StreamSealPlan> {
  return begin(options, STREAM_SUITE, saltFor);
}

const NOTHING = new Uint8Array(0);

export type SaltFor = (context: Uint8Array) => Uint8Array;

async function begin(
  options: BeginSealOptions,
  suite: 1 | 2,
  saltFor: SaltFor,
): Promise<StreamSealPlan> {
  const { crypto = NATIVE_CRYPTO } = options;
  const header = headerFor(options, suite);
  const { inputKey, recipients } = options.recipients
    ? await dataKeyFor(options, options.recipients, header)
    : await namedInputKey(options, suite, crypto);
  try {
    const context = contextFor(options, header, recipients);
    const salt = saltFor(context);
    checkBytes('salt', salt, SALT_BYTES);
    const keys = await deriveChunkKeys(crypto, chunkSuite(suite), inputKey, salt, context);
    const section = options.recipients ? [u16be(recipients.length), recipients] : [];
    const prefix = concat(header, ...section, salt, keys.commitment);
    return { prefix, suite: chunkSuite(suite), keys, padded: isPadded(options) };
  } finally {
    wipe(inputKey);
  }
}

/** The 24 bytes that a message begins with; its options are checked here. @throws as `beginSeal` */
export function headerFor(options: BeginSealOptions, suite: 1 | 2): Uint8Array {
  const { associatedData, origin, purpose, recipients } = options;
  if (associatedData !== undefined) checkBytes('associatedData', associatedData);
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

/** @param recipients encoded entries, or nothing */
export function contextFor(
  { origin = '', associatedData = NOTHING }: BeginSealOptions,
  header: Uint8Array,
  recipients: Uint8Array,
): Uint8Array {
  return messageContext({ header, recipients, origin, associatedData });
}

export function isPadded({ pad, purpose }: BeginSealOptions): boolean {
  return pad ?? purpose === 'field';
}

interface BodyKey {
  /** 32 bytes, to be wiped. */
  readonly inputKey: Uint8Array;
  /** Encoded recipient entries, or nothing. */
  readonly recipients: Uint8Array;
}

async function namedInputKey(
  { key, purpose }: BeginSealOptions,
  suite: 1 | 2,
  crypto: FormatCrypto,
): Promise<BodyKey> {
  checkBytes('key', key, KEY_BYTES);
  const inputKey = await deriveInputKey(crypto, key, purpose, suite);
  return { inputKey, recipients: NOTHING };
}

async function dataKeyFor(
  { random = NATIVE_RANDOM, recipientTypes = RECIPIENT_TYPES }: BeginSealOptions,
  to: readonly Recipient[],
  header: Uint8Array,
): Promise<BodyKey> {
  const { dataKey, recipients } = await sealDataKey(to, header, recipientTypes, random);
  return { inputKey: dataKey, recipients };
}

/** Without recipients the id is needed; with them it may be left out, and is then zeros. */
function headerKeyId({ keyId, recipients }: BeginSealOptions): Uint8Array {
  if (keyId === undefined && recipients) return new Uint8Array(KEY_ID_BYTES);
  checkBytes('keyId', keyId, KEY_ID_BYTES);
  return keyId;
}
