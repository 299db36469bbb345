/*
 * The operations that each algorithm registers, and the parameters that they read (Web Cryptography
 * API, section 18.4.4), so that a wrong one fails at once and in the standard's order.
 * Members stand in the order of Web IDL: those of the inherited dictionary first, then by name.
 *
 * src/subtle checks their values. test/extension/page/subtle/dictionaries.test.ts compares the two.
 */
import { AEAD_NAMES, AEADS, HAZARDOUS } from '../../../src/crypto/algorithms.ts';
import { KEM_NAMES, SIGNATURE_NAMES } from '../../../src/crypto/post-quantum.ts';
import { freeze, keys } from '../../../src/rpc/primordials.ts';
import type { AlgorithmMember } from '../../../src/rpc/methods/subtle-values.ts';

export type Operation =
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
  /** A hash that need not be an algorithm of `digest`. */
  | 'hashName'
  /** A BufferSource, or several. */
  | 'byteStrings'
  /** A 64-bit number, or a bigint. */
  | 'counter'
  /** A bigint, or big-endian bytes. */
  | 'natural'
  /** Set by the value `true` only. */
  | 'flag'
  /** No parameter, though callers may believe so: ignored, it would have them believe in a protection. */
  | 'refused';

export interface Member {
  readonly name: AlgorithmMember;
  readonly type: MemberType;
  readonly isRequired: boolean;
}
export type Dictionary = readonly Member[];
type Registered = Readonly<Partial<Record<Operation, Dictionary>>>;

const required = (name: AlgorithmMember, type: MemberType): Member =>
  freeze({ name, type, isRequired: true });
const optional = (name: AlgorithmMember, type: MemberType): Member =>
  freeze({ name, type, isRequired: false });

const refused = (name: AlgorithmMember): Member => optional(name, 'refused');

const NONE: Dictionary = [];
const AEAD = [
  optional('additionalData', 'bytes'),
  required('iv', 'bytes'),
  optional('tagLength', 'octet'),
];
const HMAC = [required('hash', 'hash'), optional('length', 'long')];
const RSA = [
  required('modulusLength', 'long'),
  required('publicExponent', 'bigInteger'),
  required('hash', 'hash'),
];
const CURVE = [required('namedCurve', 'text')];
const GROUP = [
  optional('g', 'natural'),
  optional('group', 'text'),
  optional('p', 'natural'),
  optional('q', 'natural'),
];
const SALT = required('salt', 'bytes');
const OUTPUT = required('outputLength', 'long');
const CUSTOM = optional('customization', 'bytes');
const CSHAKE = { digest: [CUSTOM, optional('functionName', 'bytes'), OUTPUT] };
const TURBOSHAKE = { digest: [optional('domainSeparation', 'octet'), OUTPUT] };
const KANGAROO_TWELVE = { digest: [CUSTOM, OUTPUT] };

const ciphers = (params: Dictionary) => ({ encrypt: params, decrypt: params });
const wraps = (params: Dictionary) => ({ wrapKey: params, unwrapKey: params });
const signs = (params: Dictionary) => ({ sign: params, verify: params });
const derives = (params: Dictionary) => ({ deriveBits: params });
const agrees = derives([required('public', 'key')]);

/** Keys whose length is given, those of one length, secrets to derive from, and pairs. */
const sized = { generateKey: [required('length', 'short')], importKey: NONE };
const aesKeys = { ...sized, getKeyLength: sized.generateKey };
const fixedKeys = { generateKey: NONE, importKey: NONE, getKeyLength: NONE };
const secrets = { importKey: NONE, getKeyLength: NONE };
const pairs = (params: Dictionary, importing = params) => ({
  generateKey: params,
  importKey: importing,
});
const kmacLength = [optional('length', 'long')];
const kmac = {
  ...signs([CUSTOM, OUTPUT]),
  generateKey: kmacLength,
  importKey: kmacLength,
  getKeyLength: kmacLength,
};
const memoryHard = {
  ...derives([
    refused('salt'),
    optional('associatedData', 'bytes'),
    required('memory', 'long'),
    required('nonce', 'bytes'),
    required('parallelism', 'long'),
    required('passes', 'long'),
    optional('secretValue', 'bytes'),
    optional('version', 'octet'),
  ]),
  ...secrets,
};
const rsaPairs = pairs(RSA, [required('hash', 'hash')]);

/** Raw building blocks, which are unsafe alone: each use has to set the flag `hazardous`. */
const withFlag = (operations: Registered): Registered => {
  const named = { ...operations } as Record<Operation, Dictionary>;
  const names = keys(named) as Operation[];
  for (const name of names) named[name] = [...named[name], optional('hazardous', 'flag')];
  return named;
};

/** Keys of one length only have no parameter for it. */
const aeads = (): Record<string, Registered> => {
  const rows: Record<string, Registered> = {};
  for (const name of AEAD_NAMES) {
    const hasLength = AEADS[name].keyBits.length > 1;
    rows[name] = { ...ciphers(AEAD), ...(hasLength ? aesKeys : fixedKeys) };
  }
  return rows;
};

/** Post-quantum key pairs, which differ in nothing but their names here. */
const postQuantum = (): Record<string, Registered> => {
  const rows: Record<string, Registered> = {};
  for (const name of KEM_NAMES) {
    rows[name] = { encapsulate: NONE, decapsulate: NONE, ...pairs(NONE) };
  }
  const signing = { ...signs([optional('context', 'bytes')]), ...pairs(NONE) };
  for (const name of SIGNATURE_NAMES) rows[name] = signing;
  return rows;
};

const algorithms: Record<string, Registered> = {
  ...aeads(),
  'AES-SIV': {
    ...ciphers([refused('iv'), optional('additionalData', 'byteStrings')]),
    ...aesKeys,
  },
  'AES-CTR': {
    ...ciphers([required('counter', 'bytes'), required('length', 'octet')]),
    ...aesKeys,
  },
  'AES-CBC': { ...ciphers([required('iv', 'bytes')]), ...aesKeys },
  'AES-ECB': { ...ciphers(NONE), ...aesKeys },
  'AES-KW': { ...wraps(NONE), ...aesKeys },
  'AES-CMAC': { ...signs(NONE), ...aesKeys },
  'AES-CBC-MAC': { ...signs(NONE), ...aesKeys },
  Salsa20: {
    ...ciphers([
      optional('counter', 'counter'),
      required('iv', 'bytes'),
      optional('rounds', 'octet'),
    ]),
    ...aesKeys,
  },
  HMAC: { ...signs(NONE), generateKey: HMAC, importKey: HMAC, getKeyLength: HMAC },
  KMAC128: kmac,
  KMAC256: kmac,
  HKDF: { ...derives([required('hash', 'hash'), required('info', 'bytes'), SALT]), ...secrets },
  PBKDF2: {
    ...derives([required('hash', 'hash'), required('iterations', 'long'), SALT]),
    ...secrets,
  },
  scrypt: {
    ...derives([required('N', 'long'), required('p', 'long'), required('r', 'long'), SALT]),
    ...secrets,
  },
  Argon2d: memoryHard,
  Argon2i: memoryHard,
  Argon2id: memoryHard,
  'SHA-1': { digest: NONE },
  'SHA-256': { digest: NONE },
  'SHA-384': { digest: NONE },
  'SHA-512': { digest: NONE },
  'SHA3-256': { digest: NONE },
  'SHA3-384': { digest: NONE },
  'SHA3-512': { digest: NONE },
  BLAKE2b: { digest: NONE },
  BLAKE3: { digest: NONE },
  cSHAKE128: CSHAKE,
  cSHAKE256: CSHAKE,
  TurboSHAKE128: TURBOSHAKE,
  TurboSHAKE256: TURBOSHAKE,
  KT128: KANGAROO_TWELVE,
  KT256: KANGAROO_TWELVE,
  'RSA-OAEP': {
    ...ciphers([optional('label', 'bytes')]),
    ...wraps([optional('label', 'bytes')]),
    ...rsaPairs,
  },
  'RSASSA-PKCS1-v1_5': { ...signs(NONE), ...rsaPairs },
  'RSA-PSS': { ...signs([required('saltLength', 'long')]), ...rsaPairs },
  ECDH: { ...agrees, ...pairs(CURVE) },
  ECDSA: { ...signs([required('hash', 'hash')]), ...pairs(CURVE) },
  X25519: { ...agrees, ...pairs(NONE) },
  Ed25519: { ...signs(NONE), ...pairs(NONE) },
  X448: { ...agrees, ...pairs(NONE) },
  Ed448: { ...signs([optional('context', 'bytes')]), ...pairs(NONE) },
  DH: { ...agrees, ...pairs(GROUP) },
  DSA: {
    ...signs([required('hash', 'hashName')]),
    ...pairs([required('g', 'natural'), required('p', 'natural'), required('q', 'natural')], NONE),
  },
  ...postQuantum(),
};
for (const name of HAZARDOUS) algorithms[name] = withFlag(algorithms[name]!);

export const ALGORITHMS: Readonly<Record<string, Registered>> = freeze(algorithms);

/** What `importKey('sealwright', …)` reads beside the name. */
export const NAMED_KEY: Dictionary = freeze([
  optional('generation', 'long'),
  optional('hash', 'hash'),
  optional('hazardous', 'flag'),
  optional('length', 'long'),
  optional('namedCurve', 'text'),
]);
