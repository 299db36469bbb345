/*
 * The instances of C2SP chunked encryption (c2sp.org/chunked-encryption) that are used here. All use
 * HKDF-Expand with SHA-512. They differ in AEAD, chunk size and the prefix that separates them.
 */
import { CHUNK_BYTES, LARGE_CHUNK_BYTES } from './sealed-length.ts';

/** Parameters of one instance. */
export interface ChunkSuite {
  readonly name: string;
  /** First bytes of the HKDF info, ASCII. */
  readonly prefix: string;
  /** Name in the IANA AEAD registry, ASCII. */
  readonly aead: string;
  readonly keyBytes: 16 | 32;
  readonly chunkBytes: number;
}

const C2SP_PREFIX = 'c2sp.org/chunked-encryption@v1+';

/** Of `chunkedEncrypt` only; no suite of sealed messages. */
export const COBBLESTONE_128: ChunkSuite = {
  name: 'Cobblestone-128',
  prefix: C2SP_PREFIX,
  aead: 'AEAD_AES_128_GCM',
  keyBytes: 16,
  chunkBytes: CHUNK_BYTES,
};

/** Suite 01 of sealed messages: for bodies up to 1 MiB. */
export const COBBLESTONE_256: ChunkSuite = {
  name: 'Cobblestone-256',
  prefix: C2SP_PREFIX,
  aead: 'AEAD_AES_256_GCM',
  keyBytes: 32,
  chunkBytes: CHUNK_BYTES,
};

/** Suite 02 of sealed messages: the same construction with chunks of 1 MiB. */
export const SEALWRIGHT_1MIB: ChunkSuite = {
  name: 'Sealwright-1MiB',
  prefix: 'sealwright/chunked-1MiB@v1+',
  aead: 'AEAD_AES_256_GCM',
  keyBytes: 32,
  chunkBytes: LARGE_CHUNK_BYTES,
};
