/* Batches of records: each has its own result or error. The records are those of src/rpc/methods/sync-record.ts. */
import { concat, utf8, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { EnvelopeError } from '../../format/errors.ts';
import {
  needsKey,
  notOpened,
  SealwrightError,
  toWire,
  type ErrorCode,
  type WireError,
} from '../../rpc/errors.ts';
import { MAX_RECORD_ID_CHARACTERS, MAX_SYNC_RECORD_BYTES } from '../../rpc/limits.ts';
import { recordParts, recordText } from '../../rpc/methods/sync-record.ts';
import { encodedLengths, unpacked, type ByteList } from '../../rpc/transport/byte-list.ts';
import type { OutputOf, ProgressOf } from '../../rpc/workshop.ts';
import type { EncryptedRecord, OpenedRecord, PlainRecord, RecordCodec } from '../../sync/codec.ts';
import { OtherKeyError, SyncError, TooManyError, type SyncErrorCode } from '../../sync/errors.ts';
import { mapResult, mapResultsTogether, resultOf, type Result } from '../../sync/results.ts';

type Report = (event: ProgressOf<'sync.encryptRecords'>) => void;
type Results = OutputOf<'sync.encryptRecords'>;
type Work = (items: readonly Uint8Array[]) => Promise<readonly Result<Uint8Array>[]>;

/** Enough for SIMD code that works on several messages at a time, and few enough for progress to be seen. */
const WAVE_ITEMS = 64;

/** The payloads' texts in UTF-8, in order. */
export function encryptedRecords(codec: RecordCodec, list: ByteList, report: Report) {
  return inWaves(list, report, (items) => {
    const records = items.map((item) => resultOf(() => plainIn(item)));
    return mapResultsTogether(records, (all) => codec.encrypt(all));
  });
}

/** The records' JSON behind their generations, in order. */
export function decryptedRecords(codec: RecordCodec, list: ByteList, report: Report) {
  return inWaves(list, report, async (items) => {
    const records = items.map((item) => resultOf(() => encryptedIn(item)));
    const opened = await mapResultsTogether(records, (all) => codec.decrypt(all));
    return opened.map((one) => mapResult(one, openedBytes));
  });
}

async function inWaves(list: ByteList, report: Report, work: Work): Promise<Results> {
  const all = unpacked(list);
  const items: Uint8Array[] = [];
  const failures: { at: number; error: WireError }[] = [];
  let done = 0;
  while (items.length < all.length) {
    const wave = all.slice(items.length, items.length + WAVE_ITEMS);
    for (const result of await work(wave)) {
      if (result.status === 'rejected') {
        failures.push({ at: items.length, error: toWire(pageError(result.reason)) });
      }
      items.push(result.status === 'fulfilled' ? result.value : NOTHING);
    }
    for (const { length } of wave) done += length;
    report({ done });
  }
  const bytes = concat(...items);
  wipe(...items);
  return { items: { bytes, lengths: encodedLengths(items.map(({ length }) => length)) }, failures };
}

const NOTHING = new Uint8Array(0);

const OF_SYNC: Readonly<Record<SyncErrorCode, ErrorCode>> = {
  BAD_RECORD: 'BAD_ENVELOPE',
  BAD_CLEARTEXT: 'INVALID_ARGUMENT',
};

/** What a page is told of it; `reason` itself where that is nothing of its input. */
export function pageError(reason: unknown): unknown {
  if (reason instanceof AuthenticationError) return notOpened();
  if (reason instanceof OtherKeyError) return needsKey(reason.keyId);
  if (reason instanceof EnvelopeError) return new SealwrightError(reason.code, reason.message);
  if (reason instanceof TooManyError) return new SealwrightError('TOO_LARGE', reason.message);
  if (reason instanceof SyncError) {
    return new SealwrightError(OF_SYNC[reason.code], reason.message);
  }
  return reason;
}

/** The payload is parsed to be checked; what is encrypted are its bytes. */
function plainIn(record: Uint8Array): PlainRecord {
  if (record.length > MAX_SYNC_RECORD_BYTES) {
    throw new SealwrightError('TOO_LARGE', `payload: at most ${MAX_SYNC_RECORD_BYTES} bytes`);
  }
  const { payload: json, ...fields } = fieldsIn(record);
  return { ...fields, payload: parsed(json), json };
}

function encryptedIn(record: Uint8Array): EncryptedRecord {
  const fields = fieldsIn(record);
  if (fields.payload.length === 0) throw new SyncError('BAD_RECORD', 'payload: expected text');
  return fields;
}

/** A record as it was sent. */
export interface Fields {
  readonly id: string;
  readonly payload: Uint8Array;
  readonly generation?: unknown;
}

/** The bytes come from the page's script. Invalid ones get the error of their record. @throws SealwrightError */
export function fieldsIn(record: Uint8Array): Fields {
  const parts = recordParts(record);
  if (!parts) throw new SealwrightError('INVALID_ARGUMENT', 'records: expected records');
  const id = decoded(parts.id);
  if (id === '' || id.length > MAX_RECORD_ID_CHARACTERS) {
    throw new SealwrightError('INVALID_ARGUMENT', 'id: expected text of 1 to 512 characters');
  }
  const { generation, payload } = parts;
  return generation.length === 0
    ? { id, payload }
    : { id, payload, generation: parsed(generation) };
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string {
  try {
    return DECODER.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SealwrightError('INVALID_ARGUMENT', 'records: expected UTF-8');
  }
}

/** Parser errors are not passed on, because their messages quote the text. */
function parsed(json: Uint8Array): unknown {
  const text = decoded(json);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SealwrightError('INVALID_ARGUMENT', 'records: expected JSON');
  }
}

const headOf = (generation: number): Uint8Array => utf8(recordText('', String(generation), ''));
const NO_GENERATION = utf8(recordText('', '', ''));

/** The JSON as it was decrypted, which is not made again, behind its generation. */
function openedBytes({ json, generation }: OpenedRecord): Uint8Array {
  const head = generation === undefined ? NO_GENERATION : headOf(generation);
  const bytes = concat(head, json);
  wipe(json);
  return bytes;
}
