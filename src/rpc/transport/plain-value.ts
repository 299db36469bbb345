import { MAX_PARCEL_BYTES } from '../envelope.ts';
import {
  bufferByteLength,
  create,
  isArray,
  isUint8Array,
  isWellFormed,
  keys,
  typedArrayBuffer,
  typedArrayByteLength,
} from '../primordials.ts';
import { InvalidValue } from '../validate.ts';

/*
 * Limits on a value that is forwarded without being validated. Each follows from what a channel to
 * the background carries (chunks.ts, envelope.ts); the parameters of every method stay far below.
 */
const MAX_DEPTH = 7;
const MAX_VALUES = 10_000;
const MAX_NAME_CHARACTERS = 64;
const MAX_CHARACTERS = 512 * 1024;

/** About what a value costs in memory beside its text and its bytes. */
const VALUE_BYTES = 64;

/** The most that a value without byte arrays weighs. */
export const MAX_PLAIN_WEIGHT = VALUE_BYTES * MAX_VALUES + 2 * MAX_CHARACTERS;

/** A copy of a value that any channel carries. Byte arrays are handed on, not copied. */
export interface PlainValue {
  readonly value: unknown;
  /** Length of all byte arrays in it. */
  readonly bytes: number;
  /** An estimate of all memory that it takes, in bytes. */
  readonly weight: number;
}

/**
 * Rebuilds a value from outside as plain data: null, booleans, numbers, text, Uint8Arrays, arrays,
 * and records without a prototype. Other objects become records of their own enumerable properties.
 *
 * @throws InvalidValue for functions, symbols, bigints, shared memory and lone surrogates, and for
 * what is too deep, too many or too large; no value makes it throw anything else
 */
export function plainValue(value: unknown, path: string): PlainValue {
  const copier = new Copier(path);
  try {
    const copy = copier.copy(value, 0);
    return { value: copy, bytes: copier.bytes, weight: copier.weight };
  } catch (error) {
    // A getter or proxy that throws (only in one's own context).
    throw error instanceof InvalidValue ? error : new InvalidValue(path, 'plain data');
  }
}

class Copier {
  readonly #path: string;
  bytes = 0;
  #values = 0;
  #characters = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get weight(): number {
    return this.bytes + VALUE_BYTES * this.#values + 2 * this.#characters;
  }

  copy(value: unknown, depth: number): unknown {
    if (++this.#values > MAX_VALUES) throw this.#tooLarge(`${MAX_VALUES} values`);
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'object':
        return value === null ? null : this.#object(value, depth);
      case 'boolean':
      case 'number':
      case 'undefined':
        return value;
      default:
        throw new InvalidValue(this.#path, 'plain data');
    }
  }

  #object(value: object, depth: number): unknown {
    if (isUint8Array(value)) return this.#byteArray(value);
    if (depth === MAX_DEPTH) throw new InvalidValue(this.#path, `at most ${MAX_DEPTH} levels`);
    return isArray(value) ? this.#array(value, depth) : this.#record(value, depth);
  }

  /** Shared memory is refused here: it cannot be posted, and would break the channel. */
  #byteArray(bytes: Uint8Array): Uint8Array {
    bufferByteLength(typedArrayBuffer(bytes));
    this.bytes += typedArrayByteLength(bytes);
    if (this.bytes > MAX_PARCEL_BYTES) throw this.#tooLarge(`${MAX_PARCEL_BYTES} bytes`);
    return bytes;
  }

  #array(items: readonly unknown[], depth: number): unknown[] {
    const { length } = items;
    if (length > MAX_VALUES) throw this.#tooLarge(`${MAX_VALUES} values`);
    const copy: unknown[] = [];
    for (let i = 0; i < length; i++) copy[i] = this.copy(items[i], depth + 1);
    return copy;
  }

  #record(value: object, depth: number): object {
    const copy = create(null) as Record<string, unknown>;
    const names = keys(value);
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      if (name.length > MAX_NAME_CHARACTERS) {
        throw new InvalidValue(this.#path, 'no other fields than the documented ones');
      }
      copy[this.#text(name)] = this.copy((value as typeof copy)[name], depth + 1);
    }
    return copy;
  }

  #text(text: string): string {
    this.#characters += text.length;
    if (this.#characters > MAX_CHARACTERS) throw this.#tooLarge(`${MAX_CHARACTERS} characters`);
    if (!isWellFormed(text)) throw new InvalidValue(this.#path, 'text without lone surrogates');
    return text;
  }

  #tooLarge(limit: string): InvalidValue {
    return new InvalidValue(this.#path, `at most ${limit}`, 'TOO_LARGE');
  }
}
