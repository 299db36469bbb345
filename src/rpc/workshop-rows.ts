/*
 * Rows of the workshop's table: what an operation takes and returns; the rows of the self-test, which pages of the
 * extension have done by workers of their own; and those for groups and for records of sync services.
 */
import { wireError } from './envelope.ts';
import {
  MAX_BATCH_ITEMS,
  MAX_BATCH_SEALED_BYTES,
  MAX_COLLECTION_CHARACTERS,
  MAX_COLLECTION_KEYS_BYTES,
  MAX_EPOCHS,
  MAX_EPOCHS_BYTES,
  MAX_HEAD_CHUNKS,
  MAX_HEADS_BYTES,
  MAX_ID_CHARACTERS,
} from './limits.ts';
import { headsReport, madeHeads } from './methods/page.ts';
import { FILE_SHAPES } from './methods/ui-files.ts';
import { number } from './methods/subtle-values.ts';
import { thresholds } from './thresholds.ts';
import { byteList } from './transport/byte-list.ts';
import {
  array,
  boolean,
  bytes,
  integer,
  literal,
  object,
  optional,
  string,
  tagged,
  union,
  type Infer,
  type Validator,
} from './validate.ts';

/** What an operation takes and returns. */
export interface Row<S, P, R, E> {
  /** Keys, passphrases and contents, for this call alone: the workshop wipes the bytes among them. */
  readonly secrets: Validator<S>;
  readonly params: Validator<P>;
  readonly result: Validator<R>;
  /** What is reported before the result. */
  readonly progress?: Validator<E>;
  /** Bytes of WebAssembly that a call fills, which are free only when the worker ends. Absent: few. */
  readonly fills?: (params: P) => number;
}

/** One row of the table. */
export function row<S, P, R, E = never>(
  secrets: Validator<S>,
  params: Validator<P>,
  result: Validator<R>,
  more: Pick<Row<S, P, R, E>, 'progress' | 'fills'> = {},
): Row<S, P, R, E> {
  return { secrets, params, result, ...more };
}

/** Of an operation that has no secrets, or no parameters. */
export const none = object({});
/** A name or a reason. */
export const text = string(4096);
/** A length or a number of things. */
export const count = integer(0);

/** An EnvelopeError (src/format/errors.ts). */
export const envelopeError = object({
  code: literal('BAD_ENVELOPE', 'NEEDS_KEY', 'TOO_LARGE', 'UNSUPPORTED'),
  message: text,
});

/** An engine that is not available, with the reason. */
const absent = object({ type: literal('absent'), engine: text, reason: text });
const selfTestEvent = tagged('type', {
  absent,
  /** An engine's known answers for an algorithm; the reason of a failure, for bug reports. */
  answer: object({
    type: literal('answer'),
    engine: text,
    algorithm: text,
    passed: boolean,
    reason: optional(text),
  }),
  /** Of one engine, for an algorithm and the size of the input of a call. */
  speed: object({
    type: literal('speed'),
    engine: text,
    algorithm: text,
    /** 'no' if its timing may depend on the key. */
    constantTime: literal('by-construction', 'platform', 'no'),
    bytes: count,
    bytesPerSecond: number,
  }),
  /** The time of one call of a fixed size; 0 bytes where it has no message. */
  call: object({
    type: literal('call'),
    engine: text,
    name: text,
    bytes: count,
    seconds: number,
    operation: literal('decrypt', 'encrypt', 'derive', 'power'),
  }),
  progress: object({ type: literal('progress'), done: count, total: count }),
});

/** The rows of the self-test. */
export const SELF_TEST_ROWS = Object.freeze({
  'selfTest.run': row(none, object({ cards: boolean }), object({ thresholds }), {
    progress: selfTestEvent,
  }),
  /** What each engine could do, in the order of preference; nothing is tested for it. */
  'selfTest.engines': row(
    none,
    object({ cards: boolean }),
    object({
      absent: array(absent, 100),
      engines: array(text, 100),
      rows: array(object({ algorithm: text, engines: array(text, 100) }), 1000),
    }),
  ),
});

/** AES-256 and HMAC keys of Weave and Kinto, or one key of the other formats. */
const recordKey = bytes(64);
/** Draws of operations that seal. */
const seed = bytes(32);
const records = byteList(MAX_BATCH_ITEMS, MAX_BATCH_SEALED_BYTES);
/** As many as a record of them has room for. */
const storedCollectionKeys = object({
  default: recordKey,
  collections: array(
    object({ name: string(MAX_COLLECTION_KEYS_BYTES), bundle: recordKey }),
    MAX_COLLECTION_KEYS_BYTES,
  ),
});
/** A batch, with the keys of one collection: the first seals, and all of them open. */
const recordsRow = row(
  object({ keys: array(recordKey, 10_000, 1), seed: optional(seed) }),
  object({
    format: literal('weave-5', 'kinto', 'notes', 'sealwright'),
    collection: string(MAX_COLLECTION_CHARACTERS, 1),
    kid: optional(string(MAX_ID_CHARACTERS)),
    records,
  }),
  /** As the page gets them: the results are empty where a record failed. */
  object({
    items: records,
    failures: array(object({ at: count, error: wireError }), MAX_BATCH_ITEMS),
  }),
  /** Bytes of records that are done. */
  { progress: object({ done: count }) },
);

const digest = bytes(32);
const digests = array(digest, MAX_EPOCHS);
/** Older keys that one epoch gives to its members, and the length of the longest epoch (src/format/groups/epoch.ts). */
const MAX_OLD_KEYS = 255;
const MAX_EPOCH_BYTES = 330_200;
/** What members open the key of an epoch with (src/format/groups/epoch.ts); the members whose keys were given. */
const membersEpoch = object({
  number: count,
  group: digest,
  parents: array(digest, 8),
  digest,
  commitment: digest,
  oldKeys: array(object({ epoch: digest, sealed: bytes(48) }), MAX_OLD_KEYS),
  members: array(object({ publicKey: bytes(1_216), wrap: bytes(1_168) }), 128),
});

/** The rows for groups. */
export const GROUP_ROWS = Object.freeze({
  /**
   * Checks the epochs of one group, by its first one's digest, among those that a page gave; none is the error of the
   * call where `wanted` is absent. Which epochs are told: those that have or give the key of a `wanted` one; else those to
   * seal to, or why there are none now.
   */
  'groups.check': row(
    none,
    object({
      group: digest,
      epochs: byteList(MAX_EPOCHS, MAX_EPOCHS_BYTES),
      publicKeys: array(bytes(1_216), 10_000),
      wanted: optional(array(digest, MAX_OLD_KEYS)),
    }),
    union(
      'epochs, or an error',
      object({
        /** Digests of all, and of those that no other one follows. */
        all: digests,
        heads: digests,
        epochs: array(membersEpoch, MAX_EPOCHS),
        waiting: optional(text),
        /** Why one who has `publicKeys` cannot seal to the group (src/format/groups/group-problem.ts). */
        problem: optional(literal('left', 'waiting', 'noAdmins')),
      }),
      object({
        error: envelopeError,
      }),
    ),
  ),
  /**
   * What an admin signs to make the epoch that follows the checked ones; without `group`, the first one of a new group, whose
   * members are those of `add`. `key` and `oldKeys`: of the new epoch, and those that it gives on. RangeError for a change
   * that cannot be.
   */
  'groups.make': row(
    object({
      key: bytes(32),
      oldKeys: array(object({ epoch: digest, key: bytes(32) }), MAX_OLD_KEYS),
      seed,
    }),
    object({
      group: optional(digest),
      epochs: byteList(MAX_EPOCHS, MAX_EPOCHS_BYTES),
      add: array(object({ publicKey: bytes(1_216), adminKey: optional(bytes(32)) }), 128),
      remove: array(bytes(1_216), 128),
      signer: bytes(32),
    }),
    union(
      'content, or an error',
      object({ content: bytes(MAX_EPOCH_BYTES) }),
      object({ error: envelopeError }),
    ),
  ),
});

/** A part of what a device keeps of a collection (src/sync/sealwright/own-list.ts). */
const listPart = string(100_000);
/** The keys of one collection, the newest first, and that of the first generation; what the device keeps, if anything. */
const headSecrets = object({
  keys: array(recordKey, 10_000, 1),
  first: recordKey,
  seed,
  list: array(listPart, MAX_HEAD_CHUNKS + 1),
});
const headParams = {
  collection: string(MAX_COLLECTION_CHARACTERS, 1),
  records,
  /** ms since the epoch. */
  at: count,
};

/** A result with the parts of the list that have changed, by their places; or the error of the whole call. */
function changing<R>(result: Validator<R>) {
  const parts = array(object({ place: count, part: listPart }), MAX_HEAD_CHUNKS + 1);
  const changed = object({ result, parts });
  return union('a result or an error', changed, object({ error: wireError }));
}

/** The rows for records of sync services. */
export const SYNC_ROWS = Object.freeze({
  'sync.encryptRecords': recordsRow,
  'sync.decryptRecords': recordsRow,
  'sync.checkpoint': row(headSecrets, object(headParams), changing(madeHeads)),
  'sync.verify': row(
    headSecrets,
    object({ ...headParams, heads: byteList(MAX_BATCH_ITEMS, MAX_HEADS_BYTES) }),
    changing(headsReport),
  ),
  /** TypeError for a text that is not a record of Weave, AuthenticationError for one of another account. */
  'sync.openCollectionKeys': row(
    object({ account: recordKey }),
    object({ payload: string(MAX_COLLECTION_KEYS_BYTES) }),
    storedCollectionKeys,
  ),
  'sync.sealCollectionKeys': row(
    object({ account: recordKey, keys: storedCollectionKeys, seed }),
    none,
    bytes(MAX_BATCH_SEALED_BYTES),
  ),
  /** A key that was made elsewhere; RangeError for anything else. */
  'sync.readKey': row(
    object({ source: FILE_SHAPES.syncKeySource }),
    object({ keyBytes: literal(32, 64) }),
    object({ key: recordKey, foreignId: optional(string(MAX_ID_CHARACTERS)) }),
  ),
});

/** An engine that is not available in this browser or this build. */
export type AbsentEngine = Infer<typeof absent>;
