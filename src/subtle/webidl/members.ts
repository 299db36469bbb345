import type { HashName } from '../../engine/contract.ts';
import { toBigint } from '../../crypto/bigint/integers.ts';
import type { Dictionary, Member } from '../../crypto/subtle/row.ts';
import { copyBytes, isBufferSource } from './buffer-source.ts';
import { toKey } from '../key.ts';
import type { SubtleKey } from '../key.ts';
import { isObject, toCounter, toInteger, toItems, toText } from './web-idl.ts';

/** The values of members, by their types. */
interface MemberValues {
  readonly bytes: Uint8Array;
  readonly bigInteger: Uint8Array;
  readonly octet: number;
  readonly short: number;
  readonly long: number;
  readonly text: string;
  readonly key: SubtleKey;
  readonly hash: HashName;
  readonly hashName: HashName | 'SHA-224';
  readonly byteStrings: readonly Uint8Array[];
  readonly counter: bigint;
  readonly natural: bigint;
}

/** Those that are empty where they are absent. */
type EmptyType = 'bytes' | 'byteStrings';

type ValueOf<M extends Member> = M['type'] extends keyof MemberValues
  ? | MemberValues[M['type']]
    | (M['isRequired'] extends true ? never : M['type'] extends EmptyType ? never : undefined)
  : never;

/** The parameters that a dictionary describes, as they have been read. */
export type ParamsOf<D extends Dictionary> = {
  readonly [M in D[number] as M['type'] extends keyof MemberValues ? M['name'] : never]: ValueOf<M>;
};

/** How the parameters of one algorithm are read. */
export interface Reading {
  readonly name: string;
  /** What to use in place of a member that is refused. */
  readonly instead: Readonly<Record<string, string>>;
  /** Normalizes a HashAlgorithmIdentifier. */
  readonly toHash: (hash: unknown) => HashName;
}

/**
 * Reads the parameters beside `name` that came with an algorithm, by the rules of Web IDL: a missing required one and
 * one of the wrong type are TypeErrors, bytes are copied.
 */
export function readMembers(
  reading: Reading,
  dictionary: Dictionary,
  source: object,
): Readonly<Record<string, unknown>> {
  const params: Record<string, unknown> = {};
  for (const member of dictionary) {
    const value = (source as Readonly<Record<string, unknown>>)[member.name];
    params[member.name] =
      value === undefined ? absent(reading, member) : read(reading, member, value);
  }
  return params;
}

function absent({ name }: Reading, member: Member): unknown {
  if (member.isRequired) throw new TypeError(`${name}: ${member.name} is missing`);
  if (member.type === 'bytes') return new Uint8Array(0);
  return member.type === 'byteStrings' ? [] : undefined;
}

function read(reading: Reading, { name, type }: Member, value: unknown): unknown {
  const what = `${reading.name}: ${name}`;
  switch (type) {
    case 'bytes':
    case 'bigInteger':
      return copyBytes(what, value);
    case 'octet':
      return toInteger(what, value, 8);
    case 'short':
      return toInteger(what, value, 16);
    case 'long':
      return toInteger(what, value, 32);
    case 'text':
      return toText(what, value);
    case 'key':
      return toKey(what, value);
    case 'hash':
      return reading.toHash(value);
    case 'hashName':
      return isSha224(value) ? 'SHA-224' : reading.toHash(value);
    case 'byteStrings':
      return byteStrings(what, value);
    case 'counter':
      return toCounter(what, value);
    case 'natural':
      return natural(what, value);
    case 'flag':
      return undefined;
    case 'refused':
      throw new TypeError(`${reading.name} has no ${name}: ${reading.instead[name]}`);
  }
}

/** Not an algorithm of `digest`. */
function isSha224(hash: unknown): boolean {
  const name = isObject(hash) ? (hash as { readonly name?: unknown }).name : hash;
  return toText('hash', name).toUpperCase() === 'SHA-224';
}

/** A BufferSource, or a sequence of them. */
function byteStrings(what: string, value: unknown): Uint8Array[] {
  if (isBufferSource(value)) return [copyBytes(what, value)];
  return toItems(what, value).map((item, i) => copyBytes(`${what}[${i}]`, item));
}

/** A public integer of any size: a bigint, or big-endian bytes. */
function natural(what: string, value: unknown): bigint {
  if (typeof value !== 'bigint') return toBigint(copyBytes(what, value));
  if (value < 0n) throw new TypeError(`${what} must not be negative`);
  return value;
}
