/*
 * Records of sync services as a page passes and gets them. Only the fields that encryption needs are sent. The other
 * fields stay here and are added to the result.
 */
import { MAX_ARMORED_BYTES, MAX_RECORD_ID_CHARACTERS } from '../../../src/rpc/limits.ts';
import { jsonText } from './json-text.ts';
import { recordParts, recordText } from '../../../src/rpc/methods/sync-record.ts';
import type { ByteList } from '../../../src/rpc/transport/byte-list.ts';
import { freeze, isWellFormed, keys } from '../../../src/rpc/primordials.ts';
import { SealwrightError } from '../../../src/rpc/errors.ts';
import { invalid, requiredText } from '../arguments.ts';
import { packedTexts, resultsOf } from './batch.ts';
import type { BatchAnswer, BatchResult } from './batch.ts';
import { fromUtf8, parse, typedArrayParts } from '../primordials.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface ReadRecords {
  readonly records: ByteList;
  /** All fields of each record at the time of the call. */
  readonly fields: readonly Fields[];
}

/** The text of a record as it is sent; throws a SealwrightError that names the record. */
type RecordText = (name: string, fields: Fields) => string;

/** @throws SealwrightError for values that are not a list of records, before any use is counted */
export function readRecords(
  value: unknown,
  textOf: RecordText,
  maxBytes: number,
  argument = 'records',
): ReadRecords {
  const fields: Fields[] = [];
  const read = (name: string, record: unknown): string => {
    const own = ownFields(name, record);
    fields[fields.length] = own;
    return readable(name, () => textOf(name, own));
  };
  return { records: packedTexts(argument, value, read, maxBytes), fields };
}

/** A record to encrypt is made by the page, so an invalid id or payload fails the call. */
export const plainText: RecordText = (name, { id, payload, generation }) => {
  const text = idText(name, id);
  const json = jsonText(payload);
  if (json === undefined) throw invalid(`${name}.payload`, 'what JSON can say');
  return recordText(text, generationText(generation), json);
};

/** A record to decrypt comes from a server, so a missing field fails this record alone: it is sent empty. */
export const encryptedText: RecordText = (_name, { id, payload, generation }) => {
  const isId = typeof id === 'string' && id.length <= MAX_RECORD_ID_CHARACTERS && isWellFormed(id);
  const text = typeof payload === 'string' ? payload : '';
  return recordText(isId ? id : '', generationText(generation), text);
};

/** A record to list was made by the page's own app, so an invalid id or payload fails the call. Deleted ones have no text. */
export const listedText: RecordText = (name, { id, payload, deleted, generation }) => {
  const text = idText(name, id);
  if (deleted === true) return recordText(text, generationText(generation), '');
  const sealed = requiredText(`${name}.payload`, payload, MAX_ARMORED_BYTES);
  return recordText(text, generationText(generation), sealed);
};

/** A record to verify needs its id alone: what has no payload, as servers list what was deleted, is not there. */
export const storedText: RecordText = (name, { id, payload }) =>
  recordText(idText(name, id), '', typeof payload === 'string' ? payload : '');

/** What a decrypted record adds to the fields that the page passed. */
export function openedFields(record: Uint8Array): Fields {
  const { generation, payload } = recordParts(record)!;
  const opened: unknown = parse(fromUtf8(payload));
  if (typedArrayParts.byteLength(generation) === 0) return { payload: opened };
  return { payload: opened, generation: parse(fromUtf8(generation)) };
}

/**
 * The records of results: the fields that the page passed, and those of the result.
 *
 * @param made the fields of one result; its errors become the error of this record
 */
export function recordsWith(
  answer: BatchAnswer,
  fields: readonly Fields[],
  made: (value: Uint8Array) => Fields,
): BatchResult<Fields>[] {
  return resultsOf(answer, (value, i) => recordOf(fields[i]!, () => made(value)));
}

function recordOf(fields: Fields, make: () => Fields): BatchResult<Fields> {
  try {
    // Spreading defines fields and calls no setter: one may be called __proto__.
    return freeze({ ok: true, value: { ...fields, ...make() } });
  } catch {
    // The parser's message would quote its input.
    const error = new SealwrightError('INTERNAL', 'The record could not be put together');
    return freeze({ ok: false, error });
  }
}

function idText(name: string, id: unknown): string {
  const text = requiredText(`${name}.id`, id, MAX_RECORD_ID_CHARACTERS);
  if (isWellFormed(text)) return text;
  throw invalid(`${name}.id`, 'text without lone surrogates');
}

/** The own enumerable fields, each read once. */
function ownFields(name: string, record: unknown): Fields {
  if (typeof record !== 'object' || record === null) throw invalid(name, 'a record');
  return readable(name, () => {
    // Without a prototype, it has no setters, not even for __proto__.
    const fields = { __proto__: null } as unknown as Record<string, unknown>;
    const names = keys(record);
    for (let i = 0; i < names.length; i++) fields[names[i]!] = (record as Fields)[names[i]!];
    return fields;
  });
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

/** What is not a number is not a generation, and is sent as `null`, which formats with generations refuse. */
function generationText(generation: unknown): string {
  const json = jsonText(generation);
  if (json === undefined) return '';
  return typeof generation === 'number' ? json : 'null';
}
