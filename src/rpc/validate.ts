/*
 * Small validators for what arrives in messages. A validator takes any value and returns a value
 * it has built itself, or throws an InvalidValue that names the field. Records come out without a
 * prototype; only own properties are read, each once; a field that is not listed is an error.
 */
import { didYouMean } from './nearest-name.ts';
import {
  blobBytes,
  create,
  hasOwn,
  isArray,
  isBlob,
  isSafeInteger,
  isUint8Array,
  isWellFormed,
  ownKeys,
  typedArrayByteLength,
} from './primordials.ts';

/** The value at `path` is not what the table asks for. The message holds names and limits, no content. */
export class InvalidValue extends Error {
  readonly code: 'INVALID_ARGUMENT' | 'TOO_LARGE';
  constructor(path: string, expected: string, code: InvalidValue['code'] = 'INVALID_ARGUMENT') {
    super(`${path}: expected ${expected}`);
    this.code = code;
  }
}

/** Returns `value` rebuilt, or throws InvalidValue. `path` names it in the error. */
export interface Validator<T> {
  (value: unknown, path: string): T;
  readonly optional?: true;
}
/** A validator of a field that may be absent. */
export interface OptionalValidator<T> extends Validator<T> {
  readonly optional: true;
}
/** The type that a validator returns. */
export type Infer<V> = V extends Validator<infer T> ? T : never;

/** Longer names of fields are not repeated in an error. */
const MAX_ECHOED_CHARACTERS = 64;

type Fields = Readonly<Record<string, Validator<unknown>>>;
type OptionalNames<F> = {
  [K in keyof F]: F[K] extends OptionalValidator<unknown> ? K : never;
}[keyof F];
type RecordOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalNames<F>>]: Infer<F[K]>;
} & { readonly [K in OptionalNames<F>]?: Infer<F[K]> };
/** The same type, spelled out in error messages and tooltips. */
type Flat<T> = { [K in keyof T]: T[K] };

/** true or false. */
export const boolean: Validator<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new InvalidValue(path, 'a boolean');
  return value;
};

/** Lengths in UTF-16 code units. Text with a lone surrogate is refused: it has no UTF-8 form. */
export function string(maxLength: number, minLength = 0): Validator<string> {
  return (value, path) => {
    if (typeof value !== 'string') throw new InvalidValue(path, 'a string');
    if (value.length < minLength || value.length > maxLength) {
      throw new InvalidValue(path, `${minLength} to ${maxLength} characters`);
    }
    if (!isWellFormed(value)) throw new InvalidValue(path, 'text without lone surrogates');
    return value;
  };
}

/** A safe integer from `min` to `max`, both included. */
export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Validator<number> {
  return (value, path) => {
    const isInRange = isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
    if (!isInRange) throw new InvalidValue(path, `an integer from ${min} to ${max}`);
    return value as number;
  };
}

/** A Uint8Array of any realm with at most `maxBytes`; returned as it is, not copied. */
export function bytes(maxBytes: number): Validator<Uint8Array> {
  return (value, path) => {
    if (!isUint8Array(value)) throw new InvalidValue(path, 'bytes');
    if (typedArrayByteLength(value) > maxBytes) {
      throw new InvalidValue(path, `at most ${maxBytes} bytes`, 'TOO_LARGE');
    }
    return value;
  };
}

/** A Blob or File of any realm with at most `maxBytes`; returned as it is. */
export function blob(maxBytes: number): Validator<Blob> {
  return (value, path) => {
    if (!isBlob(value)) throw new InvalidValue(path, 'a Blob');
    if (blobBytes(value) > maxBytes) {
      throw new InvalidValue(path, `at most ${maxBytes} bytes`, 'TOO_LARGE');
    }
    return value;
  };
}

/** One of the given values. */
export function literal<const T extends string | number | boolean | null>(
  ...values: readonly T[]
): Validator<T> {
  const expected = values.map((value) => JSON.stringify(value)).join(' or ');
  return (value, path) => {
    for (let i = 0; i < values.length; i++) {
      if (values[i] === value) return value as T;
    }
    throw new InvalidValue(path, expected);
  };
}

/** null, or what the inner validator accepts. */
export function nullable<T>(inner: Validator<T>): Validator<T | null> {
  return (value, path) => (value === null ? null : inner(value, path));
}

/** May be absent or undefined; then the record built has no such property. */
export function optional<T>(inner: Validator<T>): OptionalValidator<T> {
  const validator = (value: unknown, path: string): T => inner(value, path);
  return Object.assign(validator, { optional: true as const });
}

/** An array of `minLength` to `maxLength` items, copied. */
export function array<T>(item: Validator<T>, maxLength: number, minLength = 0): Validator<T[]> {
  return (value, path) => {
    if (!isArray(value)) throw new InvalidValue(path, 'an array');
    const { length } = value;
    if (length < minLength || length > maxLength) {
      throw new InvalidValue(path, `${minLength} to ${maxLength} items`);
    }
    const result: T[] = [];
    for (let i = 0; i < length; i++) {
      result[i] = item(hasOwn(value, i) ? value[i] : undefined, `${path}[${i}]`);
    }
    return result;
  };
}

/** A record with exactly these fields. */
export function object<F extends Fields>(fields: F): Validator<Flat<RecordOf<F>>> {
  const names = Object.keys(fields);
  return (value, path) => {
    if (typeof value !== 'object' || value === null || isArray(value)) {
      throw new InvalidValue(path, 'an object');
    }
    refuseUnknown(fields, value, path);
    const result = create(null) as Record<string, unknown>;
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const field = hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
      const validator = fields[name]!;
      if (field === undefined && validator.optional) continue;
      result[name] = validator(field, path === '' ? name : `${path}.${name}`);
    }
    return result as Flat<RecordOf<F>>;
  };
}

function refuseUnknown(fields: Fields, value: object, path: string): void {
  const names = ownKeys(value);
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    if (typeof name !== 'symbol' && hasOwn(fields, name)) continue;
    if (typeof name === 'symbol' || name.length > MAX_ECHOED_CHARACTERS) {
      throw new InvalidValue(path || 'argument', 'no other fields than the documented ones');
    }
    const meant = didYouMean(name, ownKeys(fields) as string[]);
    throw new InvalidValue(path === '' ? name : `${path}.${name}`, `no such field${meant}`);
  }
}

/**
 * A record whose field `tag` decides which of the records it has to be. Unlike with `union`, the error names
 * the field that is wrong in it.
 */
export function tagged<T extends Readonly<Record<string, Validator<unknown>>>>(
  tag: string,
  records: T,
): Validator<Infer<T[keyof T]>> {
  const ofTag = literal(...Object.keys(records));
  return (value, path) => {
    if (typeof value !== 'object' || value === null) throw new InvalidValue(path, 'an object');
    const given = hasOwn(value, tag) ? (value as Record<string, unknown>)[tag] : undefined;
    const record = records[ofTag(given, `${path}.${tag}`)]!;
    return record(value, path) as Infer<T[keyof T]>;
  };
}

/** One of two records that differ by a boolean field. Unlike `union`, it validates once. */
export function either<T, F>(
  name: string,
  ifTrue: Validator<T>,
  ifFalse: Validator<F>,
): Validator<T | F> {
  return (value, path) => {
    const isFalse =
      typeof value === 'object' &&
      value !== null &&
      hasOwn(value, name) &&
      (value as Record<string, unknown>)[name] === false;
    return isFalse ? ifFalse(value, path) : ifTrue(value, path);
  };
}

/** What the first validator that accepts returns; if none does, the error says `expected`. */
export function union<V extends readonly Validator<unknown>[]>(
  expected: string,
  ...validators: V
): Validator<Infer<V[number]>> {
  return (value, path) => {
    for (let i = 0; i < validators.length; i++) {
      try {
        return validators[i]!(value, path) as Infer<V[number]>;
      } catch (error) {
        if (!(error instanceof InvalidValue)) throw error;
      }
    }
    throw new InvalidValue(path, expected);
  };
}
