/**
 * The dictionaries of `subtle` as data: which members each operation of an algorithm reads (Web Cryptography API, section
 * 18.4.4). Members stand in the order of Web IDL: those of the inherited dictionary first, then by name.
 */

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

/** A member that has to be there. */
export const required = <N extends string, T extends MemberType>(name: N, type: T) =>
  ({ name, type, isRequired: true }) as const;
/** A member that may be absent. */
export const optional = <N extends string, T extends MemberType>(name: N, type: T) =>
  ({ name, type, isRequired: false }) as const;
