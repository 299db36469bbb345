/*
 * Sealed messages, version 1 (docs/format.md), sealed and opened whole, in memory. Nothing of a
 * message is released before its last chunk has verified.
 */
import { wipe } from '../crypto/bytes.ts';
import { checkBytes } from '../crypto/errors.ts';
import { beginOpen } from './begin-open.ts';
import type { BeginOpenOptions, OpenPlan } from './begin-open.ts';
import { beginSeal } from './begin-seal.ts';
import type { BeginSealOptions } from './begin-seal.ts';
import { wipeChunkKeys } from './chunk-keys.ts';
import { ChunkOpener } from './chunk-opener.ts';
import { ChunkSealer } from './chunk-sealer.ts';
import { openChunks, sealChunks } from './chunk-waves.ts';
import { EnvelopeError } from './errors.ts';
import { ONE_SHOT_BYTES_MAX, ONE_SHOT_SEALED_BYTES_MAX } from './limits.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from './native-crypto.ts';
import { PaddingReader, paddedSlice } from './padding.ts';
import type { WorkOptions } from './progress.ts';
import { SALT_BYTES, chunkedLength } from './sealed-length.ts';

/** Where hedged salts come from (hedged-salt.ts). */
export interface SaltSource {
  /** @returns 24 bytes, never twice the same for one context */
  salt(context: Uint8Array, message: Uint8Array): Uint8Array;
}

export interface SealMessageOptions extends BeginSealOptions, WorkOptions {
  /** 24 bytes, never twice under one key, or where to get them. Default: bytes of `random`. */
  readonly salt?: Uint8Array | SaltSource | undefined;
}

export interface OpenMessageOptions extends BeginOpenOptions, WorkOptions {}

/**
 * @param options key, key id and purpose, and what the message is bound to
 * @param message up to 64 MiB; must not change until the promise settles
 * @returns the sealed message, `sealedLength(message.length, …)` bytes
 * @throws TypeError, RangeError for arguments of a wrong type or length
 * @throws EnvelopeError TOO_LARGE for a limit, UNSUPPORTED for recipients of unknown type
 *
 * @example
 * const sealed = await sealMessage({ key, keyId, purpose: 'page', origin }, message);
 * const again = await openMessage({ key, purpose: 'page', origin }, sealed);
 */
export async function sealMessage(
  options: SealMessageOptions,
  message: Uint8Array,
): Promise<Uint8Array> {
  checkBytes('message', message);
  if (message.length > ONE_SHOT_BYTES_MAX) throw tooLarge(message.length, ONE_SHOT_BYTES_MAX);
  const { crypto = NATIVE_CRYPTO } = options;
  const { prefix, suite, keys, bodyBytes } = await beginSeal(options, message.length, (context) =>
    saltOf(options, context, message),
  );
  try {
    const { chunkBytes } = suite;
    const sealed = new Uint8Array(prefix.length + chunkedLength(bodyBytes, chunkBytes));
    sealed.set(prefix);
    const sealer = new ChunkSealer(await crypto.aesGcm(keys.key), keys.baseNonce, chunkBytes);
    const body = (from: number, to: number) => paddedSlice(message, from, to);
    const into = sealed.subarray(prefix.length);
    await sealChunks(sealer, body, { bodyBytes, chunkBytes }, into, options);
    return sealed;
  } finally {
    wipeChunkKeys(keys);
  }
}

/**
 * @param options key and purpose, and what the message was bound to
 * @param sealed what sealMessage gave; must not change until the promise settles
 * @returns the message, after its last chunk has verified. A padded message takes the memory of one
 *   copy more for a moment, to shed its padding.
 * @throws EnvelopeError BAD_ENVELOPE when these bytes are no sealed message, TOO_LARGE when
 *   they are more than 64 MiB make, padded and with all recipients
 * @throws AuthenticationError for everything else: wrong key, purpose, origin, associated data, or
 *   altered bytes, never told apart
 * @throws TypeError, RangeError for arguments of a wrong type or length
 */
export async function openMessage(
  options: OpenMessageOptions,
  sealed: Uint8Array,
): Promise<Uint8Array> {
  checkBytes('sealed', sealed);
  if (sealed.length > ONE_SHOT_SEALED_BYTES_MAX) {
    throw tooLarge(sealed.length, ONE_SHOT_SEALED_BYTES_MAX);
  }
  const plan = await beginOpen(options, sealed, sealed.length);
  try {
    const body = await openBody(plan, sealed, options);
    return plan.padded ? withoutPadding(body) : body;
  } finally {
    wipeChunkKeys(plan.keys);
  }
}

function saltOf(options: SealMessageOptions, context: Uint8Array, message: Uint8Array): Uint8Array {
  const { random = NATIVE_RANDOM, salt = random.bytes(SALT_BYTES) } = options;
  return 'salt' in salt ? salt.salt(context, message) : salt;
}

async function openBody(
  { suite, keys, chunksOffset, bodyBytes }: OpenPlan,
  sealed: Uint8Array,
  options: OpenMessageOptions,
): Promise<Uint8Array> {
  const { crypto = NATIVE_CRYPTO } = options;
  const { chunkBytes } = suite;
  const opener = new ChunkOpener(await crypto.aesGcm(keys.key), keys.baseNonce, chunkBytes);
  const body = new Uint8Array(bodyBytes);
  const chunks = sealed.subarray(chunksOffset);
  await openChunks(opener, chunks, { bodyBytes, chunkBytes }, body, options);
  return body;
}

/** Gives the message an array of its own and wipes the padded one, also when it is refused. */
function withoutPadding(body: Uint8Array): Uint8Array {
  try {
    const padding = new PaddingReader();
    padding.read(body);
    return body.slice(0, padding.messageBytes());
  } finally {
    wipe(body);
  }
}

function tooLarge(bytes: number, limit: number): EnvelopeError {
  return new EnvelopeError('TOO_LARGE', `${bytes} bytes at once, at most ${limit} are allowed`);
}
