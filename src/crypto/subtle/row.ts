/**
 * The types of a row of the table of algorithms: the dictionaries of its operations, which say what these read (Web
 * Cryptography API, section 18.4.4), and what the operations cost. Members stand in the order of Web IDL: those of the
 * inherited dictionary first, then by name.
 */
import type { HASH_SIZES } from '../algorithms.ts';

/** The operations that an algorithm can register, and whose parameters have a dictionary. */
export type RegisteredOperation =
  | 'encrypt'
  | 'decrypt'
  | 'sign'
  | 'verify'
  | 'digest'
  | 'generateKey'
  | 'importKey'
  | 'getKeyLength'
  | 'deriveBits'
  | 'wrapKey'
  | 'unwrapKey'
  | 'encapsulate'
  | 'decapsulate';

/** The types of Web IDL; `byteStrings`, `counter`, `natural` and `hashName` are wider than it has. */
export type MemberType =
  | 'bytes'
  /** BigInteger: a Uint8Array. */
  | 'bigInteger'
  /** [EnforceRange], of 8, 16 and 32 bits. */
  | 'octet'
  | 'short'
  | 'long'
  | 'text'
  | 'key'
  /** HashAlgorithmIdentifier */
  | 'hash'
  /** The same, or SHA-224, which only DSA uses. */
  | 'hashName'
  /** A BufferSource, or several. */
  | 'byteStrings'
  /** A 64-bit number, or a bigint. */
  | 'counter'
  /** A bigint, or big-endian bytes. */
  | 'natural'
  /** Set by the value `true` only. */
  | 'flag'
  /** Not a parameter, though callers may believe so: ignored, it would have them believe in a protection. */
  | 'refused';

/** One member of a dictionary. */
export interface Member<
  N extends string = string,
  T extends MemberType = MemberType,
  R extends boolean = boolean,
> {
  readonly name: N;
  readonly type: T;
  readonly isRequired: R;
}
/** The members that one operation reads. */
export type Dictionary = readonly Member[];
/** The operations that an algorithm registers, each with its dictionary. */
export type Operations = Readonly<Partial<Record<RegisteredOperation, Dictionary>>>;

type HashName = keyof typeof HASH_SIZES;

/** The group of a key of DH or DSA, or of one that is to be made. */
export interface GroupLengths {
  readonly modulusBits: number;
  /** Of the order, where it is given. */
  readonly orderBits: number | undefined;
  /** Of the order, given or known, unless the modulus is a safe prime. */
  readonly subgroupBits: number | undefined;
  /** One of those that have a name. */
  readonly isNamed: boolean;
}

/** What a price depends on. What is not a number or not an algorithm is refused before any work, and costs nothing. */
export interface Lengths {
  /** By the members' names: integers as they are; how many bytes others have, or bits if they are of type `natural`. */
  readonly members: Readonly<Record<string, number>>;
  readonly hash: HashName;
  /** How much is derived. */
  readonly derivedBytes: number;
  /** Of key data that are imported. */
  readonly keyDataBytes: number;
  /** How a private key is written that is read or written with its public half. */
  readonly pairIn: 'jwk' | 'pkcs8' | undefined;
  /** Of a key of RSA; the largest where it is not read yet. A public exponent is the page's choice, too. */
  readonly modulusBits: number;
  readonly exponentBits: number;
  readonly group: () => GroupLengths | undefined;
}

/** A bound beside the effort: its text, what is measured, and how much may be or, in bytes, has to be. */
export interface Limit {
  readonly what: string;
  readonly of: (lengths: Lengths) => number;
  readonly most?: number;
  readonly least?: number;
}

/** In ns, or computed from lengths. */
export type Price = number | ((lengths: Lengths) => number);

/** Operations that have prices: those with parameters, and those that read a key alone. */
export type PricedOperation = RegisteredOperation | 'exportKey' | 'getPublicKey';
/** The prices of an algorithm; what has none costs nothing beside its bytes. */
export type Prices = Readonly<Partial<Record<PricedOperation, Price>>>;
/** The limits of an algorithm: the first that a call exceeds is named. */
export type Limits = Readonly<Partial<Record<PricedOperation, readonly Limit[]>>>;

/** One algorithm. */
export interface Row {
  readonly operations: Operations;
  readonly prices?: Prices;
  readonly limits?: Limits;
  /** A raw building block, unsafe alone. Pages get it by `{ hazardous: true }` only. */
  readonly isHazardous?: true;
  /**
   * Whether one who may encrypt under a nonce of their choice can decrypt as well. ECB, CBC and KW need
   * the inverse cipher to decrypt, and SIV's key stream follows from the plaintext.
   */
  readonly encryptingDecrypts?: boolean;
  /** The length of a derived key over a hash, where it is neither given nor 256 bits. */
  readonly keyBits?: (hash: Lengths['hash']) => number;
  /** How much an agreement derives, where that does not depend on the key. */
  readonly secretBits?: number;
}
/** Some algorithms, by their names. */
export type Rows = Readonly<Record<string, Row>>;
