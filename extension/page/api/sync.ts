import {
  MAX_BATCH_RECORD_BYTES,
  MAX_BATCH_SEALED_BYTES,
  MAX_COLLECTION_CHARACTERS,
  MAX_COLLECTION_KEYS_BYTES,
  MAX_HEADS_BYTES,
} from '../../../src/rpc/limits.ts';
import { PAGE_METHODS } from '../../../src/rpc/methods/page.ts';
import { freeze } from '../../../src/rpc/primordials.ts';
import {
  checked,
  encodedText,
  invalid,
  keyParam,
  readOptions,
  requiredText,
} from '../arguments.ts';
import type { BatchResult } from './batch.ts';
import { bindsMethods } from '../bound-methods.ts';
import type { Calls } from '../connection/calls.ts';
import { fromUtf8 } from '../primordials.ts';
import {
  encryptedText,
  listedText,
  openedFields,
  plainText,
  readRecords,
  recordsWith,
  storedText,
} from './records.ts';

type Fields = Readonly<Record<string, unknown>>;

const KEY_OPTION = ['key'] as const;

/** The id of Weave's crypto/keys record. */
const COLLECTION_KEYS_ID = 'keys';

/** `sealwright.sync`. src/client/page-api.ts has the contract of each method. */
export class SealwrightSync {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
    bindTo(this);
    freeze(this);
  }

  async encryptRecords(
    collection: unknown,
    records: unknown,
    options?: unknown,
  ): Promise<BatchResult<Fields>[]> {
    const name = collectionName(collection);
    const read = readRecords(records, plainText, MAX_BATCH_RECORD_BYTES);
    const control = readOptions(options, KEY_OPTION);
    const params = { collection: name, records: read.records, ...keyParam(control) };
    const answer = await this.#calls.call('sync.encryptRecords', params, control);
    const { kid } = answer;
    return recordsWith(answer, read.fields, (value) => {
      const payload = fromUtf8(value);
      return kid === undefined ? { payload } : { payload, kid };
    });
  }

  async decryptRecords(
    collection: unknown,
    records: unknown,
    options?: unknown,
  ): Promise<BatchResult<Fields>[]> {
    const name = collectionName(collection);
    const read = readRecords(records, encryptedText, MAX_BATCH_SEALED_BYTES);
    const control = readOptions(options, KEY_OPTION);
    const params = { collection: name, records: read.records, ...keyParam(control) };
    const answer = await this.#calls.call('sync.decryptRecords', params, control);
    return recordsWith(answer, read.fields, openedFields);
  }

  async checkpoint(collection: unknown, records: unknown, options?: unknown): Promise<Fields> {
    const name = collectionName(collection);
    const { records: written } = readRecords(records, listedText, MAX_BATCH_SEALED_BYTES);
    const control = readOptions(options, KEY_OPTION);
    const params = { collection: name, records: written, ...keyParam(control) };
    return this.#calls.call('sync.checkpoint', params, control);
  }

  async verify(
    collection: unknown,
    records: unknown,
    heads: unknown,
    options?: unknown,
  ): Promise<Fields> {
    const name = collectionName(collection);
    const { records: stored } = readRecords(records, storedText, MAX_BATCH_SEALED_BYTES);
    const { records: shown } = readRecords(heads, storedText, MAX_HEADS_BYTES, 'heads');
    const control = readOptions(options, KEY_OPTION);
    const params = { collection: name, records: stored, heads: shown, ...keyParam(control) };
    return this.#calls.call('sync.verify', params, control);
  }

  async loadCollectionKeys(record: unknown, options?: unknown): Promise<void> {
    const payload = encodedText('record.payload', keysPayload(record), MAX_COLLECTION_KEYS_BYTES);
    const control = readOptions(options, KEY_OPTION);
    const params = { payload, ...keyParam(control) };
    await this.#calls.call('sync.loadCollectionKeys', params, control);
  }

  async createCollectionKeys(collections?: unknown, options?: unknown): Promise<Fields> {
    const named = collections === undefined ? {} : { collections };
    const wanted = checked(PAGE_METHODS['sync.createCollectionKeys'].params, named, '');
    const control = readOptions(options, KEY_OPTION);
    const params = { ...wanted, ...keyParam(control) };
    const payload = await this.#calls.call('sync.createCollectionKeys', params, control);
    return { id: COLLECTION_KEYS_ID, payload: fromUtf8(payload) };
  }
}

const bindTo = bindsMethods(SealwrightSync.prototype);
freeze(SealwrightSync);
freeze(SealwrightSync.prototype);

function collectionName(collection: unknown): string {
  return requiredText('collection', collection, MAX_COLLECTION_CHARACTERS);
}

/** The payload of a record with the id of crypto/keys. */
function keysPayload(record: unknown): unknown {
  const expected = `the record "${COLLECTION_KEYS_ID}" of the collection crypto`;
  try {
    const { id, payload } = record as { readonly id: unknown; readonly payload: unknown };
    if (id === COLLECTION_KEYS_ID) return payload;
  } catch {
    // Errors of the page's getters and proxies are not passed on.
  }
  throw invalid('record', expected);
}
