/*
 * The plaintext of a backup file: JSON of { format, created, vault, records }. Records are as in the
 * vault: keys, annotations, and keys that sites keep by reference. Grants of sites, drafts and logs are not part of it.
 *
 * Each kind of user key has the first format that can hold it (ring/kinds.ts). Format 3 adds key details and contacts;
 * format 5 fields of sites; format 7 keys that are not taken over; format 8 keys that sites keep by reference; format 9
 * roots of other devices. A file has the first format that can hold its records, so that older readers can read it where
 * possible.
 */
import { fromBase64url, utf8, wipe } from '../../crypto/bytes.ts';
import { CONTACT, isContactKey } from '../annotations/contact.ts';
import { VaultError } from '../values/errors.ts';
import { detailsId, KEY_DETAILS, NOTE_MAX_CHARACTERS } from '../annotations/key-details.ts';
import { APP, KEY_ROOT, KEY_USE, rootIdOf } from '../ring/key-records.ts';
import type { KeyRoot, RootSecrets } from '../ring/key-records.ts';
import { isWhole, KEY_TYPES, keySetOf, recordsOf } from './key-set.ts';
import type { KeySet } from './key-set.ts';
import { parseFrozen } from '../values/json.ts';
import type { Json } from '../values/json.ts';
import {
  ANNOTATION_TYPES,
  annotationsOf,
  recordsOfAnnotations,
} from '../annotations/annotations.ts';
import type { UserAnnotations } from '../annotations/annotations.ts';
import {
  KNOWN_BY_MAX_CHARACTERS,
  SITE_FIELDS,
  SITE_FIELDS_MAX,
  siteFieldsId,
  withoutLabels,
} from '../annotations/site-fields.ts';
import {
  PERSISTENT_KEY,
  persistentKeyId,
  persistentKeyRecord,
  persistentKeysOf,
  REFERENCE_BYTES,
} from '../ring/persistent-key.ts';
import type { PersistentKeyValues } from '../ring/persistent-key.ts';
import { USER_KEY_KINDS, USER_KEYS } from '../ring/kinds.ts';
import type { UserKeyKind } from '../ring/kinds.ts';
import { userKeyKindOf } from '../ring/user-key.ts';
import type { VaultRecord } from '../values/record.ts';

const FORMAT = 'sealwright-backup/';
const NEWEST = Math.max(9, ...USER_KEY_KINDS.map((kind) => USER_KEYS[kind].backupFormat));
/** All formats, the newest last. */
export const FORMATS = Array.from({ length: NEWEST }, (_, i) => `${FORMAT}${i + 1}`);

/** The part of a vault that backups hold. */
export interface BackedUp {
  readonly keys: KeySet;
  readonly annotations: UserAnnotations;
  readonly persistentKeys: PersistentKeyValues;
}

/** What a backup holds. */
export interface BackupContents extends BackedUp {
  /** ms since the epoch */
  readonly created: number;
  /** The id of the vault that it was made of, 22 base64url characters. */
  readonly vault: string;
}

/** The types of records that backups hold. */
export const BACKED_UP_TYPES = [...KEY_TYPES, ...ANNOTATION_TYPES, PERSISTENT_KEY] as const;

/** What backups hold of these records; records of other types are ignored. */
export function backedUpOf(records: readonly VaultRecord[]): BackedUp {
  return {
    keys: keySetOf(records),
    annotations: annotationsOf(records),
    persistentKeys: persistentKeysOf(records),
  };
}

/** The inverse of `backedUpOf`. */
export function recordsOfBackedUp({ keys, annotations, persistentKeys }: BackedUp): VaultRecord[] {
  return [
    ...recordsOf(keys),
    ...recordsOfAnnotations(annotations),
    ...[...persistentKeys].map(([id, value]) => persistentKeyRecord(id, value)),
  ];
}

/** The contents as bytes, which the caller wipes. */
export function encodeContents({ created, vault, ...backedUp }: BackupContents): Uint8Array {
  const records = recordsOfBackedUp(backedUp).map(withoutLabels);
  return utf8(JSON.stringify({ format: formatOf(backedUp), created, vault, records }));
}

/** The first format that can hold them. */
function formatOf({
  keys: { root, userKeys },
  annotations: { details, contacts, siteFields },
  persistentKeys,
}: BackedUp): string {
  const keys = [...userKeys.values()];
  const kinds = new Set(keys.map(({ kind }) => kind));
  const first = Math.max(
    1,
    ...[...kinds].map((kind) => USER_KEYS[kind].backupFormat),
    details.size + contacts.size > 0 ? 3 : 1,
    siteFields.size > 0 ? 5 : 1,
    keys.some(({ value }) => value.guest) ? 7 : 1,
    persistentKeys.size > 0 ? 8 : 1,
    root?.others ? 9 : 1,
  );
  return `${FORMAT}${first}`;
}

/**
 * The inverse of `encodeContents`. The bytes are authentic, but another program may have made them, so
 * every field is checked.
 *
 * @param bytes are wiped
 * @throws VaultError BAD_BACKUP where they are not what `encodeContents` gives, NEWER for a later format
 */
export function parseContents(bytes: Uint8Array): BackupContents {
  const value = parseText(bytes);
  if (!isObject(value)) throw new VaultError('BAD_BACKUP');
  const { format, created, vault, records } = value;
  if (!FORMATS.some((known) => known === format)) {
    const isLater = typeof format === 'string' && format.startsWith(FORMAT);
    throw new VaultError(isLater ? 'NEWER' : 'BAD_BACKUP');
  }
  if (!isTime(created) || !isBytes(vault, 16) || !Array.isArray(records)) {
    throw new VaultError('BAD_BACKUP');
  }
  if (!records.every(isKnownRecord)) throw new VaultError('BAD_BACKUP');
  const backedUp = backedUpOf(records);
  const { keys } = backedUp;
  const { details } = backedUp.annotations;
  const isOfKeys = [...details.keys()].every((ref) => keys.userKeys.has(ref));
  // What offers keys looks at the archive alone.
  const areGuestsArchived = [...keys.userKeys].every(
    ([ref, { value }]) => !value.guest || typeof details.get(ref)?.archived === 'number',
  );
  const isEachOnce = recordsOfBackedUp(backedUp).length === records.length;
  const isSet = isEachOnce && isWhole(keys) && isOfKeys && areGuestsArchived;
  if (!isSet) throw new VaultError('BAD_BACKUP');
  return { created, vault, ...backedUp };
}

function parseText(bytes: Uint8Array): unknown {
  try {
    return parseFrozen(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  } finally {
    wipe(bytes);
  }
}

/** An RSA key of 8,192 bits has a little under 5 KiB in PKCS #8. */
const MAX_DER_BYTES = 8 * 1024;

type Fields = Readonly<Record<string, Json | undefined>>;
type Check = (value: unknown) => boolean;
type Checks = Readonly<Record<string, Check>>;

/** The shapes of key-records.ts, user-key.ts, persistent-key.ts, key-details.ts, contact.ts and site-fields.ts. */
const SHAPES: Checks = {
  [KEY_ROOT]: (value) =>
    has(value, { ...ROOT, label: isText, others: optional(areOthers) }) &&
    !Object.hasOwn((value as KeyRoot).others ?? {}, rootIdOf(value as KeyRoot)),
  ...Object.fromEntries(
    USER_KEY_KINDS.map((kind) => [
      USER_KEYS[kind].recordType,
      (value: unknown) => isUserKey(kind, value),
    ]),
  ),
  [KEY_USE]: (value) =>
    has(value, {
      ref: (ref) => ref === APP || is16(ref),
      origin: isText,
      generation: isCount,
      salt: is32,
      root: optional(is16),
      headerKeyIds: someOf({ generation: isCount, id: is16 }),
      kept: optional(someOf({ generation: isCount, id: is16, key: is32 })),
    }),
  [KEY_DETAILS]: (value) =>
    has(value, { ref: is16, note: isNote, tone: isShort, archived: isTimeOrNull }),
  [CONTACT]: (value) =>
    has(value, {
      name: isText,
      publicKey: isContactKey,
      created: isTime,
      verified: isTimeOrNull,
    }),
  [SITE_FIELDS]: (value) =>
    has(value, {
      origin: isOrigin,
      ref: (ref) => ref === null || is16(ref),
      alwaysSealed: (fields) => isKnownFields(fields) && fields.length <= SITE_FIELDS_MAX,
    }),
  [PERSISTENT_KEY]: (value) =>
    has(value, {
      scope: (scope) =>
        has(scope, {
          origin: isOrigin,
          topOrigin: isOrigin,
          container: (container) => container === null || isText(container),
        }),
      key: isStoredKey,
      created: isTime,
      archived: optional(isTime),
    }),
};

/** The roots of other devices, each under its id. */
function areOthers(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).length === 0) return false;
  return Object.entries(value).every(
    ([id, root]) => has(root, ROOT) && rootIdOf(root as unknown as RootSecrets) === id,
  );
}

/** A key as src/subtle/stored-key.ts describes it. Its content is parsed at its first use only. */
function isStoredKey(value: unknown): boolean {
  return has(value, {
    type: (type) => type === 'secret' || type === 'public' || type === 'private',
    extractable: (extractable) => typeof extractable === 'boolean',
    algorithm: (algorithm) =>
      has(algorithm, {
        name: isText,
        length: optional(isCount),
        hash: optional((hash) => has(hash, { name: isText })),
        namedCurve: optional(isText),
        modulusLength: optional(isCount),
        publicExponent: optional((bytes) => byteLength(bytes) !== undefined),
        p: optional(isDecimal),
        g: optional(isDecimal),
        q: optional(isDecimal),
      }),
    usages: (usages) => Array.isArray(usages) && usages.length <= 16 && usages.every(isText),
    format: (format) => format === 'bytes' || format === 'pkcs8' || format === 'spki',
    content: (content) => byteLength(content) !== undefined,
  });
}

/** Whether it is a key of the kind: one that was made here, or elsewhere. */
function isUserKey(kind: UserKeyKind, value: unknown): boolean {
  const { drawn, imported = [], isForOneSite } = USER_KEYS[kind];
  const more = isForOneSite ? { origin: isOrigin } : {};
  if (drawn && hasUserKeyShape(value, drawn.algorithms, { key: is32 }, more)) return true;
  return imported.some(({ algorithms, keyBytes, hasCollectionKeys }) => {
    const isKey: Check = (key) => isBytes(key, keyBytes!);
    const generation = keyBytes === undefined ? { key: isDer, publicKey: isDer } : { key: isKey };
    const extra = hasCollectionKeys ? { ...more, ...COLLECTION_KEYS } : more;
    return hasUserKeyShape(value, algorithms, generation, extra);
  });
}

function hasUserKeyShape(
  value: unknown,
  algorithms: readonly unknown[],
  generation: Checks,
  more: Checks,
): boolean {
  const generationShape = { ...generation, generation: isCount, created: isTime };
  return has(value, {
    ...more,
    label: isText,
    created: isTime,
    algorithm: (name) => algorithms.includes(name),
    generations: someOf(generationShape, 1),
    kept: optional(someOf(generationShape)),
    guest: optional((guest) => guest === true),
  });
}

/** Whether this is a record of BACKED_UP_TYPES, each of whose members has the form in which the vault writes it. */
export function isKnownRecord(record: unknown): record is VaultRecord {
  if (!isObject(record)) return false;
  const { id, type, value } = record;
  if (typeof type !== 'string' || !Object.hasOwn(SHAPES, type)) return false;
  return SHAPES[type]!(value) && isOwnId(id, type, value);
}

/** Whether the id belongs to this type, so that no record of another type is replaced. */
function isOwnId(id: Json | undefined, type: string, value: Json | undefined): boolean {
  if (userKeyKindOf({ type }) || type === CONTACT) return is16(id);
  if (type === SITE_FIELDS) return id === siteFieldsId((value as { origin: string }).origin);
  if (type === PERSISTENT_KEY) return isPersistentKeyId(id);
  return type !== KEY_DETAILS || id === detailsId((value as { ref: string }).ref);
}

function isPersistentKeyId(id: Json | undefined): boolean {
  const reference = typeof id === 'string' ? id.slice(persistentKeyId('').length) : undefined;
  return isBytes(reference, REFERENCE_BYTES) && id === persistentKeyId(reference);
}

function has(value: unknown, checks: Checks): boolean {
  if (!isObject(value)) return false;
  const known = Object.keys(value).every((name) => Object.hasOwn(checks, name));
  return known && Object.entries(checks).every(([name, check]) => check(value[name]));
}

function someOf(checks: Checks, atLeast = 0): Check {
  return (value) =>
    Array.isArray(value) && value.length >= atLeast && value.every((item) => has(item, checks));
}

function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

const isCount: Check = (value) => isTime(value) && value >= 1 && value < 2 ** 32;
const isText: Check = (value) => typeof value === 'string' && value !== '' && value.length < 4096;
/** Collections may have any name. */
const isBundles: Check = (value) =>
  Array.isArray(value) && value.every((item) => has(item, { name: isText, bundle: is64 }));
/** A number of DSA, at most 8,192 bits. */
const isDecimal: Check = (value) => typeof value === 'string' && /^\d{1,2500}$/.test(value);
const is64: Check = (value) => isBytes(value, 64);
/** As browsers serialise it, so that a site has only one record. */
const isOrigin: Check = (value) =>
  isText(value) && URL.canParse(value as string) && new URL(value as string).origin === value;
const isKnownFields = (value: unknown): value is readonly unknown[] =>
  someOf({
    tag: (tag) => tag === 'input' || tag === 'textarea',
    by: (by) => ['name', 'id', 'aria-label', 'placeholder'].some((one) => one === by),
    value: (name) => isText(name) && (name as string).length <= KNOWN_BY_MAX_CHARACTERS,
  })(value);
const isNote: Check = (value) =>
  typeof value === 'string' && Array.from(value).length <= NOTE_MAX_CHARACTERS;
const isShort: Check = (value) => typeof value === 'string' && value.length <= 20;
const isTimeOrNull: Check = (value) => value === null || isTime(value);
const is32: Check = (value) => isBytes(value, 32);
const ROOT: Checks = { appRoot: is32, pairwiseSecret: is32, created: isTime };
const is16: Check = (value) => isBytes(value, 16);
/** What is stored with a sync key of another service. */
const COLLECTION_KEYS: Checks = {
  foreignId: optional(isText),
  collectionKeys: optional(someOf({ created: isTime, default: is64, collections: isBundles })),
};
/** An encoded key. It is parsed at its first use only. */
const isDer: Check = (value) => (byteLength(value) ?? 0) > 0 && byteLength(value)! <= MAX_DER_BYTES;

function isBytes(value: unknown, lengthBytes: number): value is string {
  return byteLength(value) === lengthBytes;
}

/** @returns undefined for what is not base64url */
function byteLength(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return fromBase64url(value).length;
  } catch {
    return undefined;
  }
}
