import { wipe } from '../crypto/bytes.ts';
import type { ALGORITHMS, SubtleName } from '../crypto/subtle/table.ts';
import { operationError } from './errors.ts';
import type { SubtleKey, SubtleKeyPair } from './key.ts';

/**
 * The parameters of all algorithms, named as in the Web Cryptography API. The definition of an
 * algorithm says which of them it reads.
 */
export interface SubtleParams {
  readonly name: string;
  /** Nonce or initialization vector. */
  readonly iv?: BufferSource;
  /** AES-SIV takes several. */
  readonly additionalData?: BufferSource | readonly BufferSource[];
  /** Bits. */
  readonly tagLength?: number;
  /** AES-CTR: the first counter block, 16 bytes. Salsa20: the number of the first block. */
  readonly counter?: BufferSource | number | bigint;
  /** Bits: of a key; AES-CTR: of the counter. */
  readonly length?: number;
  /** cSHAKE, TurboSHAKE, KangarooTwelve, KMAC: bits. */
  readonly outputLength?: number;
  /** cSHAKE: a name of NIST's. */
  readonly functionName?: BufferSource;
  /** cSHAKE, KangarooTwelve, KMAC: separates the uses of an application. */
  readonly customization?: BufferSource;
  /** TurboSHAKE: 1 to 127; 31 unless given. */
  readonly domainSeparation?: number;
  readonly hash?: string | { readonly name: string };
  readonly salt?: BufferSource;
  readonly info?: BufferSource;
  readonly iterations?: number;
  /** Salsa20: 8, 12 or 20. */
  readonly rounds?: number;
  /** scrypt: cost, block size and parallelism. */
  readonly N?: number;
  readonly r?: number;
  /** scrypt: parallelism. DH and DSA: the modulus. */
  readonly p?: number | bigint | BufferSource;
  /** Argon2: the salt. */
  readonly nonce?: BufferSource;
  /** Argon2: KiB. */
  readonly memory?: number;
  readonly passes?: number;
  readonly parallelism?: number;
  readonly version?: number;
  readonly secretValue?: BufferSource;
  readonly associatedData?: BufferSource;
  /** RSA: bits. */
  readonly modulusLength?: number;
  readonly publicExponent?: Uint8Array;
  /** RSA-PSS: bytes. */
  readonly saltLength?: number;
  /** RSA-OAEP */
  readonly label?: BufferSource;
  /** ML-DSA, SLH-DSA, Ed448: at most 255 bytes. */
  readonly context?: BufferSource;
  /** ECDH, ECDSA */
  readonly namedCurve?: string;
  /** ECDH, X25519, X448, DH: the other's key. */
  readonly public?: SubtleKey;
  /** DH: a group of RFC 7919 or RFC 3526, in place of p and g. */
  readonly group?: string;
  /** DH and DSA: the generator and its order. */
  readonly g?: bigint | BufferSource;
  readonly q?: bigint | BufferSource;
  /**
   * encrypt and decrypt only: the memory for the result, which may overlap the data, the key's and all other
   * parameters' bytes anywhere. Without it the data are copied when the method is called. With it they are copied only
   * if they overlap it and do not begin at the same byte: the caller must not change them until the promise settles.
   */
  readonly into?: Uint8Array;
  /**
   * encrypt, decrypt and digest only: the promise rejects with its reason. The engine wasm-threads ends at once, and
   * what is in `into` then has no meaning; the others notice it at their end.
   */
  readonly signal?: AbortSignal;
}

/** AlgorithmIdentifier; names are compared without regard to case. */
export type SubtleAlgorithm = string | SubtleParams;

/** The algorithms whose keys come in pairs. */
type PairName = {
  [A in SubtleName]: (typeof ALGORITHMS)[A]['operations'] extends { readonly getKeyLength: unknown }
    ? never
    : (typeof ALGORITHMS)[A]['operations'] extends { readonly generateKey: unknown }
      ? A
      : never;
}[SubtleName];

type NameOf<A extends SubtleAlgorithm> = A extends SubtleParams ? A['name'] : A;

/** Parameters that only key pairs have, by name, as those of elliptic curves, or as those of RSA. */
export type PairParams =
  | PairName
  | { readonly name: PairName }
  | { readonly name: string; readonly namedCurve: string }
  | { readonly name: string; readonly modulusLength: number };

/** What generateKey makes; a name known only when it runs may be of either kind. */
export type GeneratedKey<A extends SubtleAlgorithm> =
  NameOf<A> extends PairName
    ? SubtleKeyPair
    : string extends NameOf<A>
      ? SubtleKey | SubtleKeyPair
      : SubtleKey;

/**
 * Clears, in place, the bits of the last byte after the first `lengthBits`.
 *
 * @param bytes as many as `lengthBits` needs
 */
export function firstBits(bytes: Uint8Array, lengthBits: number): Uint8Array {
  if (lengthBits % 8 !== 0) bytes[bytes.length - 1]! &= 0xff00 >> (lengthBits % 8);
  return bytes;
}

/**
 * What deriveBits takes of a shared secret: all of it, or its first bits in an array of their own; the secret is
 * wiped then.
 *
 * @throws OperationError (DOMException) if it has fewer
 */
export function firstBitsOf(
  name: string,
  secret: Uint8Array,
  lengthBits: number | null,
): Uint8Array {
  if (lengthBits === null) return secret;
  if (lengthBits > 8 * secret.length) {
    throw operationError(`${name}: the secret has only ${8 * secret.length} bits`);
  }
  const bits = firstBits(secret.slice(0, Math.ceil(lengthBits / 8)), lengthBits);
  wipe(secret);
  return bits;
}
