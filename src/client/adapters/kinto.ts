import type { SealedCollection } from './collection.ts';
import { contentOf, membersOf, sealedText, type Fields } from './content.ts';
import {
  openedOrQuarantined,
  quarantineOf,
  type Quarantine,
  type QuarantineOptions,
} from './quarantine.ts';

export interface KintoRecord {
  readonly id: string;
  readonly last_modified?: number;
  readonly _status?: string;
  readonly [field: string]: unknown;
}

/** What kinto.js takes in `remoteTransformers`. Use this one alone: kinto.js turns lists around. */
export interface KintoTransformer {
  encode(record: KintoRecord): Promise<KintoRecord>;
  decode(record: KintoRecord): Promise<KintoRecord>;
}

export interface KintoOptions extends QuarantineOptions {
  /** The collection's own `localFields`: they are not even sealed. */
  readonly localFields?: readonly string[];
}

/** What Kinto and kinto.js work with, and the server therefore sees. */
const OUTSIDE = new Set(['id', 'last_modified', '_status', 'deleted']);

/**
 * Seals what kinto.js sends, and opens what it fetches. The server sees ids, times, sizes and
 * deletions. kinto.js gives up a whole pull for one record that fails; here it is quarantined
 * instead (`quarantineOf`), and goes back to the server as it came.
 *
 * @example
 *   const remoteTransformers = [kintoTransformer(sealedCollection(sealwright, 'notes'))];
 *   const notes = new Kinto({ remote }).collection('notes', { remoteTransformers });
 */
export function kintoTransformer(
  collection: SealedCollection,
  options: KintoOptions = {},
): KintoTransformer {
  const isLocal = new Set(options.localFields);
  return {
    async encode(record) {
      const outside = outsideOf(record);
      // Kinto deletes by id: there is nothing to seal.
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
 * kinto.js lays a fetched record over the local one, so an old quarantine shines through a newer
 * version that did open: it is of another time than the record then.
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

/** Where nobody has written anything beside it. What somebody wrote is sealed, quarantine and all. */
function untouchedQuarantine(content: Fields): Quarantine | undefined {
  return Object.keys(content).length === 1 ? quarantineOf(content) : undefined;
}

/*
 * Where in a record of Kinto's the sealed payload stands. Firefox spreads the members of version 5
 * and of its Kinto format over the record, and Firefox Notes keeps a JWE in `content` with its key
 * id beside it; a payload of the house format stands in `payload`.
 *
 *   {"id":"n1","ciphertext":"yX7Y…","IV":"KdrO…","hmac":"7b9e…","last_modified":1700000000000}
 */
const COMPACT_JWE = /^[\w-]+(?:\.[\w-]*){4}$/;

export function laidOut(payload: string): Fields {
  if (payload.startsWith('{')) return JSON.parse(payload) as Fields;
  if (COMPACT_JWE.test(payload)) return { content: payload, kid: keyIdOf(payload) };
  return { payload };
}

/** @throws SealwrightClientError NOT_SEALED for a record with no sealed payload anywhere */
export function gatheredUp(record: Fields): string {
  const { payload, content, ciphertext, IV, hmac } = record;
  if (typeof ciphertext === 'string') return JSON.stringify({ ciphertext, IV, hmac });
  return sealedText(payload ?? content);
}

/** Of the JWE's protected header (RFC 7516, section 4.1.6). */
function keyIdOf(jwe: string): unknown {
  const header = jwe.slice(0, jwe.indexOf('.')).replaceAll('-', '+').replaceAll('_', '/');
  return (JSON.parse(atob(header)) as { kid?: unknown }).kid;
}
