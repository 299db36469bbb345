import { jsonOf } from './json.ts';
import { checkOptions } from '../errors.ts';
import { checkCollection, type SealedCollection } from './collection.ts';
import { contentOf, isCompactJwe, jweHeader, membersOf, sealedText } from './content.ts';
import type { Fields } from './content.ts';
import {
  openedOrQuarantined,
  quarantineOf,
  untouchedPayload,
  type Quarantine,
  type QuarantineOptions,
  type RollbackOptions,
} from './quarantine.ts';

/** A record of kinto.js. */
export interface KintoRecord {
  readonly id: string;
  readonly last_modified?: number;
  readonly _status?: string;
  readonly [field: string]: unknown;
}

/** An entry of `remoteTransformers` in kinto.js. Use no other with it: kinto.js reverses lists. */
export interface KintoTransformer {
  encode(record: KintoRecord): Promise<KintoRecord>;
  decode(record: KintoRecord): Promise<KintoRecord>;
}

/** Options of `kintoTransformer`. */
export interface KintoOptions extends QuarantineOptions, RollbackOptions {
  /** The collection's `localFields`: they are not sent to the server. */
  readonly localFields?: readonly string[] | undefined;
}

/** Members that Kinto and kinto.js need, and that the server therefore sees. */
const OUTSIDE = new Set(['id', 'last_modified', '_status', 'deleted']);

/**
 * Seals records that kinto.js sends and opens those that it fetches. The server sees ids, times, sizes
 * and deletions. kinto.js aborts a pull if one record fails. Therefore a record that does not open is
 * quarantined (`quarantineOf`) and returned to the server unchanged.
 *
 * @example
 *   const remoteTransformers = [kintoTransformer(sealedCollection(sealwright, 'notes'))];
 *   const notes = new Kinto({ remote }).collection('notes', { remoteTransformers });
 */
export function kintoTransformer(
  collection: SealedCollection,
  options: KintoOptions = {},
): KintoTransformer {
  checkCollection(collection);
  checkOptions(options, 'localFields', 'onQuarantine', 'newest');
  const isLocal = new Set(options.localFields);
  const deleted = new Set<string>();
  return {
    async encode(record) {
      const outside = outsideOf(record);
      // Kinto deletes by id, so there is no content to seal.
      if (record._status === 'deleted') {
        deleted.add(record.id);
        await collection.deleting?.(record.id);
        return outside;
      }
      deleted.delete(record.id);
      const content = withoutStale(record);
      const untouched = untouchedPayload(content, gatheredUp);
      if (untouched !== undefined) return { ...laidOut(untouched), ...outside };
      const payload = { id: record.id, ...membersOf(content, (name) => !isLocal.has(name)) };
      const sealed = await collection.seal({ id: record.id, payload, ...generationOf(record) });
      return { ...laidOut(sealed.payload), ...outside };
    },

    async decode(record) {
      const { id } = record;
      if (record.deleted === true || isStandIn(record, deleted)) return outsideOf(record);
      const arrival = {
        id,
        sealed: record,
        payload: () => gatheredUp(record),
        content: (payload: unknown) => insideOf(contentOf(payload)),
      };
      const content = await openedOrQuarantined(collection, arrival, options);
      return { ...content, ...outsideOf(record) };
    },
  };
}

/**
 * Whether this is what kinto.js has decoded in place of its own record when a deletion of this device is in conflict.
 * From a server such a record is one whose content was taken away.
 */
function isStandIn(record: KintoRecord, deleted: ReadonlySet<string>): boolean {
  return Object.keys(record).length === 1 && deleted.has(record.id);
}

/** The time of the version that was changed: it is older than the new version, and newer than all before. */
function generationOf({ last_modified: time }: KintoRecord): { readonly generation?: number } {
  return Number.isSafeInteger(time) && time! > 0 ? { generation: time! } : {};
}

function outsideOf(record: KintoRecord): KintoRecord {
  return membersOf(record, (name) => OUTSIDE.has(name)) as KintoRecord;
}

function insideOf(record: Fields): Fields {
  return membersOf(record, (name) => !OUTSIDE.has(name));
}

/**
 * Removes an outdated quarantine. kinto.js merges a fetched record into the local one, so a quarantine
 * stays in a newer version that did open. Its time then differs from the record's.
 */
function withoutStale(record: KintoRecord): Fields {
  const content = insideOf(record);
  const quarantine = quarantineOf(content);
  const isStale = quarantine && timeOf(quarantine) !== record.last_modified;
  return isStale ? membersOf(content, (name) => content[name] !== quarantine) : content;
}

function timeOf({ sealed }: Quarantine): number | undefined {
  return (Object(sealed) as Partial<KintoRecord>).last_modified;
}

/*
 * The members of a Kinto record that contain the sealed payload. In version 5 and in its Kinto format
 * Firefox stores `ciphertext`, `IV` and `hmac` as members of the record. Firefox Notes stores a JWE in
 * `content` with its key id beside it. The Sealwright format uses `payload`.
 *
 *   {"id":"n1","ciphertext":"yX7Y…","IV":"KdrO…","hmac":"7b9e…","last_modified":1700000000000}
 */
/** The members of a record for a sealed payload of any format. */
export function laidOut(payload: string): Fields {
  if (payload.startsWith('{')) return JSON.parse(payload) as Fields;
  if (isCompactJwe(payload)) return { content: payload, kid: jweHeader(payload)['kid'] };
  return { payload };
}

/** The sealed payload of a record. @throws SealwrightClientError NOT_SEALED if there is none */
export function gatheredUp(record: object): string {
  const { payload, content, ciphertext, IV, hmac } = record as Fields;
  if (typeof ciphertext === 'string') return jsonOf({ ciphertext, IV, hmac });
  return sealedText(payload ?? content);
}
