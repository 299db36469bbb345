import type { Call, Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { MAX_RECORD_ID_CHARACTERS, MAX_SYNC_RECORD_BYTES } from '../../rpc/limits.ts';
import type { ParamsOf, ResultOf } from '../../rpc/methods.ts';
import { unpacked } from '../../rpc/packed.ts';
import { isWellFormed } from '../../rpc/primordials.ts';
import { OtherKeyError, SyncError } from '../../sync/errors.ts';
import type { RecordCodec } from '../../sync/record-codec.ts';
import { inBatch, type BatchWork } from '../batch.ts';
import { needsKey, notGranted } from '../errors.ts';
import type { SyncKeys } from '../sync-keys.ts';
import type { Turns } from '../turns.ts';
import type { UnderGrantParts } from './under-grant.ts';
import { underSyncGrant } from './under-sync-grant.ts';

interface Parts extends UnderGrantParts {
  readonly syncKeys: SyncKeys;
  readonly turns: Turns;
}

type Records = ParamsOf<'sync.encryptRecords'>;

/**
 * Records of sync services: as if they were encrypted one after the other, under one look at the
 * grants and one commit. Each has a result or an error of its own.
 */
export function syncRecordMethods(
  parts: Parts,
): Pick<Implementations, 'sync.encryptRecords' | 'sync.decryptRecords'> {
  return {
    async 'sync.encryptRecords'(params, call) {
      return inCodec(params, call, parts, async (codec, batch) => {
        const { items, failures } = await batch(async (record) => codec.encrypt(plainIn(record)));
        return { items, failures, ...(codec.kid !== undefined && { kid: codec.kid }) };
      });
    },
    async 'sync.decryptRecords'(params, call) {
      return inCodec(params, call, parts, (codec, batch) =>
        batch(async (record) => json(await codec.decrypt(encryptedIn(record)))),
      );
    },
  };
}

/** Works on all records with the uses that there are; those beyond them hear EXPIRED. */
type Batch = (
  work: (record: Uint8Array) => Promise<Uint8Array>,
) => Promise<ResultOf<'sync.decryptRecords'>>;

function inCodec<T>(
  { collection, records, key }: Records,
  call: Call,
  parts: Parts,
  work: (codec: RecordCodec, batch: Batch) => Promise<T>,
): Promise<T> {
  const items = unpacked(records);
  const wish = { key, collections: [collection], uses: items.length };
  return underSyncGrant(wish, call, parts, ({ ref, take }) =>
    parts.syncKeys.withCodec(ref, collection, (codec) =>
      take((uses, signal) =>
        work(codec, (one) => {
          const within: BatchWork['work'] = async (item, index) => {
            if (index >= uses) throw notGranted('EXPIRED');
            return worded(() => one(item));
          };
          return inBatch({ items, work: within, call, signal, turns: parts.turns });
        }),
      ),
    ),
  );
}

async function worded(work: () => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OtherKeyError) throw needsKey(error.keyId);
    throw error;
  }
}

interface Fields {
  readonly id: string;
  readonly payload?: unknown;
  readonly generation?: unknown;
}

function plainIn(record: Uint8Array) {
  if (record.length > MAX_SYNC_RECORD_BYTES) {
    throw new SealwrightError('TOO_LARGE', `payload: at most ${MAX_SYNC_RECORD_BYTES} bytes`);
  }
  const { id, payload, generation } = fieldsOf(record);
  return { id, payload, ...(generation !== undefined && { generation }) };
}

function encryptedIn(record: Uint8Array) {
  const { id, payload, generation } = fieldsOf(record);
  if (typeof payload !== 'string') {
    throw new SyncError('BAD_RECORD', 'payload: expected text');
  }
  return { id, payload, ...(generation !== undefined && { generation }) };
}

/** A page's script has made this text; whoever else did gets the error of his record. */
function fieldsOf(record: Uint8Array): Fields {
  const value: unknown = parsed(record);
  const { id } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Fields>;
  const isText = typeof id === 'string' && id !== '' && isWellFormed(id);
  if (!isText || id.length > MAX_RECORD_ID_CHARACTERS) {
    throw new SealwrightError('INVALID_ARGUMENT', 'id: expected text of 1 to 512 characters');
  }
  return value as Fields;
}

function parsed(record: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(record));
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
    throw new SealwrightError('INVALID_ARGUMENT', 'records: expected JSON');
  }
}

function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
