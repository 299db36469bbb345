/*
 * Records of sync services as a page passes and gets them. Only the fields that encryption needs are sent,
 * as JSON. The other fields stay here and are added to the result.
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
  /** All fields of each record at the time of the call. */
  readonly fields: readonly Fields[];
}

/** The JSON of a record that is sent; throws a SealwrightError that names the record. */
type RecordText = (name: string, fields: Fields) => string;

/** @throws SealwrightError for values that are no list of records, before any use is counted */
export function readRecords(value: unknown, textOf: RecordText, maxBytes: number): ReadRecords {
  const fields: Fields[] = [];
  const read = (name: string, record: unknown): Uint8Array => {
    const own = ownFields(name, record);
    fields[fields.length] = own;
    return utf8(readable(name, () => textOf(name, own)));
  };
  return { records: packedItems('records', value, read, maxBytes), fields };
}

/** A record to encrypt is made by the page, so an invalid id or payload fails the call. */
export const plainText: RecordText = (name, { id, payload, generation }) => {
  const text = requiredText(`${name}.id`, id, MAX_RECORD_ID_CHARACTERS);
  if (!isWellFormed(text)) throw invalid(`${name}.id`, 'text without lone surrogates');
  const json = jsonOf(payload);
  if (json === undefined) throw invalid(`${name}.payload`, 'what JSON can say');
  return `{"id":${jsonOf(text)},"payload":${json}${generationText(generation)}}`;
};

/** A record to decrypt comes from a server, so a missing field fails this record alone. */
export const encryptedText: RecordText = (_name, { id, payload, generation }) =>
  `{"id":${jsonOf(id) ?? 'null'},"payload":${jsonOf(payload) ?? 'null'}${generationText(generation)}}`;

/**
 * The records of results: the fields that the page passed, and those of the result.
 *
 * @param made the fields of one result; its errors become the error of this record
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
    // The parser's message would quote its input.
    const error = new SealwrightError('INTERNAL', 'The record could not be put together');
    return freeze({ ok: false, error });
  }
  return freeze({ ok: true, value: record });
}

/** The own enumerable fields, each read once. */
function ownFields(name: string, record: unknown): Fields {
  if (typeof record !== 'object' || record === null) throw invalid(name, 'a record');
  return readable(name, () => {
    const fields = { __proto__: null } as unknown as Fields;
    copyFields(fields, record as Fields);
    return fields;
  });
}

/** Defines fields instead of assigning them: one may be called __proto__. */
function copyFields(target: object, from: Fields): void {
  const names = keys(from);
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    const how = { value: from[name], enumerable: true, configurable: true, writable: true };
    defineProperty(target, name, { __proto__: null, ...how } as PropertyDescriptor);
  }
}

/** Errors of the page's getters, proxies and cycles become an error that names the record. */
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
