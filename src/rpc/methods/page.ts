/*
 * The rows of the table that pages may call (src/client/page-api.ts). Text travels as UTF-8 bytes
 * where it may be large, because bytes are sent in pieces and strings are not (transport/chunks.ts).
 */
import { wireError } from '../envelope.ts';
import { CAPABILITIES, kindHas, SITE_KEY_KINDS } from '../key-kinds.ts';
import type { KindsWith, PickedKind } from '../key-kinds.ts';
import {
  MAX_BATCH_CONTEXT_BYTES,
  MAX_BATCH_ITEMS,
  MAX_BATCH_PLAINTEXT_BYTES,
  MAX_BATCH_RECORD_BYTES,
  MAX_BATCH_SEALED_BYTES,
  MAX_COLLECTION_CHARACTERS,
  MAX_COLLECTION_KEYS_BYTES,
  MAX_COLLECTIONS,
  MAX_CONTEXT_BYTES,
  MAX_EPOCHS,
  MAX_EPOCHS_BYTES,
  MAX_FIELD_CHARACTERS,
  MAX_HEAD_CHARACTERS,
  MAX_HEAD_CHUNKS,
  MAX_HEADS_BYTES,
  MAX_ID_CHARACTERS,
  MAX_INDEXED_BYTES,
  MAX_LABEL_CHARACTERS,
  MAX_PLAINTEXT_BYTES,
  MAX_PROOF_BYTES,
  MAX_PUBLIC_KEY_CHARACTERS,
  MAX_PURPOSE_CHARACTERS,
  MAX_RANDOM_BYTES,
  MAX_RECIPIENTS,
  MAX_RECORD_ID_CHARACTERS,
  MAX_SEALED_BYTES,
} from '../limits.ts';
import type { Needs, Policy, Replay } from './method.ts';
import { byteList } from '../transport/byte-list.ts';
import { SUBTLE_METHODS } from './subtle.ts';
import {
  array,
  boolean,
  bytes,
  integer,
  literal,
  nullable,
  InvalidValue,
  object,
  optional,
  string,
  tagged,
} from '../validate.ts';
import type { Infer, Validator } from '../validate.ts';

/** An opaque id: 1 to 256 characters. */
export const id = string(MAX_ID_CHARACTERS, 1);
const label = string(MAX_LABEL_CHARACTERS, 1);
const time = integer(0);
const count = integer(0);
const duration = integer(1);
const text = string(4096);
/** No parameters, or no result. */
export const none = object({});

/** One of the things that a grant can allow. */
export const capability = literal(...CAPABILITIES);
/** No kind of key has more. */
const capabilities = array(capability, 7, 1);
const keyKind = literal(...SITE_KEY_KINDS);

const grant = object({
  id,
  keyId: id,
  capabilities,
  expiresAt: nullable(time),
  usesLeft: nullable(count),
  maxPerHour: nullable(count),
});
const grants = array(grant, 1000);

const keyInfo = object({
  id,
  kind: keyKind,
  label: text,
  created: time,
  generation: count,
  headerKeyId: nullable(id),
});

const collection = string(MAX_COLLECTION_CHARACTERS, 1);
type CollectionKind = KindsWith<'hasCollections'>;
/** A key that the user picks for a grant. Declaration files name it. */
export interface Picked<K> {
  readonly kind: K;
  readonly label?: string;
}
type PickedKey =
  | Picked<Exclude<PickedKind, CollectionKind>>
  | (Picked<CollectionKind> & { readonly collections: readonly string[] });

const forCollections = { collections: array(collection, MAX_COLLECTIONS, 1) };
/** Errors name the kinds in this order: those with collections last. */
const pickedKinds = [false, true].flatMap((last) =>
  SITE_KEY_KINDS.filter((kind) => kind !== 'app' && kindHas(kind, 'hasCollections') === last),
);
const pickedKey = tagged(
  'kind',
  Object.fromEntries(
    pickedKinds.map((kind) => {
      const more = kindHas(kind, 'hasCollections') ? forCollections : {};
      return [kind, object({ kind: literal(kind), label: optional(label), ...more })];
    }),
  ),
) as Validator<PickedKey>;
const requestedKey: Validator<'app' | PickedKey> = (value, path) => {
  if (value === 'app') return value;
  if (typeof value !== 'object') throw new InvalidValue(path, '"app" or { kind, label? }');
  return pickedKey(value, path);
};

const grantRequest = object({
  purpose: string(MAX_PURPOSE_CHARACTERS, 1),
  key: optional(requestedKey),
  capabilities,
  expiresInMs: optional(duration),
  maxUses: optional(integer(1)),
  maxPerHour: optional(integer(1)),
  bulk: optional(object({ records: integer(1) })),
});

const context = optional(bytes(MAX_CONTEXT_BYTES));
/** "swge1.…" each, in ASCII. */
const epochs = optional(byteList(MAX_EPOCHS, MAX_EPOCHS_BYTES));
const publicKey = string(MAX_PUBLIC_KEY_CHARACTERS, 1);

/** The fields of every method that seals. */
export const sealOptions = {
  key: optional(id),
  /** A shared message: `key` names the grant that is charged and, with `toSelf`, a recipient too. */
  to: optional(array(publicKey, MAX_RECIPIENTS, 1)),
  toSelf: optional(boolean),
  portable: optional(boolean),
  context,
  pad: optional(boolean),
  epochs,
};

/** The fields of the methods that seal one message. */
export const sealOneOptions = {
  ...sealOptions,
  /** Makes it a decoy (src/service/grants/decoys.ts). */
  decoy: optional(boolean),
};

/** The fields of every method that opens. */
export const openOptions = {
  context,
  /** Absent: 'own'. */
  accept: optional(literal('own', 'shared')),
  epochs,
};

/** Absent: the app key, for the methods that app keys serve. */
const named = { key: optional(id) };

const plaintexts = byteList(MAX_BATCH_ITEMS, MAX_BATCH_PLAINTEXT_BYTES);
const sealedMessages = byteList(MAX_BATCH_ITEMS, MAX_BATCH_SEALED_BYTES);
/** One for each item, in the place of `context`. */
const contexts = optional(byteList(MAX_BATCH_ITEMS, MAX_BATCH_CONTEXT_BYTES));
/** JSON of { id, payload, generation? }, one for each record. */
const plainRecords = byteList(MAX_BATCH_ITEMS, MAX_BATCH_RECORD_BYTES);
const encryptedRecords = byteList(MAX_BATCH_ITEMS, MAX_BATCH_SEALED_BYTES);
const recordIds = array(string(MAX_RECORD_ID_CHARACTERS, 1), MAX_BATCH_ITEMS);
/** A head or a chunk: a record whose payload is a line of ASCII. */
const headItem = object({ id, payload: string(MAX_HEAD_CHARACTERS, 1) });
/** What `sync.checkpoint` makes: the chunks are to be stored before the head. */
export const madeHeads = object({ head: headItem, chunks: array(headItem, MAX_HEAD_CHUNKS) });
/** What `sync.verify` finds: of what is missing as many ids as fit, and how many there are. */
export const headsReport = object({
  ok: boolean,
  missing: recordIds,
  missingCount: count,
  rolledBack: recordIds,
  forked: boolean,
  unconfirmed: count,
});
/** Errors of items. Their results are empty. */
const failures = array(
  object({ at: integer(0, MAX_BATCH_ITEMS - 1), error: wireError }),
  MAX_BATCH_ITEMS,
);

/** Keeps the exact types of a row while its shape is checked. */
export function page<const N extends Needs, P, R>(
  needs: N,
  replay: Replay,
  params: Validator<P>,
  result: Validator<R>,
  policy: Policy = {},
) {
  return { access: 'page', needs, replay, params, result, ...policy } as const;
}

const MAC = { capability: 'mac' } as const;
const SIGN = { capability: 'sign' } as const;
const SYNC = { capability: 'sync' } as const;

/** The rows that pages may call and the background serves. */
export const PAGE_METHODS = Object.freeze({
  status: page(
    'nothing',
    'pure',
    none,
    object({ locked: boolean, grants, engines: array(text, 16) }),
    { args: 0, inPrivateWindows: true },
  ),
  random: page(
    'nothing',
    'pure',
    object({ length: integer(0, MAX_RANDOM_BYTES) }),
    bytes(MAX_RANDOM_BYTES),
    { args: 1, inPrivateWindows: true, bytesOut: 'length' },
  ),
  randomUUID: page('nothing', 'pure', none, string(36, 36), { args: 0, inPrivateWindows: true }),
  randomInt: page(
    'nothing',
    'pure',
    object({ max: integer(1, 2 ** 48) }),
    integer(0, 2 ** 48 - 1),
    { args: 1, inPrivateWindows: true },
  ),
  connect: page('consent', 'effect', grantRequest, grants, { args: 1 }),
  grants: page('nothing', 'pure', none, grants, { args: 0 }),
  /** Without `grantIds`: all grants of the caller. */
  revoke: page('nothing', 'effect', object({ grantIds: optional(array(id, 1000)) }), none, {
    args: 1,
  }),
  keys: page('grant', 'pure', none, array(keyInfo, 1000), { args: 0 }),
  /** Asks the user where the key is one that they picked. */
  rotateKey: page('consent', 'effect', object({ keyId: id }), keyInfo, { args: 1 }),
  /** Of the newest generation. Takes no use: signatures show as much. */
  publicKey: page('grant', 'pure', object({ keyId: id }), publicKey, {
    capability: 'publicKey',
    args: 1,
  }),
  seal: page(
    'grant',
    'counted',
    object({ plaintext: bytes(MAX_PLAINTEXT_BYTES), ...sealOneOptions }),
    bytes(MAX_SEALED_BYTES),
    { capability: 'seal', args: 1 },
  ),
  open: page(
    'grant',
    'counted',
    object({ sealed: bytes(MAX_SEALED_BYTES), ...openOptions }),
    bytes(MAX_PLAINTEXT_BYTES),
    { capability: 'open', args: 1 },
  ),
  /** Opens and seals again; without `key`: under the newest generation of the key that it has. */
  rewrap: page(
    'grant',
    'counted',
    object({ sealed: bytes(MAX_SEALED_BYTES), ...sealOptions }),
    bytes(MAX_SEALED_BYTES),
    { capability: ['open', 'seal'], args: 1 },
  ),
  /** Each item is one use of the grant; results are in the order of the items. */
  sealMany: page(
    'grant',
    'counted',
    object({ items: plaintexts, contexts, ...sealOptions }),
    object({ items: sealedMessages, failures }),
    { capability: 'seal', args: 1, batch: 'items' },
  ),
  openMany: page(
    'grant',
    'counted',
    object({ items: sealedMessages, contexts, ...openOptions }),
    object({ items: sealedMessages, failures }),
    { capability: 'open', args: 1, batch: 'items' },
  ),
  rewrapMany: page(
    'grant',
    'counted',
    object({ items: sealedMessages, contexts, ...sealOptions }),
    object({ items: sealedMessages, failures }),
    { capability: ['open', 'seal'], args: 1, batch: 'items' },
  ),
  /** `text` in UTF-8. The content script writes the sealed message as a line (content.ts). */
  sealText: page(
    'grant',
    'counted',
    object({ text: bytes(MAX_PLAINTEXT_BYTES), ...sealOneOptions }),
    bytes(MAX_SEALED_BYTES),
    { capability: 'seal', args: 1 },
  ),
  /** The content script has read the line. The result is text in UTF-8. */
  openText: page(
    'grant',
    'counted',
    object({ sealed: bytes(MAX_SEALED_BYTES), ...openOptions }),
    bytes(MAX_PLAINTEXT_BYTES),
    { capability: 'open', args: 1 },
  ),
  mac: page('grant', 'counted', object({ data: bytes(MAX_PLAINTEXT_BYTES), ...named }), bytes(32), {
    ...MAC,
    args: 1,
  }),
  verifyMac: page(
    'grant',
    'counted',
    object({ data: bytes(MAX_PLAINTEXT_BYTES), tag: bytes(MAX_PROOF_BYTES), ...named }),
    boolean,
    { ...MAC, args: 2 },
  ),
  /** Without `key`: the one signing key that is granted here. */
  sign: page(
    'grant',
    'counted',
    object({ data: bytes(MAX_PLAINTEXT_BYTES), ...named }),
    bytes(MAX_PROOF_BYTES),
    { ...SIGN, args: 1 },
  ),
  verify: page(
    'grant',
    'counted',
    object({ data: bytes(MAX_PLAINTEXT_BYTES), signature: bytes(MAX_PROOF_BYTES), ...named }),
    boolean,
    { ...SIGN, args: 2 },
  ),
  /** `verify` of the page API, where it names a public key. */
  verifyByPublicKey: page(
    'nothing',
    'pure',
    object({
      data: bytes(MAX_PLAINTEXT_BYTES),
      signature: bytes(MAX_PROOF_BYTES),
      publicKey,
    }),
    boolean,
    { api: null },
  ),
  /** `value` in UTF-8. */
  blindIndex: page(
    'grant',
    'counted',
    object({
      value: bytes(MAX_INDEXED_BYTES),
      field: string(MAX_FIELD_CHARACTERS, 1),
      generation: optional(integer(1, 2 ** 32 - 1)),
      ...named,
    }),
    bytes(32),
    { capability: 'blindIndex', args: 2 },
  ),
  /**
   * Each record is one use. `records`: as sync-record.ts writes them, with the payload's JSON. `items`: the payloads'
   * text in UTF-8; `kid`: beside it, where the format has one.
   */
  'sync.encryptRecords': page(
    'grant',
    'counted',
    object({ collection, records: plainRecords, ...named }),
    object({ items: encryptedRecords, failures, kid: optional(id) }),
    { ...SYNC, args: 2, batch: 'records' },
  ),
  /** `records`: with the payload's text; `items`: with its JSON; both as sync-record.ts writes them. */
  'sync.decryptRecords': page(
    'grant',
    'counted',
    object({ collection, records: encryptedRecords, ...named }),
    object({ items: encryptedRecords, failures }),
    { ...SYNC, args: 2, batch: 'records' },
  ),
  /** One use for each record, and one without any. `records`: with the payload's text, empty for what was deleted. */
  'sync.checkpoint': page(
    'grant',
    'counted',
    object({ collection, records: encryptedRecords, ...named }),
    madeHeads,
    { ...SYNC, args: 2, batch: 'records' },
  ),
  /** The same uses. Of a record that is not there, `records` may have the id, with no text. */
  'sync.verify': page(
    'grant',
    'counted',
    object({
      collection,
      records: encryptedRecords,
      heads: byteList(MAX_BATCH_ITEMS, MAX_HEADS_BYTES),
      ...named,
    }),
    headsReport,
    { ...SYNC, args: 3, batch: 'records' },
  ),
  /** `payload` of the server's crypto/keys record, in UTF-8. */
  'sync.loadCollectionKeys': page(
    'grant',
    'effect',
    object({ payload: bytes(MAX_COLLECTION_KEYS_BYTES), ...named }),
    none,
    { ...SYNC, args: 1 },
  ),
  'sync.createCollectionKeys': page(
    'grant',
    'effect',
    object({ collections: optional(array(collection, MAX_COLLECTIONS)), ...named }),
    bytes(MAX_COLLECTION_KEYS_BYTES),
    { ...SYNC, args: 1 },
  ),
  ...SUBTLE_METHODS,
});

/** A permission of the calling site, as `connect` and `grants` give it. */
export type Grant = Infer<typeof grant>;
/** What a page asks the user for by `connect`. */
export type GrantRequest = Infer<typeof grantRequest>;
/** What a page learns about a key that it may use. */
export type KeyInfo = Infer<typeof keyInfo>;
