/* What a fuzzing target is, and the words of its oracle. */

/** A parser of untrusted bytes, with everything that a run needs of it. */
export interface FuzzTarget {
  /** Lower-case words with hyphens: the name on the command line and of the corpus file. */
  readonly name: string;
  /** The files whose branches guide the search and are counted as coverage. */
  readonly files: readonly string[];
  /** Inputs are at most this long. Default 2048. */
  readonly maxBytes?: number;
  /** Processor time of one input, in ms. Default 1,000: a hundred times what any accepted input needs. */
  readonly maxMs?: number;
  /** Memory that one input may add, in MiB. Default 64. */
  readonly maxMiB?: number;
  /** Mutations in `npm test`. Default 2,500; fewer where each costs a call into WebCrypto. */
  readonly sample?: number;
  /** Texts that the mutator inserts, beside the literals of `files`. */
  readonly words?: readonly string[];
  /** Valid inputs. */
  seeds(): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** Throws for what the parser must not do; a refusal that is documented is no error. */
  fuzz(data: Uint8Array): void | Promise<void>;
}

/** The parser did something wrong, although it threw no other error. */
export class Finding extends Error {
  override readonly name = 'Finding';
}

type ErrorClass = abstract new (...args: never[]) => Error;

/** Whether an error is one of the documented refusals: a class, or the name of a DOMException. */
export function isRefusal(error: unknown, allowed: readonly (ErrorClass | string)[]): boolean {
  return allowed.some((one) =>
    typeof one === 'string'
      ? error instanceof DOMException && error.name === one
      : error instanceof one,
  );
}

/** What a parser returns; undefined where it refuses as documented. Every other error is passed on. */
export function accepted<T>(parse: () => T, ...allowed: (ErrorClass | string)[]): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (isRefusal(error, allowed)) return undefined;
    throw error;
  }
}

/** The same for a promise. */
export async function acceptedLater<T>(
  parse: () => Promise<T>,
  ...allowed: (ErrorClass | string)[]
): Promise<T | undefined> {
  try {
    return await parse();
  } catch (error) {
    if (isRefusal(error, allowed)) return undefined;
    throw error;
  }
}

/** @throws Finding unless both are the same bytes */
export function requireSame(what: string, a: Uint8Array, b: Uint8Array): void {
  if (Buffer.compare(a, b) !== 0) throw new Finding(`${what}: other bytes come back`);
}

/** @throws Finding unless the condition holds */
export function require(what: string, holds: boolean): void {
  if (!holds) throw new Finding(what);
}

/** Text of any bytes: one character for each. */
export const latin1 = (data: Uint8Array): string => Buffer.from(data).toString('latin1');

/** The text of bytes in UTF-8, with U+FFFD for bytes that are not UTF-8. */
export const textIn = (data: Uint8Array): string => new TextDecoder().decode(data);

/** The bytes of a text. */
export const bytesIn = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

/** Bytes that count upwards, for keys and ids that are the same in every run. */
export const counting = (length: number, from = 0): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => from + i);
