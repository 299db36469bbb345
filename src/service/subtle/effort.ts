import { HASH_SIZES } from '../../crypto/algorithms.ts';
import { bitLength, toBigint } from '../../crypto/bigint/integers.ts';
import { groupNameOf, knownOrder, namedGroup } from '../../crypto/classical/dh-groups.ts';
import type {
  Dictionary,
  GroupLengths,
  Lengths,
  MemberType,
  PricedOperation,
  RegisteredOperation,
} from '../../crypto/subtle/row.ts';
import { BOUNDS, NS_PER_MS } from '../../crypto/subtle/prices.ts';
import { ALGORITHMS, rowOf } from '../../crypto/subtle/table.ts';
import { MAX_SUBTLE_BYTES } from '../../rpc/limits.ts';
import { JWK_TEXTS, type WireAlgorithm, type WireParam } from '../../rpc/methods/subtle-values.ts';
import type { InputOf, SubtleOperation } from '../../rpc/workshop.ts';
import type { StoredAlgorithm, StoredKey } from '../../subtle/stored-key.ts';
import { subtleError } from './errors.ts';

/*
 * The effort of a call of `subtle`: how many ms a slow core needs for the work whose time does not depend on bytes. The
 * prices are those of the table of algorithms (src/crypto/subtle); here the lengths that they depend on are read.
 *
 * Parameters are read as they came. What is not a number or not an algorithm costs nothing: the workshop
 * refuses it before any work.
 */

/** Of a key that a derivation makes, unless its row says otherwise: AEADs without a length have it, KMAC not more. */
const DERIVED_BITS = 256;

/** The names as the standard writes them, by their lower case. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.keys(ALGORITHMS).map((name) => [name.toLowerCase(), name]),
);

type Params<M extends SubtleOperation> = InputOf<M>['params'];
/** A key that a call names. */
export type UsedKey = Pick<StoredKey, 'type' | 'algorithm'>;
type Keys = readonly UsedKey[];
type KeyData = Params<'subtle.importKey'>['keyData'];
type KeyFormat = Params<'subtle.importKey'>['format'];
type EffortOf<M extends SubtleOperation> = (params: Params<M>, keys: Keys) => number;

const EFFORTS: { readonly [M in SubtleOperation]: EffortOf<M> } = {
  'subtle.decapsulateBits': (params, keys) => ofKeys('decapsulate', keys, params),
  'subtle.decapsulateKey': (params, keys) => ofKeys('decapsulate', keys, params),
  'subtle.decrypt': (params, keys) => ofKeys('decrypt', keys, params),
  'subtle.deriveBits': ({ algorithm, length }, [key]) =>
    ofDerivation(algorithm, key!.algorithm, length),
  'subtle.deriveKey': ({ algorithm, derivedKeyType }, [key]) =>
    ofDerivation(algorithm, key!.algorithm, derivedKeyBits(derivedKeyType)),
  'subtle.digest': ({ algorithm }) => ofParams('digest', algorithm),
  'subtle.encapsulateBits': (params, keys) => ofKeys('encapsulate', keys, params),
  'subtle.encapsulateKey': (params, keys) => ofKeys('encapsulate', keys, params),
  'subtle.encrypt': (params, keys) => ofKeys('encrypt', keys, params),
  'subtle.exportKey': ({ format }, [key]) => ofExport(format, key!),
  'subtle.generateKey': ({ algorithm }) => ofNewKey(algorithm),
  'subtle.getPublicKey': (_params, keys) => ofKeys('getPublicKey', keys),
  'subtle.importKey': ({ algorithm, format, keyData }) =>
    ofParams('importKey', algorithm, lengthsOfData(format, keyData)),
  'subtle.sign': (params, keys) => ofKeys('sign', keys, params),
  'subtle.unwrapKey': ({ unwrappedKeyAlgorithm, format, wrappedKey }, keys) =>
    ofParams('importKey', unwrappedKeyAlgorithm, lengthsOfData(format, wrappedKey)) +
    ofKeys('unwrapKey', keys),
  'subtle.verify': (params, keys) => ofKeys('verify', keys, params),
  'subtle.wrapKey': ({ format }, keys) => ofExport(format, keys[0]!) + ofKeys('wrapKey', keys),
};

/**
 * @param keys of the keys that the call names, its own first
 * @throws OperationError (DOMException) that names the bound, before any work
 */
export function effortOf<M extends SubtleOperation>(
  method: M,
  params: Params<M>,
  keys: Keys,
): number {
  return EFFORTS[method](params, keys);
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

/** Of an operation under keys, each by the price of its own algorithm. */
function ofKeys(
  operation: PricedOperation,
  keys: Keys,
  { algorithm }: { readonly algorithm?: WireAlgorithm } = {},
): number {
  const each = keys.map(({ algorithm: of }) => {
    const members = algorithm ? membersOf(operation, of.name, algorithm) : {};
    return priced(operation, of.name, { ...lengthsOf(of), members });
  });
  return each.reduce((sum, effortMs) => sum + effortMs, 0);
}

function ofParams(
  operation: RegisteredOperation,
  algorithm: WireAlgorithm,
  lengths: Partial<Lengths> = {},
): number {
  const name = nameOf(algorithm);
  const members = membersOf(operation, name, algorithm);
  return priced(operation, name, { ...lengths, hash: hashOf(algorithm), members });
}

function ofDerivation(
  algorithm: WireAlgorithm,
  key: StoredAlgorithm,
  lengthBits: number | null,
): number {
  const derivedBytes = Math.ceil((lengthBits ?? 0) / 8);
  require(nameOf(algorithm), 'length in bytes', derivedBytes, MAX_SUBTLE_BYTES);
  return ofParams('deriveBits', algorithm, { ...lengthsOf(key), derivedBytes });
}

/** The length in bits that `deriveKey` asks for, as far as a price depends on it. */
function derivedKeyBits(derivedKeyType: WireAlgorithm): number {
  const name = nameOf(derivedKeyType);
  const usual = rowOf(name)?.keyBits?.(hashOf(derivedKeyType)) ?? DERIVED_BITS;
  const bits = numberOf(derivedKeyType.length ?? usual);
  require(name, 'length in bits', bits, BOUNDS.keyBits);
  return bits;
}

/** Of a new key, and of its export into what is kept. */
function ofNewKey(algorithm: WireAlgorithm): number {
  const name = nameOf(algorithm);
  require(name, 'length in bits', numberOf(algorithm.length ?? 0), BOUNDS.keyBits);
  const group = () => groupIn(name, algorithm);
  return ofParams('generateKey', algorithm, { group }) + priced('exportKey', name, {});
}

/** Of a key that is written: the JWK of a private one has its public half, too. */
function ofExport(format: KeyFormat, { type, algorithm }: UsedKey): number {
  const pairIn = format === 'jwk' && type === 'private' ? format : undefined;
  return priced('exportKey', algorithm.name, { ...lengthsOf(algorithm), pairIn });
}

/** Of base64url. */
const bytesOf = (text = '') => Math.floor((text.length * 3) / 4);

/** Of a key that is read. What is wrapped may be a private one. */
function lengthsOfData(format: KeyFormat, keyData: KeyData): Partial<Lengths> {
  if (!(keyData instanceof Uint8Array)) {
    const { jwk } = keyData;
    return {
      keyDataBytes: JWK_TEXTS.reduce((sum, name) => sum + bytesOf(jwk[name]), 0),
      modulusBits: 8 * bytesOf(jwk.n),
      exponentBits: 8 * bytesOf(jwk.e),
      pairIn: jwk.d === undefined && jwk.priv === undefined ? undefined : 'jwk',
    };
  }
  const keyDataBytes = keyData.length;
  if (format !== 'jwk' && format !== 'pkcs8') return { keyDataBytes };
  // A private key of RSA has n, p, q and qi, and exponents of which one inverts the other: 3.5 times the modulus.
  const modulusBits = Math.min(BOUNDS.modulusBits, Math.floor((8 * keyDataBytes) / 3.5));
  return { keyDataBytes, modulusBits, exponentBits: modulusBits, pairIn: format };
}

/** @throws OperationError (DOMException) that names the limit or the bound */
function priced(operation: PricedOperation, name: string, given: Partial<Lengths>): number {
  const row = rowOf(name);
  const lengths = { ...NO_LENGTHS, ...given };
  for (const { what, of, most = Infinity, least = 0 } of row?.limits?.[operation] ?? []) {
    const value = of(lengths);
    require(name, what, value, most);
    if (value < least) throw tooMuch(`${name}: ${what} has at least ${least} bytes`);
  }
  const price = row?.prices?.[operation] ?? 0;
  return bounded(name, typeof price === 'number' ? price : price(lengths));
}

/** Of what is not there; a key of RSA that is not read yet is priced as the largest. */
const NO_LENGTHS: Lengths = {
  members: {},
  hash: 'SHA-256',
  derivedBytes: 0,
  keyDataBytes: 0,
  pairIn: undefined,
  modulusBits: BOUNDS.modulusBits,
  exponentBits: 0,
  group: () => undefined,
};

function lengthsOf({ modulusLength, publicExponent = '', p, g, q }: StoredAlgorithm) {
  return {
    modulusBits: modulusLength ?? BOUNDS.modulusBits,
    exponentBits: 6 * publicExponent.length, // base64url
    group: () =>
      p === undefined
        ? undefined
        : groupLengths({ p: BigInt(p), g: BigInt(g ?? 0), q: q === undefined ? q : BigInt(q) }),
  };
}

/** The lengths of the members that an operation reads. Others are ignored, as the workshop does. */
function membersOf(
  operation: PricedOperation,
  name: string,
  algorithm: WireAlgorithm,
): Readonly<Record<string, number>> {
  const operations: Readonly<Partial<Record<PricedOperation, Dictionary>>> =
    rowOf(name)?.operations ?? {};
  const given = algorithm as Readonly<Record<string, WireParam | undefined>>;
  const lengths = (operations[operation] ?? []).flatMap(({ name: member, type }) => {
    const length = lengthOf(type, given[member]);
    return length === undefined ? [] : [[member, length] as const];
  });
  return Object.fromEntries(lengths);
}

/** Of bytes and integers; of anything else the type or the value is refused before any work. */
function lengthOf(type: MemberType, value: WireParam | undefined): number | undefined {
  switch (type) {
    case 'octet':
    case 'short':
    case 'long':
      return numberOf(value);
    case 'bytes':
      return value instanceof Uint8Array ? value.length : undefined;
    case 'natural':
      // Bytes are counted before they are read: there may be many.
      return value instanceof Uint8Array ? 8 * value.length : bitLength(naturalOf(value) ?? 0n);
    default:
      return undefined;
  }
}

interface Group {
  readonly p: bigint;
  readonly g: bigint;
  readonly q?: bigint | undefined;
}

/** DSA has no groups with a name. */
function groupIn(name: string, { group, p, g, q }: WireAlgorithm): GroupLengths | undefined {
  const known = name === 'DH' && typeof group === 'string' ? groupNameOf(group) : undefined;
  if (known !== undefined) return groupLengths(namedGroup(known));
  const [modulus, generator] = [naturalOf(p), naturalOf(g)];
  if (modulus === undefined || generator === undefined) return undefined;
  return groupLengths({ p: modulus, g: generator, q: naturalOf(q) });
}

/** A group that has a name is computed where a price asks for it. */
function groupLengths({ p, g, q }: Group): GroupLengths {
  return {
    modulusBits: bitLength(p),
    orderBits: q === undefined ? undefined : bitLength(q),
    get subgroupBits() {
      const order = q ?? knownOrder(p, g);
      return order === undefined || p === 2n * order + 1n ? undefined : bitLength(order);
    },
    get isNamed() {
      return knownOrder(p, g) !== undefined;
    },
  };
}

/** The hash of an algorithm. Those that nothing derives with are refused before any work. */
function hashOf({ hash }: WireAlgorithm): Lengths['hash'] {
  const text = typeof hash === 'object' && hash !== null && 'name' in hash ? hash.name : hash;
  const name = typeof text === 'string' ? text.toUpperCase() : '';
  return Object.hasOwn(HASH_SIZES, name) ? (name as Lengths['hash']) : 'SHA-256';
}

/** As the standard writes it. */
function nameOf({ name }: WireAlgorithm): string {
  return NAMES.get(name.toLowerCase()) ?? name;
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

function bounded(name: string, effortNs: number): number {
  const effortMs = effortNs / NS_PER_MS;
  if (effortMs > BOUNDS.effortMs) {
    const times = (effortMs / BOUNDS.effortMs).toFixed(2);
    throw tooMuch(`${name}: this is ${times} times the work that a page may ask for in one call`);
  }
  // What is not a number is refused before any work.
  return Number.isNaN(effortMs) ? 0 : effortMs;
}

function require(name: string, what: string, value: number, limit: number): void {
  if (value > limit) throw tooMuch(`${name}: ${what} is ${limit} at most`);
}

function tooMuch(message: string): DOMException {
  return subtleError('OperationError', message);
}
