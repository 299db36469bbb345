/* The keys and nonces of one message: C2SP chunked encryption, "Key derivation" and "AEAD usage". */
import { concat, utf8, wipe } from '../../crypto/bytes.ts';
import type { ChunkSuite } from '../wire/suites.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import { CHUNKS_MAX } from '../wire/limits.ts';
import { COMMITMENT_BYTES } from '../wire/sealed-length.ts';

/** AES-GCM nonce (RFC 5116 section 5.1). */
export const NONCE_BYTES = 12;

/** The keys of one message. They open no other. */
export interface ChunkKeys {
  /** AES key, 16 or 32 bytes. */
  readonly key: Uint8Array;
  /** 12 bytes; chunk n uses it XOR n. */
  readonly baseNonce: Uint8Array;
  /** 32 bytes, public: binds the message to input key and context. */
  readonly commitment: Uint8Array;
}

/**
 * Derives the keys of one message:
 *
 * key ‖ base nonce ‖ commitment =
 *   HKDF-Expand(prk = input key, info = prefix ‖ aead ‖ 00 ‖ salt ‖ context)
 *
 * @param inputKey uniformly random, `suite.keyBytes` bytes
 * @param salt 24 bytes, never twice under one input key
 */
export async function deriveChunkKeys(
  crypto: FormatCrypto,
  suite: ChunkSuite,
  inputKey: Uint8Array,
  salt: Uint8Array,
  context: Uint8Array,
): Promise<ChunkKeys> {
  const info = concat(chunkKeyLabel(suite), salt, context);
  return cutChunkKeys(suite, await crypto.expand(inputKey, info, chunkKeyBytes(suite)));
}

/** prefix ‖ aead ‖ 00: the beginning of the info. */
export function chunkKeyLabel({ prefix, aead }: ChunkSuite): Uint8Array {
  return utf8(`${prefix}${aead}\0`);
}

/** Bytes of key, base nonce and commitment together. */
export function chunkKeyBytes({ keyBytes }: ChunkSuite): number {
  return keyBytes + NONCE_BYTES + COMMITMENT_BYTES;
}

/** Splits the output of the derivation. @returns views of it */
export function cutChunkKeys({ keyBytes }: ChunkSuite, output: Uint8Array): ChunkKeys {
  return {
    key: output.subarray(0, keyBytes),
    baseNonce: output.subarray(keyBytes, keyBytes + NONCE_BYTES),
    commitment: output.subarray(keyBytes + NONCE_BYTES),
  };
}

/** Overwrites the bytes. An engine may still hold copies of the key until it is collected. */
export function wipeChunkKeys(keys: ChunkKeys): void {
  wipe(keys.key, keys.baseNonce, keys.commitment);
}

/**
 * C2SP chunked encryption, "AEAD usage": nonce = base nonce XOR chunk number, the number as a
 * big-endian integer as wide as the nonce; below 2^38 it touches the last 5 bytes only.
 *
 * @param baseNonce 12 bytes, not changed
 * @throws RangeError from chunk number 2^38 on, the limit of the construction
 */
export function chunkNonce(baseNonce: Uint8Array, chunkNumber: number): Uint8Array {
  if (chunkNumber >= CHUNKS_MAX) throw new RangeError('a message has at most 2^38 chunks');
  const nonce = new Uint8Array(baseNonce);
  for (
    let at = nonce.length - 1, rest = chunkNumber;
    rest > 0;
    at--, rest = Math.floor(rest / 256)
  ) {
    nonce[at]! ^= rest % 256;
  }
  return nonce;
}
