/*
 * JavaScript values in bytes, so that inputs of parsers that take values can be mutated like others.
 * Every byte string is some value.
 */

/** Names that values use as keys and texts, chosen by number. */
export type Words = readonly string[];

const NUMBERS = [NaN, Infinity, -Infinity, -0, 2 ** 53, 2 ** 53 - 1, 1.5, -1, 2 ** 32, 1e21];
const TAGS = 16;
const DEEPEST = 12;
const MOST_VALUES = 400;

/** Which values may occur. */
export interface ValueOptions {
  readonly words: Words;
  /**
   * Absent: plain data. `cloned`: whatever structured clone carries, as another context sends it. `own`:
   * values of one's own context too, such as functions and proxies that throw.
   */
  readonly exotic?: 'cloned' | 'own';
}

/** The value in bytes. */
export function valueIn(data: Uint8Array, options: ValueOptions): unknown {
  return new Reader(data, options).value(0);
}

/** All values in bytes, one after the other. */
export function valuesIn(data: Uint8Array, options: ValueOptions, most: number): unknown[] {
  const reader = new Reader(data, options);
  const values: unknown[] = [];
  while (!reader.isAtEnd && values.length < most) values.push(reader.value(0));
  return values;
}

class Reader {
  readonly #data: Uint8Array;
  readonly #options: ValueOptions;
  #at = 0;
  #values = 0;

  constructor(data: Uint8Array, options: ValueOptions) {
    this.#data = data;
    this.#options = options;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#data.length;
  }

  #byte(): number {
    return this.#data[this.#at++] ?? 0;
  }

  #take(length: number): Uint8Array {
    const taken = this.#data.slice(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  #word(): string {
    const { words } = this.#options;
    return words[(256 * this.#byte() + this.#byte()) % words.length]!;
  }

  #text(): string {
    return Buffer.from(this.#take(this.#byte())).toString('latin1');
  }

  #key(): string {
    return this.#byte() % 2 === 0 ? this.#word() : this.#text();
  }

  value(depth: number): unknown {
    const tag = this.#byte() % TAGS;
    if (++this.#values > MOST_VALUES || depth > DEEPEST) return null;
    switch (tag) {
      case 1:
        return true;
      case 2:
        return false;
      case 3:
        return undefined;
      case 4:
        return this.#byte();
      case 5:
        return new DataView(Uint8Array.of(...this.#take(4), 0, 0, 0, 0).buffer).getUint32(0);
      case 6:
        return NUMBERS[this.#byte() % NUMBERS.length];
      case 7:
        return this.#text();
      case 8:
        return this.#word();
      case 9:
        return `\ud800${this.#text()}`;
      case 10:
        return this.#take(256 * this.#byte() + this.#byte());
      case 11:
        return Array.from({ length: this.#byte() % 32 }, () => this.value(depth + 1));
      case 12:
        return this.#object(depth);
      case 13:
        return this.#take(this.#byte()).subarray(1);
      case 14:
        return this.#options.exotic ? this.#exotic(depth, this.#options.exotic) : this.#long();
      default:
        return null;
    }
  }

  #object(depth: number): object {
    const entries = Array.from({ length: this.#byte() % 24 }, () => {
      return [this.#key(), this.value(depth + 1)] as const;
    });
    return Object.fromEntries(entries);
  }

  /** More items, or characters, than most limits allow. */
  #long(): unknown {
    const length = 1 << (this.#byte() % 18);
    return this.#byte() % 2 === 0 ? new Array<null>(length).fill(null) : 'x'.repeat(length);
  }

  #exotic(depth: number, kind: 'cloned' | 'own'): unknown {
    const inner = this.value(depth + 1);
    switch (this.#byte() % (kind === 'own' ? 12 : 7)) {
      case 0:
        return 7n;
      case 1:
        return new Date(0);
      case 2:
        return new Map([[this.#key(), inner]]);
      case 3:
        return new Float64Array(3);
      case 4: {
        const cyclic = {};
        // An assignment would set the prototype where the name is `__proto__`.
        const property = { value: cyclic, enumerable: true, writable: true, configurable: true };
        return Object.defineProperty(cyclic, this.#key(), property);
      }
      case 5:
        return new Blob(['x']);
      case 6:
        return this.#long();
      case 7:
        return () => inner;
      case 8:
        return Symbol('x');
      case 9:
        return Object.defineProperty({}, this.#key(), { get: refuse, enumerable: true });
      case 10:
        return new Proxy({}, { get: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse });
      default:
        return new Uint8Array(new SharedArrayBuffer(8));
    }
  }
}

function refuse(): never {
  throw new Error('a trap of the page');
}

/** The bytes of a value of plain data: the inverse of `valueIn`. */
export function bytesOfValue(value: unknown, words: Words): Uint8Array {
  return Uint8Array.from(numbersOf(value, words));
}

function numbersOf(value: unknown, words: Words): number[] {
  if (value === null) return [0];
  if (typeof value === 'boolean') return [value ? 1 : 2];
  if (value === undefined) return [3];
  if (typeof value === 'number') return numberOf(value);
  if (typeof value === 'string') return textOf(value, words, [8], [7]);
  if (value instanceof Uint8Array) return [10, value.length >> 8, value.length & 255, ...value];
  if (Array.isArray(value)) {
    return [11, value.length, ...value.flatMap((item) => numbersOf(item, words))];
  }
  const entries = Object.entries(value);
  const members = entries.flatMap(([name, each]) => [
    ...textOf(name, words, [0], [1]),
    ...numbersOf(each, words),
  ]);
  return [12, entries.length, ...members];
}

function numberOf(value: number): number[] {
  const place = NUMBERS.findIndex((number) => Object.is(number, value));
  if (place >= 0) return [6, place];
  if (value < 256) return [4, value];
  return [5, value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function textOf(text: string, words: Words, asWord: number[], asText: number[]): number[] {
  const place = words.indexOf(text);
  if (place >= 0) return [...asWord, place >> 8, place & 255];
  return [...asText, text.length, ...Buffer.from(text, 'latin1')];
}
