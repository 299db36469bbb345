/** What an engine is given beside key, secret and message. All lengths are in bytes. */
import type { Sha3Name, ShaName } from '../contracts.ts';
import type { ScryptCost } from '../kdf/scrypt.ts';
import type { SalsaRounds } from '../stream/salsa20.ts';

/** The hashes for HMAC, HKDF and PBKDF2. BLAKE2b and BLAKE3 have their own keyed modes. */
export type MacHashName = ShaName | Sha3Name;

/** The parameters of one message of an AEAD. */
export interface AeadParams {
  /** To encrypt: never used before under this key. */
  readonly nonce: Uint8Array;
  readonly associatedData: Uint8Array;
  readonly tagBytes: number;
}

/** The parameters of one message of AES-CTR. */
export interface CtrParams {
  /** The first counter block, 16 bytes. */
  readonly counter: Uint8Array;
  /** The number of low bits that count (1 … 128); the others do not change. */
  readonly counterBits: number;
}

/** The parameters of one message of AES-CBC. */
export interface CbcParams {
  /** 16 bytes. Padding is PKCS#7, as in the Web Cryptography API. */
  readonly iv: Uint8Array;
}

/** The parameters of one message of AES-SIV, which needs no nonce. */
export interface SivParams {
  /** Up to 126 strings; their number and boundaries are authenticated (RFC 5297, section 2.6). */
  readonly associatedData: readonly Uint8Array[];
}

/** The parameters of one message of Salsa20. */
export interface SalsaParams {
  /** 8 bytes */
  readonly nonce: Uint8Array;
  readonly rounds: SalsaRounds;
  /** Number of the first block, 0 … 2^64 - 1 */
  readonly counter: number | bigint;
}

/** ECB and key wrap have no parameters. */
export type NoParams = Readonly<Record<string, never>>;

/** RFC 5869: extract and expand in one call. */
export interface HkdfParams {
  readonly hash: MacHashName;
  readonly salt: Uint8Array;
  readonly info: Uint8Array;
}

/** RFC 8018, section 5.2. */
export interface Pbkdf2Params {
  readonly hash: MacHashName;
  readonly salt: Uint8Array;
  readonly iterations: number;
}

/** RFC 7914; the cost is N, r and p. */
export interface ScryptParams extends ScryptCost {
  readonly salt: Uint8Array;
}

/** RFC 9106, section 3.1; version 0x13. */
export interface Argon2Params {
  /** S */
  readonly nonce: Uint8Array;
  /** m */
  readonly memoryKiB: number;
  /** t */
  readonly passes: number;
  /** p */
  readonly parallelism: number;
  /** K */
  readonly secret: Uint8Array;
  /** X */
  readonly associatedData: Uint8Array;
}
