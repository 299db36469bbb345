/*
 * Records of sync services as a page gives and gets them. What travels is JSON of what the key needs
 * to see; all other fields of a record stay here and come back beside the result.
 */
import { MAX_RECORD_ID_CHARACTERS } from '../../../src/rpc/limits.ts';
import type { ByteList } from '../../../src/rpc/transport/byte-list.ts';
import { defineProperty, freeze, isWellFormed, keys } from '../../../src/rpc/primordials.ts';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import { invalid, requiredText } from './arguments.ts';
import { packedItems } from './batch.ts';
import type { BatchResult } from './batch.ts';
import { stringify, utf8 } from '../primordials.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface ReadRecords {
  readonly records: ByteList;
  /** Of each record, as they were when the call was made. */
  readonly fields: readonly Fields[];
}

/** What of a record travels, as JSON; throws a SealwrightError that names it. */
type RecordText = (name: string, fields: Fields) => string;

/** @throws SealwrightError for what is no list of records, before a use is taken for any */
export function readRecords(value: unknown, textOf: RecordText, maxBytes: number): ReadRecords {
  const fields: Fields[] = [];
  const read = (name: string, record: unknown): Uint8Array => {
    const own = ownFields(name, record);
    fields[fields.length] = own;
    return utf8(readable(name, () => textOf(name, own)));
  };
  return { records: packedItems('records', value, read, maxBytes), fields };
}

/** A record to encrypt is the page's own: an id or payload that is none is a mistake in it. */
export const plainText: RecordText = (name, { id, payload, generation }) => {
  const text = requiredText(`${name}.id`, id, MAX_RECORD_ID_CHARACTERS);
  if (!isWellFormed(text)) throw invalid(`${name}.id`, 'text without lone surrogates');
  const json = jsonOf(payload);
  if (json === undefined) throw invalid(`${name}.payload`, 'what JSON can say');
  return `{"id":${jsonOf(text)},"payload":${json}${generationText(generation)}}`;
};

/** One to decrypt comes from a server: what it lacks is found wrong with this record alone. */
export const encryptedText: RecordText = (_name, { id, payload, generation }) =>
  `{"id":${jsonOf(id) ?? 'null'},"payload":${jsonOf(payload) ?? 'null'}${generationText(generation)}}`;

/**
 * The record of each result: all fields that came, and those that the work has made.
 *
 * @param made of the text of one result; what it throws becomes the error of this record
 */
export function recordsWith(
  results: readonly BatchResult<Uint8Array>[],
  fields: readonly Fields[],
  made: (value: Uint8Array) => Fields,
): BatchResult<Fields>[] {
  const records: BatchResult<Fields>[] = [];
  for (let i = 0; i < results.length; i++) {
    const result = results[i]!;
    records[i] = result.ok ? recordOf(fields[i]!, () => made(result.value)) : result;
  }
  return records;
}

function recordOf(fields: Fields, make: () => Fields): BatchResult<Fields> {
  const record = {};
  copyFields(record, fields);
  try {
    copyFields(record, make());
  } catch {
    // The parser's message would quote what it read.
    const error = new SealwrightError('INTERNAL', 'The record could not be put together');
    return freeze({ ok: false, error });
  }
  return freeze({ ok: true, value: record });
}

/** Own, enumerable ones; each is read once. */
function ownFields(name: string, record: unknown): Fields {
  if (typeof record !== 'object' || record === null) throw invalid(name, 'a record');
  return readable(name, () => {
    const fields = { __proto__: null } as unknown as Fields;
    copyFields(fields, record as Fields);
    return fields;
  });
}

/** By definition, not assignment: a field may be called __proto__. */
function copyFields(target: object, from: Fields): void {
  const names = keys(from);
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    const how = { value: from[name], enumerable: true, configurable: true, writable: true };
    defineProperty(target, name, { __proto__: null, ...how } as PropertyDescriptor);
  }
}

/** What the page's getters, proxies and cycles throw is a mistake in this record. */
function readable<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SealwrightError) throw error;
    throw invalid(name, 'a record that can be read, with a payload that JSON can say');
  }
}

function generationText(generation: unknown): string {
  const json = jsonOf(generation);
  return json === undefined ? '' : `,"generation":${json}`;
}

/** Undefined for undefined, functions and symbols, unlike the type of `JSON.stringify`. */
function jsonOf(value: unknown): string | undefined {
  return stringify(value);
}
