import { HASH_SIZES } from '../../crypto/algorithms.ts';
import { toBigint } from '../../crypto/bigint/integers.ts';
import { bitLength } from '../../crypto/bigint/modular.ts';
import { groupNameOf, knownOrder, namedGroup } from '../../crypto/classical/dh-groups.ts';
import { KEMS, type SignatureName } from '../../crypto/post-quantum.ts';
import { MAX_SUBTLE_BYTES } from '../../rpc/limits.ts';
import type { WireAlgorithm, WireParam } from '../../rpc/methods/subtle-values.ts';
import type { InputOf, SubtleOperation } from '../../rpc/workshop.ts';
import type { StoredAlgorithm } from '../../subtle/stored-key.ts';
import { subtleError } from './errors.ts';

/*
 * The effort of a call of `subtle`: how many ms a slow core needs for the work whose time does not
 * depend on bytes. It is computed from the parameters by fixed prices, so that a call that is
 * accepted on one machine is accepted on all. docs/subtle.md lists the bounds.
 *
 * Parameters are read as they came. What is not a number or not an algorithm costs nothing: the workshop
 * refuses it before any work.
 */

const MIB = 1024 * 1024;

/** What one call may cost at most. */
export const BOUNDS = {
  /** Above this no page gets an answer, and a background that works cannot be stopped. */
  effortMs: 2_000,
  /** Argon2 and scrypt. */
  memoryBytes: 256 * MIB,
  /** Argon2: passes and parallelism, scrypt: p. */
  passes: 16,
  parallelism: 16,
  /** Argon2: RFC 9106, section 3.1 recommends 16. */
  minNonceBytes: 8,
  argon2Bytes: 1024,
  /** A digest or tag whose length the page chooses: 8 ms on a slow core. */
  outputBytes: MIB,
  /** Any other derivation. */
  derivedBytes: MAX_SUBTLE_BYTES,
  /** A key of HMAC that is made or derived: what a site may keep in all. */
  keyBits: 8 * MIB,
  /** RSA, DH, DSA. */
  modulusBits: 8192,
  /** The same keys as bytes. */
  keyDataBytes: 16 * 1024,
} as const;

/**
 * Prices in ns, from the slower of both browsers on two cores that other work shares, rounded up.
 * The derivations are those of WebCrypto and WebAssembly; SHA-3 has no faster one than ours.
 */
const PRICES = {
  /** For a block of 1 KiB in one pass. */
  argon2: 2_000,
  /** For a step of ROMix over 128 bytes, twice. */
  scrypt: 400,
  /** For an iteration of PBKDF2, which hashes two blocks. */
  iteration: { 'SHA-1': 400, 'SHA-256': 400, 'SHA-384': 800, 'SHA-512': 800 },
  sha3Iteration: 2_000,
  /** For a round of Keccak: an iteration is two permutations of 24. */
  keccakRound: 42,
  /** For a bit³ of a power, and of the test whether a modulus is prime. */
  powerBit3: 0.0016,
  primalityBit3: 0.008,
  /** For a bit³ of a power of RSA under a private key: 33 ms at 8,192 bits. */
  rsaBit3: 6e-5,
  /** For a bit² of a key of RSA that is read: 2 ms at 8,192 bits. */
  rsaBit2: 0.03,
  /** For a bit⁴ of a new modulus: 2 s at 4,096 bits. */
  rsaBit4: 2e9 / 4096 ** 4,
} as const;

/** The extendable-output functions and KMAC: bits of security, and the rounds of Keccak. */
const SPONGES = {
  // SP 800-185, sections 3 and 4
  cSHAKE128: { strength: 128, rounds: 24 },
  cSHAKE256: { strength: 256, rounds: 24 },
  KMAC128: { strength: 128, rounds: 24 },
  KMAC256: { strength: 256, rounds: 24 },
  // RFC 9861, sections 2 and 3
  TurboSHAKE128: { strength: 128, rounds: 12 },
  TurboSHAKE256: { strength: 256, rounds: 12 },
  KT128: { strength: 128, rounds: 12 },
  KT256: { strength: 256, rounds: 12 },
} as const;

const NS_PER_MS = 1e6;

/** In ms, for each of the three operations of a KEM. */
export const KEM_EFFORT_MS = 5;

/** In ms: a key pair, a public key and an agreement of X448 in JavaScript. */
const X448_MS = { keyPair: 5, agree: 10 } as const;

/** In ms, in JavaScript. ML-DSA repeats a signature until it fits: these are about twice the mean. */
const SIGNATURE_MS: Readonly<
  Record<SignatureName | 'Ed448', Readonly<Record<'keyPair' | 'sign' | 'verify', number>>>
> = {
  Ed448: { keyPair: 5, sign: 8, verify: 15 },
  'ML-DSA-44': { keyPair: 5, sign: 20, verify: 5 },
  'ML-DSA-65': { keyPair: 8, sign: 20, verify: 8 },
  'ML-DSA-87': { keyPair: 12, sign: 25, verify: 12 },
  'SLH-DSA-SHA2-128s': { keyPair: 1_000, sign: 8_000, verify: 10 },
  'SLH-DSA-SHA2-128f': { keyPair: 100, sign: 500, verify: 25 },
  'SLH-DSA-SHA2-192s': { keyPair: 1_500, sign: 16_000, verify: 15 },
  'SLH-DSA-SHA2-192f': { keyPair: 110, sign: 700, verify: 30 },
  'SLH-DSA-SHA2-256s': { keyPair: 1_200, sign: 14_000, verify: 15 },
  'SLH-DSA-SHA2-256f': { keyPair: 200, sign: 1_600, verify: 50 },
  'SLH-DSA-SHAKE-128s': { keyPair: 3_800, sign: 28_000, verify: 30 },
  'SLH-DSA-SHAKE-128f': { keyPair: 80, sign: 1_500, verify: 80 },
  'SLH-DSA-SHAKE-192s': { keyPair: 5_500, sign: 50_000, verify: 40 },
  'SLH-DSA-SHAKE-192f': { keyPair: 90, sign: 2_000, verify: 120 },
  'SLH-DSA-SHAKE-256s': { keyPair: 3_800, sign: 46_000, verify: 60 },
  'SLH-DSA-SHAKE-256f': { keyPair: 240, sign: 4_700, verify: 130 },
};

/** HMAC takes two blocks for its inner and two for its outer hash. */
const BLOCKS_OF_HMAC = 4;

/** Of a key that a derivation makes: AEADs without a length have 256 bits, KMAC no more. */
const DERIVED_BITS = 256;

const PAIRS_OF_RSA = ['RSA-OAEP', 'RSASSA-PKCS1-v1_5', 'RSA-PSS'];

/** The names that are read here, by their lower case. */
const NAMES: ReadonlyMap<string, string> = new Map(
  [
    ...Object.keys(SIGNATURE_MS),
    ...Object.keys(KEMS),
    ...Object.keys(SPONGES),
    ...PAIRS_OF_RSA,
    ...['X448', 'DH', 'DSA', 'HMAC', 'HKDF', 'PBKDF2', 'scrypt', 'Argon2d', 'Argon2i', 'Argon2id'],
  ].map((name) => [name.toLowerCase(), name]),
);

type Params<M extends SubtleOperation> = InputOf<M>['params'];
type EffortOf<M extends SubtleOperation> = (
  params: Params<M>,
  keys: readonly StoredAlgorithm[],
) => number;

const EFFORTS: { readonly [M in SubtleOperation]: EffortOf<M> } = {
  'subtle.decapsulateBits': () => KEM_EFFORT_MS,
  'subtle.decapsulateKey': () => KEM_EFFORT_MS,
  'subtle.decrypt': (_params, keys) => rsaEffort(keys, 'private'),
  'subtle.deriveBits': ({ algorithm, length }, [key]) => deriveEffort(algorithm, key!, length),
  'subtle.deriveKey': ({ algorithm, derivedKeyType }, [key]) =>
    deriveEffort(algorithm, key!, derivedKeyBits(derivedKeyType)),
  'subtle.digest': ({ algorithm }) => outputEffort(algorithm),
  'subtle.encapsulateBits': () => KEM_EFFORT_MS,
  'subtle.encapsulateKey': () => KEM_EFFORT_MS,
  'subtle.encrypt': (_params, keys) => rsaEffort(keys, 'public'),
  'subtle.exportKey': (_params, keys) => rsaEffort(keys, 'none'),
  'subtle.generateKey': ({ algorithm }) => generateEffort(algorithm),
  'subtle.getPublicKey': (_params, keys) => publicKeyEffort(keys[0]!) + rsaEffort(keys, 'none'),
  'subtle.importKey': ({ algorithm, keyData }) =>
    importEffort(algorithm, keyData instanceof Uint8Array ? keyData.length : 0),
  'subtle.sign': ({ algorithm }, [key]) => signEffort(algorithm, key!, 'sign'),
  'subtle.unwrapKey': ({ unwrappedKeyAlgorithm, wrappedKey }, keys) =>
    importEffort(unwrappedKeyAlgorithm, wrappedKey.length) + rsaEffort(keys, 'private'),
  'subtle.verify': ({ algorithm }, [key]) => signEffort(algorithm, key!, 'verify'),
  'subtle.wrapKey': (_params, keys) => rsaEffort(keys, 'public'),
};

/**
 * @param keys of the keys that the call names, its own first
 * @throws OperationError (DOMException) that names the bound, before any work
 */
export function effortOf<M extends SubtleOperation>(
  method: M,
  params: Params<M>,
  keys: readonly StoredAlgorithm[],
): number {
  return EFFORTS[method](params, keys);
}

function deriveEffort(
  algorithm: WireAlgorithm,
  key: StoredAlgorithm,
  lengthBits: number | null,
): number {
  const name = nameOf(algorithm);
  const lengthBytes = Math.ceil((lengthBits ?? 0) / 8);
  require(name, 'length in bytes', lengthBytes, BOUNDS.derivedBytes);
  return bounded(name, deriveNs(name, algorithm, key, lengthBytes));
}

/** The length in bits that `deriveKey` asks for, as far as a price depends on it. */
function derivedKeyBits(derivedKeyType: WireAlgorithm): number {
  const { length } = derivedKeyType;
  const name = nameOf(derivedKeyType);
  const ofHmac = 8 * sizesOf(hashOf(derivedKeyType)).blockBytes;
  const bits = numberOf(length ?? (name === 'HMAC' ? ofHmac : DERIVED_BITS));
  require(name, 'length in bits', bits, BOUNDS.keyBits);
  return bits;
}

function generateEffort(algorithm: WireAlgorithm): number {
  const name = nameOf(algorithm);
  require(name, 'length in bits', numberOf(algorithm.length ?? 0), BOUNDS.keyBits);
  if (isRsa(name)) {
    const bits = numberOf(algorithm.modulusLength);
    require(name, 'modulus in bits', bits, BOUNDS.modulusBits);
    return bounded(name, bits ** 4 * PRICES.rsaBit4) + rsaEffort([{ name }], 'none');
  }
  if (Object.hasOwn(SIGNATURE_MS, name)) {
    return bounded(name, SIGNATURE_MS[name as keyof typeof SIGNATURE_MS].keyPair * NS_PER_MS);
  }
  if (name === 'X448') return X448_MS.keyPair;
  if (Object.hasOwn(KEMS, name)) return KEM_EFFORT_MS;
  if (name !== 'DH' && name !== 'DSA') return 0;
  requireSmallNumbers(name, algorithm);
  const group = groupIn(name, algorithm);
  return group === undefined ? 0 : bounded(name, newPairNs(group));
}

/** Of a signature or tag to make or to verify. */
function signEffort(
  params: WireAlgorithm,
  key: StoredAlgorithm,
  operation: 'sign' | 'verify',
): number {
  const { name, p, q } = key;
  if (isSponge(name)) return outputEffort(params);
  if (isRsa(name)) return rsaEffort([key], operation === 'sign' ? 'private' : 'public');
  if (Object.hasOwn(SIGNATURE_MS, name)) {
    return bounded(name, SIGNATURE_MS[name as keyof typeof SIGNATURE_MS][operation] * NS_PER_MS);
  }
  if (name !== 'DSA' || p === undefined || q === undefined) return 0;
  // The check of the group and of y, and two powers of the signature.
  return bounded(name, 4 * powerNs(bitLength(BigInt(p)), bitLength(BigInt(q))));
}

/** What an operation does with its key of RSA, beside reading it. */
type RsaPower = 'private' | 'public' | 'none';

/** Of the keys of RSA among those of a call. A public exponent is the page's choice, too. */
function rsaEffort(keys: readonly StoredAlgorithm[], power: RsaPower): number {
  const ofRsa = keys.filter(({ name }) => isRsa(name));
  return ofRsa.reduce((sum, key) => sum + rsaKeyNs(key, power) / NS_PER_MS, 0);
}

/** One that is not read yet is priced as the largest. */
function rsaKeyNs(
  { modulusLength = BOUNDS.modulusBits, publicExponent = '' }: StoredAlgorithm,
  power: RsaPower,
): number {
  const exponentBits = 6 * publicExponent.length; // base64url
  // By the Chinese remainder theorem a private one takes a quarter.
  const bits = { private: modulusLength, public: 4 * exponentBits, none: 0 }[power];
  return modulusLength ** 2 * (PRICES.rsaBit2 + bits * PRICES.rsaBit3);
}

/** Of the public key of a private one. */
function publicKeyEffort({ name, p = '0', q }: StoredAlgorithm): number {
  if (name === 'DH' || name === 'DSA') {
    const bits = bitLength(BigInt(p));
    return bounded(name, powerNs(bits, q === undefined ? bits : bitLength(BigInt(q))));
  }
  // A private key of SLH-DSA contains it.
  if (name.startsWith('ML-DSA') || name === 'Ed448') {
    return SIGNATURE_MS[name as keyof typeof SIGNATURE_MS].keyPair;
  }
  if (name === 'X448') return X448_MS.keyPair;
  return Object.hasOwn(KEMS, name) ? KEM_EFFORT_MS : 0;
}

/** Of a key that is read. */
function importEffort(algorithm: WireAlgorithm, bytes: number): number {
  const name = nameOf(algorithm);
  if (!isRsa(name) && name !== 'DH' && name !== 'DSA') return 0;
  requireSmallNumbers(name, algorithm);
  require(name, 'key data in bytes', bytes, BOUNDS.keyDataBytes);
  return rsaEffort([{ name }], 'none');
}

/**
 * What a key that was read must keep to.
 *
 * @throws OperationError (DOMException) that names the bound
 */
export function checkModulus({ name, modulusLength, p, q, g }: StoredAlgorithm): void {
  const bits = [p, q, g].map((number) => (number === undefined ? 0 : bitLength(BigInt(number))));
  require(name, 'modulus in bits', Math.max(modulusLength ?? 0, ...bits), BOUNDS.modulusBits);
}

function deriveNs(
  name: string,
  algorithm: WireAlgorithm,
  key: StoredAlgorithm,
  lengthBytes: number,
): number {
  switch (name) {
    case 'Argon2d':
    case 'Argon2i':
    case 'Argon2id':
      return argon2Ns(name, algorithm, lengthBytes);
    case 'scrypt':
      return scryptNs(algorithm, lengthBytes);
    case 'PBKDF2':
      return pbkdf2Ns(algorithm, lengthBytes);
    case 'HKDF':
      return hkdfNs(algorithm, lengthBytes);
    case 'DH':
      return agreementNs(key);
    case 'X448':
      return X448_MS.agree * NS_PER_MS;
    default:
      return 0;
  }
}

function argon2Ns(name: string, algorithm: WireAlgorithm, lengthBytes: number): number {
  const kib = numberOf(algorithm.memory);
  const passes = numberOf(algorithm.passes);
  const inputs = [algorithm.nonce, algorithm.associatedData, algorithm.secretValue];
  require(name, 'memory in KiB', kib, BOUNDS.memoryBytes / 1024);
  require(name, 'passes', passes, BOUNDS.passes);
  require(name, 'parallelism', numberOf(algorithm.parallelism), BOUNDS.parallelism);
  require(name, 'length in bytes', lengthBytes, BOUNDS.argon2Bytes);
  if (lengthOf(algorithm.nonce) < BOUNDS.minNonceBytes) {
    throw tooMuch(`${name}: nonce has at least ${BOUNDS.minNonceBytes} bytes`);
  }
  const inputBytes = inputs.reduce<number>((sum, input) => sum + lengthOf(input), 0);
  return (kib * passes + 4 * Math.floor(inputBytes / 1024)) * PRICES.argon2;
}

function scryptNs(algorithm: WireAlgorithm, lengthBytes: number): number {
  const [N, r, p] = [numberOf(algorithm.N), numberOf(algorithm.r), numberOf(algorithm.p)];
  require('scrypt', 'memory in bytes (128 N r)', 128 * N * r, BOUNDS.memoryBytes);
  require('scrypt', 'p', p, BOUNDS.parallelism);
  // The salt is hashed for each 32 bytes of r p blocks, and those for each 32 bytes of the result.
  const filling = 4 * r * p * (BLOCKS_OF_HMAC + lengthOf(algorithm.salt) / 64);
  const result = Math.ceil(lengthBytes / 32) * (BLOCKS_OF_HMAC + 2 * r * p);
  return N * r * p * PRICES.scrypt + (filling + result) * blockNs('SHA-256');
}

function pbkdf2Ns(algorithm: WireAlgorithm, lengthBytes: number): number {
  const hash = hashOf(algorithm);
  const { digestBytes, blockBytes } = sizesOf(hash);
  const iterations = numberOf(algorithm.iterations);
  const blocksOfSalt = Math.floor(lengthOf(algorithm.salt) / blockBytes);
  const each = iterations * iterationNs(hash) + blocksOfSalt * blockNs(hash);
  return Math.ceil(lengthBytes / digestBytes) * each;
}

function hkdfNs(algorithm: WireAlgorithm, lengthBytes: number): number {
  const hash = hashOf(algorithm);
  const { digestBytes, blockBytes } = sizesOf(hash);
  const blocksOfInfo = lengthOf(algorithm.info) / blockBytes;
  return Math.ceil(lengthBytes / digestBytes) * (BLOCKS_OF_HMAC + blocksOfInfo) * blockNs(hash);
}

/** The check of g and of the other's y, unless squares tell it, and the secret. */
function agreementNs(key: StoredAlgorithm): number {
  const [p, g] = [BigInt(key.p ?? 0), BigInt(key.g ?? 0)];
  const q = key.q === undefined ? knownOrder(p, g) : BigInt(key.q);
  const bits = bitLength(p);
  if (q === undefined || p === 2n * q + 1n) return powerNs(bits, bits);
  return 2 * powerNs(bits, bitLength(q)) + powerNs(bits, bits);
}

interface Group {
  readonly p: bigint;
  readonly g: bigint;
  readonly q?: bigint | undefined;
}

/** DSA has no groups with a name. */
function groupIn(name: string, { group, p, g, q }: WireAlgorithm): Group | undefined {
  const known = name === 'DH' && typeof group === 'string' ? groupNameOf(group) : undefined;
  if (known !== undefined) return namedGroup(known);
  const [modulus, generator] = [naturalOf(p), naturalOf(g)];
  if (modulus === undefined || generator === undefined) return undefined;
  return { p: modulus, g: generator, q: naturalOf(q) };
}

/** A group that is not known is tested for p and q being prime. */
function newPairNs({ p, g, q }: Group): number {
  const bits = bitLength(p);
  if (knownOrder(p, g) !== undefined) return powerNs(bits, bits);
  const orderBits = q === undefined ? bits : bitLength(q);
  const tests = (bits ** 3 + orderBits ** 3) * PRICES.primalityBit3;
  return tests + 2 * powerNs(bits, orderBits);
}

function powerNs(modulusBits: number, exponentBits: number): number {
  return modulusBits ** 2 * exponentBits * PRICES.powerBit3;
}

/** Of an output whose length the page chooses. */
function outputEffort(algorithm: WireAlgorithm): number {
  const name = nameOf(algorithm);
  if (!isSponge(name)) return 0;
  const outputBytes = Math.ceil(numberOf(algorithm.outputLength) / 8);
  require(name, 'outputLength in bits', 8 * outputBytes, 8 * BOUNDS.outputBytes);
  const { strength, rounds } = SPONGES[name];
  // FIPS 202, section 4: a permutation for each block of the rate, which is 1,600 bits without twice the strength
  const blocks = outputBytes / (200 - strength / 4);
  return bounded(name, blocks * rounds * PRICES.keccakRound);
}

function isSponge(name: string): name is keyof typeof SPONGES {
  return Object.hasOwn(SPONGES, name);
}

type HashName = keyof typeof HASH_SIZES;

/** The hash of an algorithm. Those that nothing derives with are refused before any work. */
function hashOf({ hash }: WireAlgorithm): HashName {
  const text = typeof hash === 'object' && hash !== null && 'name' in hash ? hash.name : hash;
  const name = typeof text === 'string' ? text.toUpperCase() : '';
  return Object.hasOwn(HASH_SIZES, name) ? (name as HashName) : 'SHA-256';
}

function sizesOf(hash: HashName) {
  return HASH_SIZES[hash];
}

function iterationNs(hash: HashName): number {
  const { iteration, sha3Iteration } = PRICES;
  return hash in iteration ? iteration[hash as keyof typeof iteration] : sha3Iteration;
}

function blockNs(hash: HashName): number {
  return iterationNs(hash) / 2;
}

function requireSmallNumbers(name: string, { p, q, g }: WireAlgorithm): void {
  for (const number of [p, q, g]) {
    // Bytes are counted before they are read: there may be many.
    const isBytes = number instanceof Uint8Array;
    const bits = isBytes ? 8 * number.length : bitLength(naturalOf(number) ?? 0n);
    require(name, 'modulus in bits', bits, BOUNDS.modulusBits);
  }
}

/** As the standard writes it, where it has a price. */
function nameOf({ name }: WireAlgorithm): string {
  return NAMES.get(name.toLowerCase()) ?? name;
}

function isRsa(name: string): boolean {
  return PAIRS_OF_RSA.includes(name);
}

/** As Web IDL converts it. */
function numberOf(value: WireParam | undefined): number {
  // The conversion of bytes takes as long as there are many.
  return typeof value === 'object' ? NaN : Number(value);
}

const DIGITS = /^\d+$/;

/** Of a bigint, or of big-endian bytes. */
function naturalOf(value: WireParam | undefined): bigint | undefined {
  if (value instanceof Uint8Array) return toBigint(value);
  const isBigint = typeof value === 'object' && value !== null && 'bigint' in value;
  return isBigint && DIGITS.test(value.bigint) ? BigInt(value.bigint) : undefined;
}

/** Of bytes; anything else is refused before any work. */
function lengthOf(value: WireParam | undefined): number {
  return value instanceof Uint8Array ? value.length : 0;
}

function bounded(name: string, effortNs: number): number {
  const effortMs = effortNs / NS_PER_MS;
  if (effortMs > BOUNDS.effortMs) {
    const times = (effortMs / BOUNDS.effortMs).toFixed(2);
    throw tooMuch(`${name}: this is ${times} times the work that a page may ask for in one call`);
  }
  // What is no number is refused before any work.
  return Number.isNaN(effortMs) ? 0 : effortMs;
}

function require(name: string, what: string, value: number, limit: number): void {
  if (value > limit) throw tooMuch(`${name}: ${what} is ${limit} at most`);
}

function tooMuch(message: string): DOMException {
  return subtleError('OperationError', message);
}
