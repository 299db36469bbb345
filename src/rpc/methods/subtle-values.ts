/*
 * The values of `subtle` (src/client/page-api.ts) as they cross contexts. Parameters are sent nearly
 * as the page gave them: src/subtle alone decides what each algorithm does with them, and in which
 * order it rejects them.
 */
import { MAX_SUBTLE_BYTES } from '../limits.ts';
import {
  array,
  boolean,
  bytes,
  integer,
  literal,
  nullable,
  InvalidValue,
  object,
  optional,
  string,
  union,
} from '../validate.ts';
import type { Infer, Validator } from '../validate.ts';

/** One member of an algorithm. Values of other types are sent as `{}`, which no algorithm accepts. */
export type WireParam =
  | Uint8Array
  | string
  | number
  | boolean
  | null
  | { readonly bigint: string }
  | { readonly key: string }
  | { readonly items: readonly Uint8Array[] }
  | { readonly name?: string };

/** AES-SIV takes 126 (RFC 5297, section 2.6). */
const MAX_ITEMS = 127;
/** Enough for 16,384 bits. */
const MAX_DIGITS = 5000;
const MAX_NAME = 256;

/** The id of a session key in its document. */
export const handle = string(128, 1);
/** Keys in one call of `subtle.dropKeys`. */
export const MAX_DROPPED_KEYS = 1024;
/** At most `MAX_DROPPED_KEYS` ids of session keys. */
export const handles = array(handle, MAX_DROPPED_KEYS);
const text = string(MAX_NAME);
/** One argument of `subtle`: at most 16 MiB. */
export const payload = bytes(MAX_SUBTLE_BYTES);

/** A number as Web IDL takes it: any. */
export const number: Validator<number> = (value, path) => {
  if (typeof value !== 'number') throw new InvalidValue(path, 'a number');
  return value;
};

const param = union(
  'a parameter of an algorithm',
  payload,
  text,
  number,
  boolean,
  literal(null),
  object({ bigint: string(MAX_DIGITS, 1) }),
  object({ key: handle }),
  object({ items: array(payload, MAX_ITEMS) }),
  object({ name: optional(text) }),
) as Validator<WireParam>;

/** Every member that some algorithm reads; others are ignored. */
export const ALGORITHM_MEMBERS = Object.freeze([
  'additionalData',
  'associatedData',
  'context',
  'counter',
  'customization',
  'domainSeparation',
  'functionName',
  'g',
  'generation',
  'group',
  'hash',
  'hazardous',
  'info',
  'iterations',
  'iv',
  'label',
  'length',
  'memory',
  'modulusLength',
  'N',
  'namedCurve',
  'nonce',
  'outputLength',
  'p',
  'parallelism',
  'passes',
  'public',
  'publicExponent',
  'q',
  'r',
  'rounds',
  'salt',
  'saltLength',
  'secretValue',
  'tagLength',
  'version',
] as const);
/** A member that some algorithm reads. */
export type AlgorithmMember = (typeof ALGORITHM_MEMBERS)[number];

type AlgorithmFields = Record<AlgorithmMember, ReturnType<typeof optional<WireParam>>>;
const members = Object.fromEntries(
  ALGORITHM_MEMBERS.map((name) => [name, optional(param)]),
) as AlgorithmFields;

/** An algorithm with its parameters, as it crosses contexts. */
export const algorithm = object({ name: string(MAX_NAME, 1), ...members });
/** An algorithm with its parameters, as it crosses contexts. */
export type WireAlgorithm = Infer<typeof algorithm>;

/** Formats of importKey, exportKey, wrapKey and unwrapKey. */
export const KEY_FORMATS = Object.freeze([
  'raw',
  'raw-public',
  'raw-private',
  'raw-seed',
  'raw-secret',
  'jwk',
  'pkcs8',
  'spki',
] as const);
/** One of `KEY_FORMATS`. */
export const format = literal(...KEY_FORMATS);

/** Usages of a CryptoKey. */
export const KEY_USAGES = Object.freeze([
  'encrypt',
  'decrypt',
  'sign',
  'verify',
  'deriveKey',
  'deriveBits',
  'wrapKey',
  'unwrapKey',
  'encapsulateKey',
  'encapsulateBits',
  'decapsulateKey',
  'decapsulateBits',
] as const);
const usages = array(literal(...KEY_USAGES), 64);

/** The properties that a page asks for in a new key. */
export const requested = { extractable: boolean, usages };

/** RFC 7517 and 7518, and `pub` and `priv` of draft-ietf-cose-dilithium; other members are ignored, as Web IDL does. */
export const JWK_TEXTS = Object.freeze([
  'alg',
  'crv',
  'd',
  'dp',
  'dq',
  'e',
  'k',
  'kty',
  'n',
  'p',
  'priv',
  'pub',
  'q',
  'qi',
  'use',
  'x',
  'y',
] as const);
type JwkText = (typeof JWK_TEXTS)[number];
const jwkText = optional(string(32_768));
const jwkTexts = Object.fromEntries(JWK_TEXTS.map((name) => [name, jwkText])) as Record<
  JwkText,
  typeof jwkText
>;
/** A JSON Web Key. */
export const jwk = object({
  ...jwkTexts,
  ext: optional(boolean),
  key_ops: optional(array(text, 64)),
});
/** A JSON Web Key. */
export type WireJwk = Infer<typeof jwk>;

const natural = optional(string(MAX_DIGITS, 1));

/** What a page may know of a key. Lengths are in bits; p, g and q are decimal. */
export const keyInfo = object({
  handle,
  type: literal('secret', 'private', 'public'),
  extractable: boolean,
  algorithm: object({
    name: text,
    length: optional(integer(0)),
    hash: optional(object({ name: text })),
    namedCurve: optional(text),
    modulusLength: optional(integer(0)),
    publicExponent: optional(bytes(4096)),
    p: natural,
    g: natural,
    q: natural,
  }),
  usages,
});
/** What a page may know of a session key. */
export type WireKeyInfo = Infer<typeof keyInfo>;

/** Names of the errors that a page's `subtle` rejects with: DOMExceptions, and Web IDL's TypeError. */
export const SUBTLE_ERRORS = Object.freeze([
  'TypeError',
  'SyntaxError',
  'NotSupportedError',
  'InvalidAccessError',
  'DataError',
  'OperationError',
  'QuotaExceededError',
] as const);
/** The name of an error that `subtle` can reject with. */
export type SubtleErrorName = (typeof SUBTLE_ERRORS)[number];

/** A mistake that the Web Cryptography API has a name for is a result, not a failure of the call. */
export function outcome<T>(value: Validator<T>) {
  return union(
    'a value or an error',
    object({ value }),
    object({ error: object({ name: literal(...SUBTLE_ERRORS), message: string(4096) }) }),
  );
}
/** A value, or an error that the Web Cryptography API has a name for. */
export type Outcome<T> =
  | { readonly value: T }
  | { readonly error: { readonly name: SubtleErrorName; readonly message: string } };

/** deriveBits: `unsigned long?`. */
export const bitLength = nullable(integer(0, 0xffffffff));
