import { jsonOf } from '../../rpc/json-text.ts';
import { checkOptions } from '../errors.ts';
import { checkCollection, type SealedCollection } from './collection.ts';
import { contentOf, membersOf, sealedText, type Fields } from './content.ts';
import {
  openedOrQuarantined,
  quarantineOf,
  type Quarantine,
  type QuarantineOptions,
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
export interface KintoOptions extends QuarantineOptions {
  /** The collection's `localFields`: they are not sent to the server. */
  readonly localFields?: readonly string[];
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
  checkOptions(options, 'localFields', 'onQuarantine');
  const isLocal = new Set(options.localFields);
  return {
    async encode(record) {
      const outside = outsideOf(record);
      // Kinto deletes by id, so there is no content to seal.
      if (record._status === 'deleted') return outside;
      const content = withoutStale(record);
      const untouched = untouchedQuarantine(content);
      if (untouched) return { ...insideOf(untouched.sealed as KintoRecord), ...outside };
      const payload = { id: record.id, ...membersOf(content, (name) => !isLocal.has(name)) };
      const sealed = await collection.seal({ id: record.id, payload });
      return { ...laidOut(sealed.payload), ...outside };
    },

    async decode(record) {
      const { id } = record;
      // A deletion, or kinto.js's stand-in for a record that it does not have.
      const isEmpty = record.deleted === true || Object.keys(insideOf(record)).length === 0;
      if (isEmpty) return outsideOf(record);
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
  return (sealed as KintoRecord).last_modified;
}

/** The quarantine if the app has added no members. Otherwise the record is sealed with them. */
function untouchedQuarantine(content: Fields): Quarantine | undefined {
  return Object.keys(content).length === 1 ? quarantineOf(content) : undefined;
}

/*
 * The members of a Kinto record that contain the sealed payload. In version 5 and in its Kinto format
 * Firefox stores `ciphertext`, `IV` and `hmac` as members of the record. Firefox Notes stores a JWE in
 * `content` with its key id beside it. The Sealwright format uses `payload`.
 *
 *   {"id":"n1","ciphertext":"yX7Y…","IV":"KdrO…","hmac":"7b9e…","last_modified":1700000000000}
 */
const COMPACT_JWE = /^[\w-]+(?:\.[\w-]*){4}$/;

/** The members of a record for a sealed payload of any format. */
export function laidOut(payload: string): Fields {
  if (payload.startsWith('{')) return JSON.parse(payload) as Fields;
  if (COMPACT_JWE.test(payload)) return { content: payload, kid: keyIdOf(payload) };
  return { payload };
}

/** The sealed payload of a record. @throws SealwrightClientError NOT_SEALED if there is none */
export function gatheredUp(record: Fields): string {
  const { payload, content, ciphertext, IV, hmac } = record;
  if (typeof ciphertext === 'string') return jsonOf({ ciphertext, IV, hmac });
  return sealedText(payload ?? content);
}

/** Of the JWE's protected header (RFC 7516, section 4.1.6). */
function keyIdOf(jwe: string): unknown {
  const header = jwe.slice(0, jwe.indexOf('.')).replaceAll('-', '+').replaceAll('_', '/');
  return (JSON.parse(atob(header)) as { kid?: unknown }).kid;
}
