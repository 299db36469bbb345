/**
 * The errors of src/crypto: one for everything that does not verify, and the checks of public functions,
 * which throw TypeError or RangeError with the argument's name for a caller's mistake.
 */

/**
 * Something did not verify: wrong key, nonce, associated data, tag or padding. There is one
 * message for all of them, so that the error does not reveal which it was.
 */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError';
  readonly code = 'AUTH_FAILED';

  /** Each script of the library has a class of its own; all are one to a caller. */
  static override [Symbol.hasInstance](value: unknown): value is AuthenticationError {
    return isAuthenticationError(value);
  }

  constructor() {
    super('Authentication failed');
  }
}

/** By its name: an engine that is a script of its own has a class of its own. */
export function isAuthenticationError(error: unknown): error is AuthenticationError {
  return error instanceof Error && error.name === 'AuthenticationError';
}

/** Allowed byte lengths: exactly one, one of several, or a range (both ends included). */
export type Lengths =
  | number
  | readonly number[]
  | { readonly min: number; readonly max?: number; readonly multipleOf?: number };

/**
 * @param name the argument's name, for the message
 * @param value the caller's argument
 * @param lengths allowed lengths in bytes; any if absent
 * @throws TypeError if `value` is not a Uint8Array, or its buffer is detached or has become too short for it
 * @throws RangeError if its length is not allowed; the message gives both
 */
export function checkBytes(
  name: string,
  value: unknown,
  lengths?: Lengths,
): asserts value is Uint8Array {
  if (!isUint8Array(value)) throw new TypeError(`${name} must be a Uint8Array`);
  if (value.length === 0 && isGone(value)) {
    throw new TypeError(
      `${name} is a view of a detached buffer, or of one that has become too short`,
    );
  }
  if (lengths !== undefined && !allows(lengths, value.length)) {
    throw new RangeError(`${name} must have ${describe(lengths)} bytes, got ${value.length}`);
  }
}

/**
 * The array into which a function writes its result.
 *
 * @param target the caller's; a new array if absent
 * @param bytes its length
 * @throws as `checkBytes`
 */
export function targetOf(target: Uint8Array | undefined, bytes: number): Uint8Array {
  const result = target ?? new Uint8Array(bytes);
  if (result === target) checkBytes('target', target, bytes);
  return result;
}

/** As `checkBytes`, for bytes that are read later. @throws TypeError also if their memory is shared or resizable */
export function checkFixedBytes(
  name: string,
  value: unknown,
  lengths?: Lengths,
): asserts value is Uint8Array<ArrayBuffer> {
  checkBytes(name, value, lengths);
  const buffer = value.buffer as ArrayBufferLike & { readonly resizable?: boolean };
  if (buffer[Symbol.toStringTag] === 'ArrayBuffer' && buffer.resizable !== true) return;
  throw new TypeError(`${name} must not be in shared or resizable memory`);
}

/**
 * @param name the argument's name, for the message
 * @param value the caller's argument
 * @param min smallest allowed value
 * @param max largest allowed value
 * @throws TypeError if `value` is not an integer that a number represents exactly
 * @throws RangeError if it is outside min … max
 */
export function checkInteger(
  name: string,
  value: unknown,
  min: number,
  max: number,
): asserts value is number {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${name} must be an integer`);
  const number = value as number;
  if (number < min || number > max) {
    throw new RangeError(`${name} must be ${min} to ${max}, got ${number}`);
  }
}

/** The names of all members of a type: the compiler refuses a table that lacks one or has another. */
export type NamesOf<T> = Readonly<Record<keyof T, true>>;

/**
 * Refuses an option of another name: if it were ignored, a message could be bound to less than its sender
 * believes.
 *
 * @param name the argument's name, for the message
 * @param options the caller's argument
 * @param names all options that the function takes
 * @throws TypeError if `options` is not an object, or has an option that is not in `names`
 */
export function checkOptions(
  name: string,
  options: unknown,
  names: Readonly<Record<string, true>>,
): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`${name} must be an object`);
  }
  const known = Object.keys(names);
  for (const given of Object.keys(options)) {
    if (known.includes(given)) continue;
    throw new TypeError(`${name}.${given}: no such option (${known.join(', ')})`);
  }
}

/** True for a Uint8Array of any realm, and for its subclasses such as Node's Buffer. */
function isUint8Array(value: unknown): value is Uint8Array {
  if (value instanceof Uint8Array) return true; // the common case, and ten times as fast
  return (
    ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]'
  );
}

/**
 * A view has length 0 once its buffer is detached, or has become too short for it: its methods refuse it then. To ask an empty
 * view for its buffer would cost as much as a hash of it.
 */
function isGone(view: Uint8Array): boolean {
  try {
    Uint8Array.prototype.at.call(view, 0);
    return false;
  } catch {
    return true;
  }
}

function allows(lengths: Lengths, length: number): boolean {
  if (typeof lengths === 'number') return length === lengths;
  if ('min' in lengths) {
    const { min, max = Infinity, multipleOf = 1 } = lengths;
    return length >= min && length <= max && length % multipleOf === 0;
  }
  return lengths.includes(length);
}

function describe(lengths: Lengths): string {
  if (typeof lengths === 'number') return `${lengths}`;
  if (!('min' in lengths)) return lengths.join(', ').replace(/, (\d+)$/, ' or $1');
  const { min, max, multipleOf } = lengths;
  const range = max === undefined ? `at least ${min}` : `${min} to ${max}`;
  return multipleOf === undefined ? range : `${range}, a multiple of ${multipleOf},`;
}

/** Runs `work` at once. @returns its result, or its error as a rejection */
export function inPromise<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}
