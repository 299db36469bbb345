/**
 * The names of algorithms by the interface that their engines have, and what an engine is given beside key, secret and
 * message: the members of the algorithm's row, unless there is a type for them here. All lengths are in bytes.
 */
import type { Sha3Name, ShaName } from '../contracts.ts';
import type { AeadName, HASH_SIZES } from '../algorithms.ts';
import type { CShakeParams } from '../hash/cshake.ts';
import type { KangarooTwelveParams } from '../hash/kangaroo-twelve.ts';
import type { TurboShakeParams } from '../hash/turboshake.ts';
import type { ScryptCost } from '../kdf/scrypt.ts';
import type { SalsaRounds } from '../stream/salsa20.ts';
import type { Dictionary, Member } from './row.ts';
import type {
  AGREEMENTS,
  ALGORITHMS,
  BYTE_SIGNATURES,
  CIPHERS,
  KDFS,
  KMACS,
  MACS,
  PLATFORM,
  POWERS,
  SubtleName,
  XOFS,
} from './table.ts';

/** Every cipher and AEAD. */
export type CipherName = keyof typeof CIPHERS;
/** Every message authentication code whose tag has one length. */
export type MacName = keyof typeof MACS;
/** Every MAC whose caller chooses the length of the tag. */
export type KmacName = keyof typeof KMACS;
/** Every key derivation. */
export type KdfName = keyof typeof KDFS;
/** Every extendable-output function. */
export type XofName = keyof typeof XOFS;
/** Every algorithm that only the platform has. */
export type PlatformName = keyof typeof PLATFORM;
/** Every algorithm that needs only modular exponentiation of an engine. */
export type PowerName = keyof typeof POWERS;
/** Every agreement whose keys are bytes. */
export type AgreementName = keyof typeof AGREEMENTS;
/** Every signature algorithm whose keys are bytes. */
export type ByteSignatureName = keyof typeof BYTE_SIGNATURES;

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

/** Those whose engines are not given the members of the row. */
interface OwnParams extends Record<AeadName, AeadParams> {
  'AES-CTR': CtrParams;
  'AES-CBC': CbcParams;
  'AES-ECB': NoParams;
  'AES-KW': NoParams;
  'AES-SIV': SivParams;
  Salsa20: SalsaParams;
  cSHAKE128: CShakeParams;
  cSHAKE256: CShakeParams;
  TurboSHAKE128: TurboShakeParams;
  TurboSHAKE256: TurboShakeParams;
  KT128: KangarooTwelveParams;
  KT256: KangarooTwelveParams;
  HKDF: HkdfParams;
  PBKDF2: Pbkdf2Params;
  scrypt: ScryptParams;
  Argon2d: Argon2Params;
  Argon2i: Argon2Params;
  Argon2id: Argon2Params;
}

/** The values of members that an engine can be given. */
interface EngineValues {
  readonly bytes: Uint8Array;
  readonly octet: number;
  readonly short: number;
  readonly long: number;
  readonly text: string;
  readonly hash: keyof typeof HASH_SIZES;
  readonly byteStrings: readonly Uint8Array[];
  readonly counter: bigint;
  readonly natural: bigint;
}
type EngineParams<D> = D extends Dictionary
  ? {
      readonly [
        M in D[number] as M['type'] extends keyof EngineValues ? M['name'] : never
      ]: M extends Member<string, infer T extends keyof EngineValues, infer R>
        ? EngineValues[T] | (R extends true ? never : undefined)
        : never;
    }
  : never;
type ParamsOf<A extends SubtleName, O extends string> = A extends keyof OwnParams
  ? OwnParams[A]
  : (typeof ALGORITHMS)[A]['operations'] extends { readonly [K in O]: infer D }
    ? EngineParams<D>
    : never;

/** The parameters of one message, by cipher. */
export type CipherParams = { readonly [A in CipherName]: ParamsOf<A, 'encrypt'> };
/** The parameters of an extendable-output function beside the message, by its name. */
export type XofParams = { readonly [A in XofName]: ParamsOf<A, 'digest'> };
/** The parameters of a key derivation, by its name. */
export type KdfParams = { readonly [A in KdfName]: ParamsOf<A, 'deriveBits'> };
