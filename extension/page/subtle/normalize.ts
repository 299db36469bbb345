/*
 * "Normalize an algorithm" (Web Cryptography API, section 18.4.4), in the page. Values that
 * cannot be an algorithm's parameters fail at once, and only the members of the algorithm are read and copied.
 * The extension, which has the algorithms, checks lengths and nonces.
 */
import { charCodeAt, hasOwn, isArray, isUint8Array, keys } from '../../../src/rpc/primordials.ts';
import { didYouMean, lowerCase } from '../../../src/rpc/nearest-name.ts';
import type { WireAlgorithm, WireParam } from '../../../src/rpc/methods/subtle-values.ts';
import { SafeDOMException } from '../primordials.ts';
import {
  bitLengthOf,
  BufferSource,
  isObject,
  keyHandle,
  shortText,
  text,
  wrongType,
  type Reading,
} from './arguments.ts';
import { ALGORITHMS, NAMED_KEY } from './dictionaries.ts';
import type {
  Dictionary,
  Member,
  MemberType,
  RegisteredOperation as Operation,
} from '../../../src/crypto/subtle/row.ts';

/** Bytes are copied after all members were converted. */
type Converted = WireParam | BufferSource | readonly BufferSource[];

const NAMES: readonly string[] = keys(ALGORITHMS);

/**
 * @param held as for `keyHandle`
 * @throws TypeError without a name, and for parameters that are missing or of the wrong type
 * @throws NotSupportedError (DOMException) for a name that has no such operation
 */
export function normalize(operation: Operation, value: unknown, held: object[]): WireAlgorithm {
  const name = registeredName(operation, nameOf(value));
  return read(name, dictionaryOf(name, operation)!, value, held);
}

/** Wrapping is the algorithm's own, or a cipher's encryption. */
export function normalizeEither(
  operation: 'wrapKey' | 'unwrapKey',
  other: 'encrypt' | 'decrypt',
  value: unknown,
  held: object[],
): WireAlgorithm {
  const known = canonical(nameOf(value));
  const isOwn = known !== undefined && dictionaryOf(known, operation) !== undefined;
  return normalize(isOwn ? operation : other, value, held);
}

/** The type of a key that deriveKey makes: the parameters of its import and of its length. */
export function normalizeDerived(value: unknown, held: object[]): WireAlgorithm {
  const importing = normalize('importKey', value, held);
  return { ...importing, ...normalize('getKeyLength', value, held) };
}

/** What `supports` asks of an algorithm; `importSecret`: the import of bytes that were agreed on. */
type Asked = Operation | 'exportKey' | 'getPublicKey' | 'importSecret';

/**
 * Whether an algorithm is known, has the operation, which takes no longer than a page may ask for, and its parameters
 * are of the right types.
 */
export function isServed(operation: Asked, value: unknown): boolean {
  try {
    const known = canonical(nameOf(value));
    if (known === undefined) return false;
    if (operation === 'exportKey' || operation === 'getPublicKey') {
      return readsKeys(known, operation);
    }
    if (operation === 'importSecret') {
      return isServed('importKey', value) && isSecret(known);
    }
    normalize(operation, value, []);
    return !isTooLong(known, operation);
  } catch {
    return false;
  }
}

function isTooLong(name: string, operation: Operation): boolean {
  const row = ALGORITHMS[name]!;
  if (!hasOwn(row, 'tooLong')) return false;
  const { tooLong } = row as { tooLong: readonly string[] };
  for (let i = 0; i < tooLong.length; i++) if (tooLong[i] === operation) return true;
  return false;
}

/**
 * Whether as much can be derived as is asked for.
 *
 * @param other a length in bits, or the algorithm of the key that `deriveKey` makes
 */
export function isDerived(value: unknown, other: unknown, makesKey: boolean): boolean {
  try {
    const isAlgorithm = isObject(other) || typeof other === 'string';
    const ofKey = makesKey && isAlgorithm ? derivedBits(other) : null;
    return hasBits(canonical(nameOf(value))!, isAlgorithm ? ofKey : bitLengthOf(other));
  } catch {
    return false;
  }
}

/** The length of a derivation other than an agreement has to be given, in whole bytes. */
function hasBits(name: string, lengthBits: number | null): boolean {
  const row = ALGORITHMS[name]!;
  if (hasOwn(row, 'secretBits')) return lengthBits === null || lengthBits <= row.secretBits!;
  const members = dictionaryOf(name, 'deriveBits')!;
  if (members.length === 1 && members[0]!.type === 'key') return true;
  return lengthBits !== null && lengthBits % 8 === 0;
}

/** The length of a key that is derived for an algorithm; null for a secret, which takes all that there is. */
function derivedBits(value: unknown): number | null {
  const wire = normalizeDerived(value, []);
  const row = ALGORITHMS[wire.name]!;
  if (!hasOwn(row.operations, 'generateKey')) return null;
  if (hasOwn(wire, 'length')) return wire.length as number;
  return hasOwn(row, 'keyBits') ? row.keyBits! : 256;
}

/** What is imported can be exported, but secrets to derive from; and what is generated without a length comes in pairs. */
function readsKeys(name: string, operation: 'exportKey' | 'getPublicKey'): boolean {
  const isGenerated = dictionaryOf(name, 'generateKey') !== undefined;
  return isGenerated && (operation === 'exportKey' || !isSecret(name));
}

/** Whether the keys of an algorithm are secrets, and not pairs. */
function isSecret(name: string): boolean {
  return dictionaryOf(name, 'getKeyLength') !== undefined;
}

/** The algorithm for a key that the user owns. */
export function normalizeNamed(value: unknown, held: object[]): WireAlgorithm {
  return read(registeredName('importKey', nameOf(value)), NAMED_KEY, value, held);
}

/** AlgorithmIdentifier: (object or DOMString). @throws TypeError */
function nameOf(value: unknown): string {
  if (!isObject(value)) return text(value);
  const { name } = value as Reading;
  if (name === undefined) throw wrongType('algorithm: name', 'a string');
  return text(name);
}

function registeredName(operation: Operation, name: string): string {
  const known = canonical(name);
  if (known !== undefined && dictionaryOf(known, operation)) return known;
  const message = known
    ? `${known} has no operation ${operation}`
    : `There is no algorithm ${quoted(name)}${didYouMean(name, NAMES)}`;
  throw new SafeDOMException(message, 'NotSupportedError');
}

function quoted(name: string): string {
  return name.length > 32 ? 'of that name' : `"${name}"`;
}

/** @param name as the standard writes it */
function dictionaryOf(name: string, operation: Operation): Dictionary | undefined {
  const registered = ALGORITHMS[name]!.operations;
  return hasOwn(registered, operation) ? registered[operation] : undefined;
}

/** As the standard writes it; names are compared without regard to the case of ASCII letters. */
function canonical(name: string): string | undefined {
  for (let i = 0; i < NAMES.length; i++) {
    if (isSameName(NAMES[i]!, name)) return NAMES[i];
  }
  return undefined;
}

function isSameName(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (lowerCase(charCodeAt(a, i)) !== lowerCase(charCodeAt(b, i))) return false;
  }
  return true;
}

function read(name: string, dictionary: Dictionary, value: unknown, held: object[]): WireAlgorithm {
  const source = (isObject(value) ? value : { __proto__: null }) as Reading;
  const converted: Converted[] = [];
  const given: Member[] = [];
  for (let i = 0; i < dictionary.length; i++) {
    const member = dictionary[i]!;
    const one = source[member.name];
    if (one === undefined) {
      if (member.isRequired) throw wrongType(`${name}: ${member.name}`, EXPECTED[member.type]);
      continue;
    }
    converted[given.length] = convert(member, one, held);
    given[given.length] = member;
  }
  const wire: Record<string, unknown> = { __proto__: null, name };
  for (let i = 0; i < given.length; i++) wire[given[i]!.name] = copied(converted[i]!);
  return wire as WireAlgorithm;
}

const EXPECTED: Readonly<Record<MemberType, string>> = {
  bytes: 'an ArrayBuffer or a view of one',
  bigInteger: 'a Uint8Array',
  octet: 'an integer from 0 to 255',
  short: 'an integer from 0 to 65535',
  long: 'an integer from 0 to 4294967295',
  text: 'a string',
  key: 'a key of sealwright.subtle',
  hash: 'the name of a hash',
  hashName: 'the name of a hash',
  byteStrings: 'an ArrayBuffer or a view of one, or several',
  counter: 'an integer',
  natural: 'a bigint, or big-endian bytes',
  flag: 'true',
  refused: 'absent: the algorithm has no such parameter',
};

function convert({ name, type }: Member, value: unknown, held: object[]): Converted {
  switch (type) {
    case 'bytes':
      return new BufferSource(name, value);
    case 'bigInteger':
      if (!isUint8Array(value)) throw wrongType(name, EXPECTED[type]);
      return new BufferSource(name, value);
    case 'octet':
      return integer(name, value, 0xff);
    case 'short':
      return integer(name, value, 0xffff);
    case 'long':
      return integer(name, value, 0xffffffff);
    case 'text':
      return shortText(text(value));
    case 'key':
      return { key: keyHandle(name, value, held) };
    case 'hash':
      return registeredName('digest', nameOf(value));
    case 'hashName':
      return shortText(nameOf(value));
    case 'byteStrings':
      return isArray(value) ? several(name, value) : new BufferSource(name, value);
    case 'counter':
      return typeof value === 'bigint' ? { bigint: text(value) } : number(name, value);
    case 'natural':
      return typeof value === 'bigint' ? { bigint: text(value) } : new BufferSource(name, value);
    case 'flag':
      return value === true;
    case 'refused':
      throw wrongType(name, EXPECTED.refused);
  }
}

function several(name: string, list: readonly unknown[]): BufferSource[] {
  const sources: BufferSource[] = [];
  for (let i = 0; i < list.length; i++) sources[i] = new BufferSource(name, list[i]);
  return sources;
}

/** Web IDL, ConvertToInt with [EnforceRange]. @throws TypeError */
function integer(name: string, value: unknown, max: number): number {
  const given = number(name, value);
  const whole = given - (given % 1);
  if (whole >= 0 && whole <= max) return whole;
  throw wrongType(name, `an integer from 0 to ${max}`);
}

/** ToNumber, which refuses symbols and bigints. @throws TypeError for what is not finite */
function number(name: string, value: unknown): number {
  const given = (value as number) - 0;
  if (given - given === 0) return given;
  throw wrongType(name, 'a number');
}

function copied(value: Converted): WireParam {
  if (value instanceof BufferSource) return value.copy();
  if (!isArray(value)) return value as WireParam;
  const items: Uint8Array[] = [];
  for (let i = 0; i < value.length; i++) items[i] = (value[i] as BufferSource).copy();
  return { items };
}
