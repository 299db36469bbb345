/*
 * C2SP chunked encryption (c2sp.org/chunked-encryption) without the rest of the format, for whole
 * messages in memory:
 *
 *   salt(24) ‖ commitment(32) ‖ chunk 0 (16,384 + 16) ‖ chunk 1 ‖ … ‖ last chunk (0 … 16,383 + 16)
 */
import { concat, equal } from '../../crypto/bytes.ts';
import {
  AuthenticationError,
  checkBytes,
  checkFixedBytes,
  checkOptions,
  type NamesOf,
} from '../../crypto/errors.ts';
import { deriveChunkKeys, wipeChunkKeys } from '../keys/chunk-keys.ts';
import { ChunkOpener, ChunkSealer } from './chunks.ts';
import { COBBLESTONE_128, COBBLESTONE_256 } from '../wire/suites.ts';
import type { ChunkSuite } from '../wire/suites.ts';
import { openChunks, sealChunks, type WorkOptions } from './pipeline.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../native-crypto.ts';
import { COMMITMENT_BYTES, SALT_BYTES, bodyLength, chunkedLength } from '../wire/sealed-length.ts';

/** Bytes before the chunks. */
const PREFIX_BYTES = SALT_BYTES + COMMITMENT_BYTES;

/** Options of both directions. */
export interface ChunkedOptions extends WorkOptions {
  readonly suite: 'Cobblestone-128' | 'Cobblestone-256';
  /** Uniformly random: 16 bytes for Cobblestone-128, 32 bytes for Cobblestone-256. */
  readonly key: Uint8Array;
  /** Any bytes, possibly none. Not stored; the same bytes are needed to open. */
  readonly context: Uint8Array;
  /** The engine; default: WebCrypto. */
  readonly crypto?: FormatCrypto | undefined;
}

/** Options of encryption. */
export interface ChunkedEncryptOptions extends ChunkedOptions {
  /** 24 bytes, never twice under one key; default: fresh random bytes. */
  readonly salt?: Uint8Array | undefined;
}

/** One set of options may serve both directions: the salt of a message stands in it. */
const OPTIONS: NamesOf<ChunkedEncryptOptions> = {
  suite: true,
  key: true,
  context: true,
  salt: true,
  crypto: true,
  signal: true,
  onProgress: true,
};

/**
 * Encrypts a message.
 *
 * @param message any length that memory holds; must not change until the promise settles
 * @returns 56 bytes and 16 bytes for each chunk more than `message`
 * @throws TypeError, RangeError for arguments of a wrong type or length, and for unknown options
 */
export async function chunkedEncrypt(
  options: ChunkedEncryptOptions,
  message: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const { suite, crypto } = checked(options);
  checkFixedBytes('message', message);
  const salt = options.salt ?? NATIVE_RANDOM.bytes(SALT_BYTES);
  checkBytes('salt', salt, SALT_BYTES);
  const keys = await deriveChunkKeys(crypto, suite, options.key, salt, options.context);
  try {
    const size = { bodyBytes: message.length, chunkBytes: suite.chunkBytes };
    const output = new Uint8Array(PREFIX_BYTES + chunkedLength(message.length, suite.chunkBytes));
    output.set(concat(salt, keys.commitment));
    const sealer = new ChunkSealer(await crypto.aesGcm(keys.key), keys.baseNonce, suite.chunkBytes);
    const body = (from: number, to: number) => message.subarray(from, to);
    await sealChunks(sealer, body, size, output.subarray(PREFIX_BYTES), options);
    return output;
  } finally {
    wipeChunkKeys(keys);
  }
}

/**
 * Decrypts the output of chunkedEncrypt.
 *
 * @param sealed the output of chunkedEncrypt; must not change until the promise settles
 * @returns the message, after its last chunk has verified
 * @throws AuthenticationError if any part does not verify: length, key, context, any byte
 * @throws TypeError, RangeError for arguments of a wrong type or length, and for unknown options
 */
export async function chunkedDecrypt(
  options: ChunkedOptions,
  sealed: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const { suite, crypto } = checked(options);
  checkFixedBytes('sealed', sealed);
  const bodyBytes = bodyLength(sealed.length - PREFIX_BYTES, suite.chunkBytes);
  if (bodyBytes === undefined) throw new AuthenticationError();
  const salt = sealed.subarray(0, SALT_BYTES);
  const keys = await deriveChunkKeys(crypto, suite, options.key, salt, options.context);
  try {
    if (!equal(keys.commitment, sealed.subarray(SALT_BYTES, PREFIX_BYTES))) {
      throw new AuthenticationError();
    }
    const opener = new ChunkOpener(await crypto.aesGcm(keys.key), keys.baseNonce, suite.chunkBytes);
    const message = new Uint8Array(bodyBytes);
    const size = { bodyBytes, chunkBytes: suite.chunkBytes };
    await openChunks(opener, sealed.subarray(PREFIX_BYTES), size, message, options);
    return message;
  } finally {
    wipeChunkKeys(keys);
  }
}

function checked(options: ChunkedOptions): { suite: ChunkSuite; crypto: FormatCrypto } {
  checkOptions('options', options, OPTIONS);
  const suite = [COBBLESTONE_128, COBBLESTONE_256].find(({ name }) => name === options.suite);
  if (!suite) throw new TypeError('suite must be "Cobblestone-128" or "Cobblestone-256"');
  checkFixedBytes('key', options.key, suite.keyBytes);
  checkFixedBytes('context', options.context);
  return { suite, crypto: options.crypto ?? NATIVE_CRYPTO };
}
