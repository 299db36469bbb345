/*
 * The rows of the table that pages may call (contract/page-api.d.ts). Text travels as UTF-8 bytes
 * wherever it may be large, because bytes cross in pieces and strings do not (pieces.ts).
 */
import { wireError } from '../envelope.ts';
import {
  MAX_ARMORED_BYTES,
  MAX_BATCH_ITEMS,
  MAX_BATCH_PLAINTEXT_BYTES,
  MAX_BATCH_RECORD_BYTES,
  MAX_BATCH_SEALED_BYTES,
  MAX_COLLECTION_CHARACTERS,
  MAX_COLLECTION_KEYS_BYTES,
  MAX_COLLECTIONS,
  MAX_CONTEXT_BYTES,
  MAX_FIELD_CHARACTERS,
  MAX_ID_CHARACTERS,
  MAX_INDEXED_BYTES,
  MAX_LABEL_CHARACTERS,
  MAX_PLAINTEXT_BYTES,
  MAX_PROOF_BYTES,
  MAX_PUBLIC_KEY_CHARACTERS,
  MAX_PURPOSE_CHARACTERS,
  MAX_RANDOM_BYTES,
  MAX_RECIPIENTS,
  MAX_SEALED_BYTES,
} from '../limits.ts';
import type { Needs, Replay } from './method.ts';
import { packed } from '../transport/byte-list.ts';
import { SUBTLE_METHODS } from './subtle.ts';
import { array, boolean, bytes, integer, literal, nullable } from '../validate.ts';
import { object, optional, string, union } from '../validate.ts';
import type { Infer, Validator } from '../validate.ts';

export const id = string(MAX_ID_CHARACTERS, 1);
const label = string(MAX_LABEL_CHARACTERS, 1);
const time = integer(0);
const count = integer(0);
const duration = integer(1);
const text = string(4096);
export const none = object({});

export const capability = literal('seal', 'open', 'mac', 'blindIndex', 'sync', 'sign', 'publicKey');
const capabilities = array(capability, 7, 1);
const keyKind = literal('app', 'sealing', 'sync', 'signing', 'sharing');

const grant = object({
  id,
  keyId: id,
  capabilities,
  expiresAt: nullable(time),
  usesLeft: nullable(count),
});
const grants = array(grant, 1000);

const keyInfo = object({ id, kind: keyKind, label: text, created: time, generation: count });

const collection = string(MAX_COLLECTION_CHARACTERS, 1);
const requestedKey = union(
  '"app" or { kind, label? }',
  literal('app'),
  object({ kind: literal('sealing', 'signing', 'sharing'), label: optional(label) }),
  object({
    kind: literal('sync'),
    label: optional(label),
    collections: array(collection, MAX_COLLECTIONS, 1),
  }),
);

const grantRequest = object({
  purpose: string(MAX_PURPOSE_CHARACTERS, 1),
  key: optional(requestedKey),
  capabilities,
  expiresInMs: optional(duration),
  maxUses: optional(integer(1)),
});

const context = optional(bytes(MAX_CONTEXT_BYTES));
const publicKey = string(MAX_PUBLIC_KEY_CHARACTERS, 1);

export const sealOptions = {
  key: optional(id),
  /** A shared message: `key` is whose grant pays for it and, with `toSelf`, a recipient too. */
  to: optional(array(publicKey, MAX_RECIPIENTS, 1)),
  toSelf: optional(boolean),
  portable: optional(boolean),
  context,
  pad: optional(boolean),
};

export const openOptions = {
  context,
  /** Without it: 'own'. */
  accept: optional(literal('own', 'shared')),
};

/** Without it: the app key, for what app keys do. */
const named = { key: optional(id) };

const plaintexts = packed(MAX_BATCH_ITEMS, MAX_BATCH_PLAINTEXT_BYTES);
const sealedMessages = packed(MAX_BATCH_ITEMS, MAX_BATCH_SEALED_BYTES);
/** JSON of { id, payload, generation? }, one for each record. */
const plainRecords = packed(MAX_BATCH_ITEMS, MAX_BATCH_RECORD_BYTES);
const encryptedRecords = packed(MAX_BATCH_ITEMS, MAX_BATCH_SEALED_BYTES);
/** Why items have no result; they stand among the results with no bytes. */
const failures = array(
  object({ at: integer(0, MAX_BATCH_ITEMS - 1), error: wireError }),
  MAX_BATCH_ITEMS,
);

const sealedInfo = object({
  version: count,
  suite: text,
  purpose: text,
  headerKeyId: nullable(id),
  recipients: count,
  plaintextBytes: nullable(count),
});

/** Keeps the exact types of parameters and results while checking the shape of a row. */
export function page<P, R>(
  needs: Needs,
  replay: Replay,
  params: Validator<P>,
  result: Validator<R>,
) {
  return { access: 'page', needs, replay, params, result } as const;
}

export const PAGE_METHODS = Object.freeze({
  status: page(
    'nothing',
    'pure',
    none,
    object({ locked: boolean, grants, engines: array(text, 16) }),
  ),
  random: page(
    'nothing',
    'pure',
    object({ length: integer(0, MAX_RANDOM_BYTES) }),
    bytes(MAX_RANDOM_BYTES),
  ),
  connect: page('consent', 'effect', grantRequest, grants),
  grants: page('nothing', 'pure', none, grants),
  /** Without `grantIds`: all grants of the caller. */
  revoke: page('nothing', 'effect', object({ grantIds: optional(array(id, 1000)) }), none),
  keys: page('grant', 'pure', none, array(keyInfo, 1000)),
  /** Asks the user where the key is one that they picked. */
  rotateKey: page('consent', 'effect', object({ keyId: id }), keyInfo),
  /** Of the newest generation. Takes no use: what it shows, signatures show too. */
  publicKey: page('grant', 'pure', object({ keyId: id }), publicKey),
  seal: page(
    'grant',
    'counted',
    object({ plaintext: bytes(MAX_PLAINTEXT_BYTES), ...sealOptions }),
    bytes(MAX_SEALED_BYTES),
  ),
  open: page(
    'grant',
    'counted',
    object({ sealed: bytes(MAX_SEALED_BYTES), ...openOptions }),
    bytes(MAX_PLAINTEXT_BYTES),
  ),
  /** Opens and seals again; without `key`: under the newest generation of the key that it has. */
  rewrap: page(
    'grant',
    'counted',
    object({ sealed: bytes(MAX_SEALED_BYTES), ...sealOptions }),
    bytes(MAX_SEALED_BYTES),
  ),
  /** Each item is one use of the grant; results stand in the order of the items. */
  sealMany: page(
    'grant',
    'counted',
    object({ items: plaintexts, ...sealOptions }),
    object({ items: sealedMessages, failures }),
  ),
  openMany: page(
    'grant',
    'counted',
    object({ items: sealedMessages, ...openOptions }),
    object({ items: sealedMessages, failures }),
  ),
  /** `text` in UTF-8; the result is the armored line in ASCII. */
  sealText: page(
    'grant',
    'counted',
    object({ text: bytes(MAX_PLAINTEXT_BYTES), ...sealOptions }),
    bytes(MAX_ARMORED_BYTES),
  ),
  /** `armored` in ASCII; the result is text in UTF-8. */
  openText: page(
    'grant',
    'counted',
    object({ armored: bytes(MAX_ARMORED_BYTES), ...openOptions }),
    bytes(MAX_PLAINTEXT_BYTES),
  ),
  mac: page('grant', 'counted', object({ data: bytes(MAX_PLAINTEXT_BYTES), ...named }), bytes(32)),
  verifyMac: page(
    'grant',
    'counted',
    object({ data: bytes(MAX_PLAINTEXT_BYTES), tag: bytes(MAX_PROOF_BYTES), ...named }),
    boolean,
  ),
  /** Without `key`: the one signing key that is granted here. */
  sign: page(
    'grant',
    'counted',
    object({ data: bytes(MAX_PLAINTEXT_BYTES), ...named }),
    bytes(MAX_PROOF_BYTES),
  ),
  verify: page(
    'grant',
    'counted',
    object({ data: bytes(MAX_PLAINTEXT_BYTES), signature: bytes(MAX_PROOF_BYTES), ...named }),
    boolean,
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
  ),
  /** Each record is one use. `items`: the payloads' text in UTF-8; `kid`: beside it, where the format has one. */
  'sync.encryptRecords': page(
    'grant',
    'counted',
    object({ collection, records: plainRecords, ...named }),
    object({ items: encryptedRecords, failures, kid: optional(id) }),
  ),
  /** `items`: JSON of { payload, generation? }. */
  'sync.decryptRecords': page(
    'grant',
    'counted',
    object({ collection, records: encryptedRecords, ...named }),
    object({ items: encryptedRecords, failures }),
  ),
  /** `payload` of the server's crypto/keys record, in UTF-8. */
  'sync.loadCollectionKeys': page(
    'grant',
    'effect',
    object({ payload: bytes(MAX_COLLECTION_KEYS_BYTES), ...named }),
    none,
  ),
  'sync.createCollectionKeys': page(
    'grant',
    'effect',
    object({ collections: optional(array(collection, MAX_COLLECTIONS)), ...named }),
    bytes(MAX_COLLECTION_KEYS_BYTES),
  ),
  /** Exactly one of the two: a message as bytes, or its armored line in ASCII. */
  inspect: page(
    'nothing',
    'pure',
    union(
      'either sealed or armored',
      object({ sealed: bytes(MAX_SEALED_BYTES) }),
      object({ armored: bytes(MAX_ARMORED_BYTES) }),
    ),
    sealedInfo,
  ),
  ...SUBTLE_METHODS,
});

export type Capability = Infer<typeof capability>;
export type Grant = Infer<typeof grant>;
export type GrantRequest = Infer<typeof grantRequest>;
export type KeyInfo = Infer<typeof keyInfo>;
export type SealedInfo = Infer<typeof sealedInfo>;
