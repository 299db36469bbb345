/*
 * Values that IndexedDB stores (structured clones), as text. JSON, with `{"$":[type, …]}` for what JSON does not have:
 *
 *   new Date(0)  →  {"$":["date",0]}
 */
import { jsonOf } from '../json.ts';

type Tagged = readonly [type: string, ...content: unknown[]];

/** Typed arrays by their names. */
const VIEWS: Readonly<Record<string, new (buffer: ArrayBuffer) => ArrayBufferView>> = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
};

const tagged = (...content: Tagged): object => ({ $: content });
const NUMBERS: Readonly<Record<string, number>> = {
  NaN,
  Infinity,
  '-Infinity': -Infinity,
  '-0': -0,
};

/**
 * A value as text.
 *
 * @throws TypeError for what cannot be sealed: functions, symbols, Blobs, errors, regular expressions, cycles
 */
export function textOfValue(value: unknown): string {
  return jsonOf(encoded(value, new Set()));
}

/** The value of a text. @throws SyntaxError, TypeError for a text that `textOfValue` does not make */
export function valueOfText(text: string): unknown {
  return decoded(JSON.parse(text));
}

function encoded(value: unknown, parents: ReadonlySet<unknown>): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Object.is(value, -0)) return tagged('number', '-0');
      return Number.isFinite(value) ? value : tagged('number', String(value));
    case 'undefined':
      return tagged('undefined');
    case 'bigint':
      return tagged('bigint', String(value));
    case 'object':
      return value === null ? null : encodedObject(value, parents);
    default:
      throw unsealable(`a ${typeof value}`);
  }
}

function encodedObject(value: object, parents: ReadonlySet<unknown>): unknown {
  if (parents.has(value)) throw unsealable('an object that contains itself');
  const inside = new Set([...parents, value]);
  const inner = (one: unknown): unknown => encoded(one, inside);
  if (Array.isArray(value)) return Array.from(value, inner);
  // As the platform names it: instances of classes of the app are stored as their members are.
  const type = Object.prototype.toString.call(value).slice(8, -1);
  if (type === 'Object') {
    const members = Object.entries(value).map(([name, one]) => [name, inner(one)] as const);
    const object = Object.fromEntries(members);
    return '$' in object ? tagged('object', members) : object;
  }
  if (value instanceof Date) return tagged('date', Number.isNaN(+value) ? null : +value);
  if (value instanceof Map) {
    return tagged(
      'map',
      Array.from(value, ([k, v]) => [inner(k), inner(v)]),
    );
  }
  if (value instanceof Set) return tagged('set', Array.from(value, inner));
  if (value instanceof ArrayBuffer) return tagged('ArrayBuffer', base64(new Uint8Array(value)));
  if (ArrayBuffer.isView(value) && type in VIEWS) {
    return tagged(type, base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)));
  }
  throw unsealable(`a ${type}`);
}

function decoded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(decoded);
  const content = (value as { $?: Tagged }).$;
  if (content !== undefined) return decodedTag(content);
  return objectOf(Object.entries(value));
}

function decodedTag([type, content]: Tagged): unknown {
  switch (type) {
    case 'undefined':
      return undefined;
    case 'number':
      return NUMBERS[content as string];
    case 'bigint':
      return BigInt(content as string);
    case 'date':
      return new Date((content as number | null) ?? NaN);
    case 'map':
      return new Map((content as [unknown, unknown][]).map(([k, v]) => [decoded(k), decoded(v)]));
    case 'set':
      return new Set((content as unknown[]).map(decoded));
    case 'object':
      return objectOf(content as [string, unknown][]);
    case 'ArrayBuffer':
      return bytesOf(content as string).buffer;
    default:
      return viewOf(type, content as string);
  }
}

function viewOf(type: string, content: string): ArrayBufferView {
  if (!Object.hasOwn(VIEWS, type)) throw new TypeError(`a value of unknown type ${type}`);
  return new VIEWS[type]!(bytesOf(content).buffer);
}

/** Defined, not assigned: `__proto__` may be a member of what was sealed. */
function objectOf(members: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(members.map(([name, one]) => [name, decoded(one)]));
}

function unsealable(what: string): TypeError {
  return new TypeError(`${what} cannot be sealed: use JSON values, dates, bytes, maps and sets`);
}

/** Characters at a time: arguments of one call are limited. */
const SLICE = 8_192;

/** Bytes as Base64. */
export function base64(bytes: Uint8Array): string {
  let characters = '';
  for (let at = 0; at < bytes.length; at += SLICE) {
    characters += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  }
  return btoa(characters);
}

/** Base64 as bytes. @throws DOMException for another text */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
