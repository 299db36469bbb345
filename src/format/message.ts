/*
 * Seals and opens whole messages in memory: sealed messages, version 1 (docs/format.md). Nothing of a
 * message is returned before its last chunk has verified.
 */
import { checkFixedBytes, checkOptions, type NamesOf } from '../crypto/errors.ts';
import { THREAD_BYTES_MAX } from '../engine/message-primitives.ts';
import { nativeSha256 } from '../engine/native/digests.ts';
import { messageDigest } from './chunks/message-digest.ts';
import { beginOpen } from './plans/open-plan.ts';
import type { BeginOpenOptions } from './plans/open-plan.ts';
import { beginSeal, isPadded } from './plans/seal-plan.ts';
import type { BeginSealOptions, SaltFor } from './plans/seal-plan.ts';
import { wipeChunkKeys } from './keys/chunk-keys.ts';
import { parseEnvelope } from './wire/envelope.ts';
import { EnvelopeError } from './errors.ts';
import { mayHaveRecipients, suiteFor } from './wire/header.ts';
import { ONE_SHOT_BYTES_MAX, ONE_SHOT_SEALED_BYTES_MAX } from './wire/limits.ts';
import { MessageOpener } from './short/opener.ts';
import { MessageSealer } from './short/sealer.ts';
import type { HashedSaltSource } from './short/sealer.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from './native-crypto.ts';
import type { WorkOptions } from './chunks/pipeline.ts';
import { LARGE_CHUNK_BYTES, SALT_BYTES, paddedLength } from './wire/sealed-length.ts';
import { openBody, sealBody } from './chunks/body.ts';

/** A source of hedged salts (hedged-salt.ts). */
export interface SaltSource extends Partial<HashedSaltSource> {
  /** @returns 24 bytes, never twice the same for one context */
  salt(context: Uint8Array, message: Uint8Array): Uint8Array;
}

/** Options of `sealMessage`. */
export interface SealMessageOptions extends BeginSealOptions, WorkOptions {
  /** 24 bytes, never twice under one key, or a source of them. Default: bytes of `random`. */
  readonly salt?: Uint8Array | SaltSource | undefined;
}

/** Options of `openMessage`. */
export interface OpenMessageOptions extends BeginOpenOptions, WorkOptions {}

/** One set of options may serve both directions; each function reads its own. */
const OPTIONS: NamesOf<SealMessageOptions & OpenMessageOptions> = {
  key: true,
  keyId: true,
  purpose: true,
  origin: true,
  associatedData: true,
  recipientTypes: true,
  crypto: true,
  signal: true,
  onProgress: true,
  salt: true,
  pad: true,
  recipients: true,
  attributes: true,
  random: true,
  accept: true,
  identities: true,
  dataKey: true,
};

/**
 * Seals a message.
 *
 * @param options key, key id and purpose, and what the message is bound to
 * @param message up to 64 MiB; must not change until the promise settles
 * @returns the sealed message, `sealedLength(message.length, …)` bytes
 * @throws TypeError, RangeError for arguments of a wrong type or length, and for unknown options
 * @throws EnvelopeError TOO_LARGE for a limit, UNSUPPORTED for recipients of unknown type
 *
 * @example
 * const sealed = await sealMessage({ key, keyId, purpose: 'page', origin }, message);
 * const again = await openMessage({ key, purpose: 'page', origin }, sealed);
 */
export async function sealMessage(
  options: SealMessageOptions,
  message: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  checkOptions('options', options, OPTIONS);
  checkFixedBytes('message', message);
  if (message.length > ONE_SHOT_BYTES_MAX) throw tooLarge(message.length, ONE_SHOT_BYTES_MAX);
  if (message.length <= THREAD_BYTES_MAX) {
    const sealed = sealOnThread(options, message);
    if (sealed) return sealed as Uint8Array<ArrayBuffer>;
  }
  const { crypto = NATIVE_CRYPTO } = options;
  const saltFor = await saltsFor(options, message);
  const { prefix, suite, keys, bodyBytes } = await beginSeal(options, message.length, saltFor);
  try {
    const aead = await crypto.aesGcm(keys.key);
    const bodyKeys = { aead, baseNonce: keys.baseNonce, chunkBytes: suite.chunkBytes };
    const body = { message, bodyBytes };
    return (await sealBody(bodyKeys, prefix, body, options)) as Uint8Array<ArrayBuffer>;
  } finally {
    wipeChunkKeys(keys);
  }
}

/**
 * Opens a message.
 *
 * @param options key and purpose, and what the message was bound to
 * @param sealed the output of sealMessage; must not change until the promise settles
 * @returns the message, after its last chunk has verified. A padded message needs the memory of one
 *   more copy while the padding is removed.
 * @throws EnvelopeError BAD_ENVELOPE when these bytes are not a sealed message, TOO_LARGE when
 *   they are longer than any sealed message of 64 MiB
 * @throws AuthenticationError for everything else: wrong key, purpose, origin, associated data, or
 *   altered bytes, which are not distinguished
 * @throws TypeError, RangeError for arguments of a wrong type or length, and for unknown options
 */
export async function openMessage(
  options: OpenMessageOptions,
  sealed: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  checkOptions('options', options, OPTIONS);
  if (typeof sealed === 'string') throw new TypeError('sealed must be a Uint8Array: see unarmor');
  checkFixedBytes('sealed', sealed);
  if (sealed.length > ONE_SHOT_SEALED_BYTES_MAX) {
    throw tooLarge(sealed.length, ONE_SHOT_SEALED_BYTES_MAX);
  }
  if (sealed.length <= THREAD_BYTES_MAX) {
    const message = openOnThread(options, sealed);
    if (message) return message as Uint8Array<ArrayBuffer>;
  }
  const plan = await beginOpen(options, sealed, sealed.length);
  try {
    const { crypto = NATIVE_CRYPTO } = options;
    const aead = await crypto.aesGcm(plan.keys.key);
    const { chunkBytes } = plan.suite;
    const bodyKeys = { aead, baseNonce: plan.keys.baseNonce, chunkBytes };
    return (await openBody(bodyKeys, sealed, plan, options)) as Uint8Array<ArrayBuffer>;
  } finally {
    wipeChunkKeys(plan.keys);
  }
}

/** Undefined if promises are needed: the engine is not on this thread, or there are recipients. */
function sealOnThread(options: SealMessageOptions, message: Uint8Array): Uint8Array | undefined {
  const { crypto, recipients, salt, signal, onProgress } = options;
  if (!crypto?.onThread || recipients || !hasHashes(salt)) return undefined;
  signal?.throwIfAborted();
  const sealer = new MessageSealer(options, crypto.onThread, salt);
  try {
    const sealed = sealer.seal(message);
    const bodyBytes = isPadded(options) ? paddedLength(message.length) : message.length;
    onProgress?.(bodyBytes, bodyBytes);
    return sealed;
  } finally {
    sealer.wipe();
  }
}

/** Undefined if promises are needed, as above. */
function openOnThread(options: OpenMessageOptions, sealed: Uint8Array): Uint8Array | undefined {
  const { crypto, key, signal, onProgress } = options;
  if (!crypto?.onThread || !key || mayHaveRecipients(sealed)) return undefined;
  signal?.throwIfAborted();
  const opener = new MessageOpener({ ...options, key }, crypto.onThread);
  try {
    const message = opener.open(sealed);
    if (onProgress) {
      const { bodyBytes } = parseEnvelope(sealed, sealed.length);
      onProgress(bodyBytes, bodyBytes);
    }
    return message;
  } finally {
    opener.wipe();
  }
}

function hasHashes(salt: SealMessageOptions['salt']): salt is SaltSource & HashedSaltSource {
  return salt !== undefined && 'saltForHashes' in salt;
}

/** A long message is hashed by the platform, which is faster; in chunks, where it has suite 02 (docs/format.md section 4.3). */
async function saltsFor(options: SealMessageOptions, message: Uint8Array): Promise<SaltFor> {
  const { random = NATIVE_RANDOM, salt = random.bytes(SALT_BYTES), crypto } = options;
  if (!('salt' in salt)) return () => salt;
  if (!hasHashes(salt) || message.length <= THREAD_BYTES_MAX) {
    return (context) => salt.salt(context, message);
  }
  const sha256 = crypto?.sha256 ?? nativeSha256;
  const bodyBytes = isPadded(options) ? paddedLength(message.length) : message.length;
  const hash = await (suiteFor(bodyBytes) === 1
    ? sha256(message)
    : messageDigest(message, LARGE_CHUNK_BYTES, sha256));
  return async (context) => salt.saltForHashes(await sha256(context), hash);
}

function tooLarge(bytes: number, limit: number): EnvelopeError {
  return new EnvelopeError('TOO_LARGE', `${bytes} bytes at once, at most ${limit} are allowed`);
}
