import type { Call, Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { MAX_RECORD_ID_CHARACTERS, MAX_SYNC_RECORD_BYTES } from '../../rpc/limits.ts';
import type { ParamsOf, ResultOf } from '../../rpc/methods/methods.ts';
import { unpacked } from '../../rpc/transport/byte-list.ts';
import { recordParts, recordText } from '../../rpc/methods/sync-record.ts';
import { OtherKeyError, SyncError } from '../../sync/errors.ts';
import type { EncryptedRecord, OpenedRecord, PlainRecord, RecordCodec } from '../../sync/codec.ts';
import { concat, utf8, wipe } from '../../crypto/bytes.ts';
import { mapResult, mapResultsTogether, resultOf } from '../../sync/results.ts';
import type { Result } from '../../sync/results.ts';
import { inBatch, type BatchWork } from '../calls/batch.ts';
import { needsKey, notGranted } from '../errors.ts';
import type { SyncKeys } from './sync-keys.ts';
import type { Yielder } from '../calls/yielding.ts';
import type { AuthorizeDeps } from '../grants/authorize.ts';
import { authorizeSync } from './authorize-sync.ts';

interface Deps extends AuthorizeDeps {
  readonly syncKeys: SyncKeys;
  readonly yielder: Yielder;
}

type Records = ParamsOf<'sync.encryptRecords'>;

/**
 * Encrypts and decrypts records of sync services. The result is as if the records were processed one after the other,
 * but grants are checked once and there is one commit. Each record has its own result or error.
 */
export function syncRecordMethods(
  deps: Deps,
): Pick<Implementations, 'sync.encryptRecords' | 'sync.decryptRecords'> {
  return {
    async 'sync.encryptRecords'(params, call) {
      return recordsIn(params, call, deps, ENCRYPT);
    },
    async 'sync.decryptRecords'(params, call) {
      const { items, failures } = await recordsIn(params, call, deps, DECRYPT);
      return { items, failures };
    },
  };
}

interface Direction<R> {
  /** @throws the error of this record */
  readonly read: (item: Uint8Array) => R;
  readonly work: (
    codec: RecordCodec,
    records: readonly R[],
  ) => Promise<readonly Result<Uint8Array>[]>;
}

const ENCRYPT: Direction<PlainRecord> = {
  read: plainIn,
  work: (codec, records) => codec.encrypt(records),
};

const DECRYPT: Direction<EncryptedRecord> = {
  read: encryptedIn,
  async work(codec, records) {
    const opened = await codec.decrypt(records);
    return opened.map((one) => mapResult(one, openedBytes));
  },
};

function recordsIn<R>(
  { collection, records, key }: Records,
  call: Call,
  { yielder, syncKeys, ...parts }: Deps,
  direction: Direction<R>,
): Promise<ResultOf<'sync.encryptRecords'>> {
  const items = unpacked(records);
  const request = { key, collections: [collection], uses: items.length };
  return authorizeSync(request, call, parts, ({ ref, take }) =>
    syncKeys.withCodec(ref, collection, (codec) =>
      take(async (uses, signal) => {
        const work = batchWork(direction, codec, uses);
        const result = await inBatch({ items, work, call, signal, yielder });
        return { ...result, ...(codec.kid !== undefined && { kid: codec.kid }) };
      }),
    ),
  );
}

/** @param uses that are left; items beyond them get EXPIRED */
function batchWork<R>(
  { read, work }: Direction<R>,
  codec: RecordCodec,
  uses: number,
): BatchWork['work'] {
  return async (items, first) => {
    const records = items.map((item, i) =>
      resultOf(() => {
        if (first + i >= uses) throw notGranted('EXPIRED');
        return read(item);
      }),
    );
    const results = await mapResultsTogether(records, (readable) => work(codec, readable));
    return results.map(withPageError);
  };
}

function withPageError<T>(result: Result<T>): Result<T> {
  const reason: unknown = result.status === 'rejected' ? result.reason : undefined;
  if (!(reason instanceof OtherKeyError)) return result;
  return { status: 'rejected', reason: needsKey(reason.keyId) };
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

interface Fields {
  readonly id: string;
  readonly payload: Uint8Array;
  readonly generation?: unknown;
}

/** The bytes come from the page's script. Invalid ones get the error of their record. */
function fieldsIn(record: Uint8Array): Fields {
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
