/*
 * An entry of the shared state in few bytes, for media without much room. It is no second form of the state: what was read
 * is checked as a text is (devices/state-text.ts). Ids of devices are numbers in a table that an item has; all else is in
 * the entry, so that its length depends on nothing around it.
 *
 *   integer   7 bits a byte, the least first; the high bit is set where another byte follows
 *   token     integer: payload · 8 + 4 if another token of the same text follows + kind
 *               kind 0  UTF-8: the payload is its length
 *               kind 1  base64url: the payload stands for the number of bytes, 0 for 16, 1 for 32, else the number + 2
 *               kind 2  WORDS[payload]
 *               kind 3  the token of kind 0 or 1 with this place in the entry
 *   text      tokens, with a space between them, but for none after "swp1."
 *   value     type (1): 0 null, 1 false, 2 true, 3 text, 4 array (count, values), 5 object (count, names and values in the
 *               order of names), 6 integer, 7 another number as text of JSON
 *             A fact `generation <number> <digest>` whose digest is that of its key is written without it; the digest
 *             then counts as a token that the entry has.
 *   vector    count, then place of the device and number
 *   entry     text of the name, then a type (1) and
 *               1  incarnation, vector, facts (count, texts and values),
 *                  registers (count; text, count of versions, for each the place of the device · 2, vector, value; or
 *                  the place · 2 + 1 and value, where its vector is that of the entry)
 *               0  incarnation, vector, time
 *               2  length, bytes: what is no entry of the state
 */
import { concat, copyOf, fromBase64url, toBase64url, utf8, wipe } from '../../crypto/bytes.ts';
import { utf8Text } from '../../format/utf8-text.ts';
import { digestOfKey } from '../devices/contents.ts';
import { isDeleted } from '../devices/shared-state.ts';
import type { Entry, LiveEntry, Version, VersionVector } from '../devices/shared-state.ts';
import { SharedStateError } from '../devices/state-text.ts';
import { sameJson } from '../values/json.ts';
import type { Json } from '../values/json.ts';

/** An entry, or bytes of the circle. */
export type Content = { readonly entry: Entry } | { readonly bytes: Uint8Array };

/**
 * The bytes of an entry, which the caller wipes.
 *
 * @param devices the table: at least the devices that it names
 */
export function encodeContent(
  name: string,
  content: Content,
  devices: readonly string[],
): Uint8Array {
  return new EntryWriter(devices).write(name, content);
}

/** Reads what `encodeContent` wrote, from `reader` on. @throws SharedStateError for all else */
export function decodeContent(
  reader: ByteReader,
  devices: readonly string[],
): { readonly name: string; readonly content: Content } {
  try {
    return new EntryReader(reader, devices).read();
  } catch (error) {
    // Of the decoder, of JSON, and of a stack that nested values fill.
    const kinds = [TypeError, SyntaxError, RangeError];
    if (!kinds.some((kind) => error instanceof kind)) throw error;
    throw new SharedStateError();
  }
}

/** Reads bytes one after the other. What is missing is a SharedStateError. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** A copy of the next bytes. */
  take(length: number): Uint8Array<ArrayBuffer> {
    if (length > this.#bytes.length - this.#at) throw new SharedStateError();
    this.#at += length;
    return copyOf(this.#bytes.subarray(this.#at - length, this.#at));
  }

  /** At most 2^53 − 1. */
  integer(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.take(1)[0]!;
      value += (byte & 0x7f) * unit;
      if (value > Number.MAX_SAFE_INTEGER) throw new SharedStateError();
      if (byte < 0x80) return value;
    }
  }

  /** As often as an integer says, of which each needs a byte at least. */
  list<T>(read: () => T): T[] {
    const count = this.integer();
    if (count > this.#bytes.length - this.#at) throw new SharedStateError();
    return Array.from({ length: count }, read);
  }

  /** What has not been read. */
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }
}

/** The bytes of an integer from 0 to 2^53 − 1. */
export function integerBytes(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.of(...bytes, rest);
}

const KIND = { utf8: 0, bytes: 1, word: 2, earlier: 3 } as const;
const MORE = 4;
const TYPE = {
  null: 0,
  false: 1,
  true: 2,
  text: 3,
  array: 4,
  object: 5,
  integer: 6,
  number: 7,
} as const;
const DELETED = 0;
const LIVE = 1;
const BYTES = 2;

/** In front of a public key, without a space. */
const PUBLIC_KEY = 'swp1.';
/** Only ever added to: a token is named by its place. */
const WORDS: readonly string[] = [
  ...['id', 'generation', 'digest', 'created', 'key', 'label', 'standing', 'guest'],
  ...['use', 'key-use', 'sealing-key', 'root', 'salt', 'derivation', '1', PUBLIC_KEY],
  ...['contact', 'name', 'verified', 'publicKey', 'note', 'tone', 'archived', 'newestSet'],
  ...['set', 'kept', 'secret', 'algorithm', 'origin', 'foreignId', 'site-fields', 'ref', 'mark'],
  ...['input', 'textarea', 'aria-label', 'placeholder', 'key-root', 'appRoot', 'pairwiseSecret'],
  ...['persistent-key', 'signing-key', 'sharing-key', 'sync-key', 'age-key', 'jose-key'],
  ...['Ed25519', 'X25519', 'X-Wing', 'default', 'collections', 'bundle', '2', '3'],
];
const PLACE_OF_WORD: ReadonlyMap<string, number> = new Map(WORDS.map((word, at) => [word, at]));

/** Lengths of ids and keys, which take a byte less. */
const COMMON_LENGTHS = [16, 32] as const;

/** Facts that are named by the digest of their key, with it and without. */
const IMPLIED = /^generation \d+ [\w-]+$/;
const IMPLYING = /^generation \d+$/;

/** The digest of the key in the value of a fact; undefined where there is no key. */
function digestIn(value: Json): string | undefined {
  const { key } = (value ?? {}) as { readonly key?: unknown };
  return typeof key === 'string' && bytesIn(key) !== undefined ? digestOfKey(key) : undefined;
}

class EntryWriter {
  readonly #devices: ReadonlyMap<string, number>;
  readonly #parts: Uint8Array[] = [];
  readonly #earlier = new Map<string, number>();

  constructor(devices: readonly string[]) {
    this.#devices = new Map(devices.map((id, at) => [id, at]));
  }

  write(name: string, content: Content): Uint8Array {
    this.#text(name);
    if ('entry' in content) this.#entry(content.entry);
    else {
      const { bytes } = content;
      this.#add(Uint8Array.of(BYTES), integerBytes(bytes.length), bytes.slice());
    }
    const whole = concat(...this.#parts);
    wipe(...this.#parts);
    return whole;
  }

  #add(...parts: readonly Uint8Array[]): void {
    this.#parts.push(...parts);
  }

  #integer(value: number): void {
    this.#add(integerBytes(value));
  }

  #entry(entry: Entry): void {
    this.#add(Uint8Array.of(isDeleted(entry) ? DELETED : LIVE));
    this.#integer(entry.incarnation);
    if (isDeleted(entry)) {
      this.#vector(entry.deleted.seen);
      this.#integer(entry.deleted.at);
      return;
    }
    this.#vector(entry.version);
    this.#members(entry.facts, (name, value) => {
      const digest = digestIn(value);
      const isImplied = digest !== undefined && IMPLIED.test(name) && name.endsWith(` ${digest}`);
      this.#text(isImplied ? name.slice(0, -digest.length - 1) : name);
      this.#value(value);
      if (isImplied && !this.#earlier.has(digest)) this.#earlier.set(digest, this.#earlier.size);
    });
    this.#members(entry.registers, (name, versions) => {
      this.#text(name);
      this.#integer(versions.length);
      for (const version of versions) this.#version(version, entry);
    });
  }

  #version({ by, version, value }: Version, entry: LiveEntry): void {
    const isOfAll = sameJson(version, entry.version);
    this.#integer(2 * this.#devices.get(by)! + Number(isOfAll));
    if (!isOfAll) this.#vector(version);
    this.#value(value);
  }

  #vector(vector: VersionVector): void {
    const numbers = Object.entries(vector).map(([id, count]) => [this.#devices.get(id)!, count]);
    this.#integer(numbers.length);
    for (const [place, count] of numbers.sort(([a], [b]) => a! - b!)) {
      this.#integer(place!);
      this.#integer(count!);
    }
  }

  #members<T>(members: Readonly<Record<string, T>>, write: (name: string, value: T) => void): void {
    const sorted = Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));
    this.#integer(sorted.length);
    for (const [name, value] of sorted) write(name, value);
  }

  #value(value: Json): void {
    if (value === null || typeof value === 'boolean') {
      this.#add(Uint8Array.of(value === null ? TYPE.null : value ? TYPE.true : TYPE.false));
    } else if (typeof value === 'string') {
      this.#add(Uint8Array.of(TYPE.text));
      this.#text(value);
    } else if (typeof value === 'number') {
      const isInteger = Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0);
      this.#add(Uint8Array.of(isInteger ? TYPE.integer : TYPE.number));
      if (isInteger) this.#integer(value);
      else this.#text(JSON.stringify(value));
    } else if (Array.isArray(value)) {
      const all: readonly Json[] = value;
      this.#add(Uint8Array.of(TYPE.array), integerBytes(all.length));
      for (const each of all) this.#value(each);
    } else {
      this.#add(Uint8Array.of(TYPE.object));
      this.#members(value as Readonly<Record<string, Json>>, (name, each) => {
        this.#text(name);
        this.#value(each);
      });
    }
  }

  #text(text: string): void {
    const tokens = text.split(' ');
    for (const [at, token] of tokens.entries()) {
      const more = at < tokens.length - 1 ? MORE : 0;
      if (token.startsWith(PUBLIC_KEY)) {
        this.#tag(PLACE_OF_WORD.get(PUBLIC_KEY)!, MORE + KIND.word);
        this.#token(token.slice(PUBLIC_KEY.length), more);
      } else this.#token(token, more);
    }
  }

  #tag(payload: number, kind: number): void {
    this.#integer(8 * payload + kind);
  }

  #token(token: string, more: number): void {
    const [word, earlier] = [PLACE_OF_WORD.get(token), this.#earlier.get(token)];
    if (word !== undefined && token !== PUBLIC_KEY) this.#tag(word, more + KIND.word);
    else if (earlier !== undefined) this.#tag(earlier, more + KIND.earlier);
    else {
      this.#earlier.set(token, this.#earlier.size);
      const bytes = bytesIn(token);
      if (bytes === undefined) {
        const text = utf8(token);
        this.#tag(text.length, more + KIND.utf8);
        this.#add(text);
      } else {
        const common = COMMON_LENGTHS.findIndex((length) => length === bytes.length);
        const payload = common < 0 ? bytes.length + COMMON_LENGTHS.length : common;
        this.#tag(payload, more + KIND.bytes);
        this.#add(bytes);
      }
    }
  }
}

/** Undefined where the token is not canonical base64url. */
function bytesIn(token: string): Uint8Array | undefined {
  try {
    return fromBase64url(token);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

class EntryReader {
  readonly #reader: ByteReader;
  readonly #devices: readonly string[];
  readonly #earlier: string[] = [];

  constructor(reader: ByteReader, devices: readonly string[]) {
    this.#reader = reader;
    this.#devices = devices;
  }

  read(): { readonly name: string; readonly content: Content } {
    const name = this.#text();
    const type = this.#reader.take(1)[0]!;
    if (type === BYTES) return { name, content: { bytes: this.#reader.take(this.#integer()) } };
    if (type !== LIVE && type !== DELETED) throw new SharedStateError();
    const incarnation = this.#integer();
    const vector = this.#vector();
    if (type === DELETED) {
      return {
        name,
        content: { entry: { incarnation, deleted: { seen: vector, at: this.#integer() } } },
      };
    }
    const facts = this.#members(() => this.#fact());
    const registers = this.#members(() => [
      this.#text(),
      this.#reader.list(() => this.#version(vector)),
    ]);
    return { name, content: { entry: { incarnation, version: vector, facts, registers } } };
  }

  #integer(): number {
    return this.#reader.integer();
  }

  #deviceAt(place: number): string {
    const id = this.#devices[place];
    if (id === undefined) throw new SharedStateError();
    return id;
  }

  #vector(): VersionVector {
    return Object.fromEntries(
      this.#reader.list(() => [this.#deviceAt(this.#integer()), this.#integer()] as const),
    );
  }

  #fact(): readonly [string, Json] {
    const [name, value] = [this.#text(), this.#value()];
    const digest = IMPLYING.test(name) ? digestIn(value) : undefined;
    if (digest === undefined) return [name, value];
    if (!this.#earlier.includes(digest)) this.#earlier.push(digest);
    return [`${name} ${digest}`, value];
  }

  #version(all: VersionVector): Version {
    const place = this.#integer();
    const by = this.#deviceAt(Math.floor(place / 2));
    return { by, version: place % 2 === 1 ? all : this.#vector(), value: this.#value() };
  }

  #members<T>(read: () => readonly [string, T]): Readonly<Record<string, T>> {
    return Object.fromEntries(this.#reader.list(read));
  }

  #value(): Json {
    const type = this.#reader.take(1)[0]!;
    if (type === TYPE.null) return null;
    if (type === TYPE.false || type === TYPE.true) return type === TYPE.true;
    if (type === TYPE.text) return this.#text();
    if (type === TYPE.array) return this.#reader.list(() => this.#value());
    if (type === TYPE.object) return this.#members(() => [this.#text(), this.#value()]);
    if (type === TYPE.integer) return this.#integer();
    const value: unknown = type === TYPE.number ? JSON.parse(this.#text()) : undefined;
    if (typeof value !== 'number') throw new SharedStateError();
    return value;
  }

  #text(): string {
    let text = '';
    for (;;) {
      const tag = this.#integer();
      const [kind, payload] = [tag % 4, Math.floor(tag / 8)];
      text += this.#token(kind, payload);
      if (Math.floor(tag / 4) % 2 === 0) return text;
      if (kind !== KIND.word || WORDS[payload] !== PUBLIC_KEY) text += ' ';
    }
  }

  #token(kind: number, payload: number): string {
    if (kind === KIND.word) return known(WORDS[payload]);
    if (kind === KIND.earlier) return known(this.#earlier[payload]);
    const length = COMMON_LENGTHS[payload] ?? payload - COMMON_LENGTHS.length;
    const token =
      kind === KIND.utf8
        ? known(utf8Text(this.#reader.take(payload)))
        : toBase64url(this.#reader.take(length));
    this.#earlier.push(token);
    return token;
  }
}

function known(token: string | undefined): string {
  if (token === undefined) throw new SharedStateError();
  return token;
}
