/*
 * The audit log, as the extension's own pages see it. Times are ms since the epoch.
 */
import { MAX_ID_CHARACTERS } from '../limits.ts';
import { array, integer, literal, nullable, object, optional, string } from '../validate.ts';
import type { Infer } from '../validate.ts';

const count = integer(0);
const time = integer(0);
const text = string(4096);
const name = string(4096, 1);
const id = string(MAX_ID_CHARACTERS, 1);

/** Conditions on an entry. Absent members allow everything. */
const filter = {
  /** `user`: in the extension's own pages. */
  by: optional(literal('site', 'user')),
  origin: optional(name),
  ref: optional(id),
  operations: optional(array(name, 100)),
  outcome: optional(literal('ok', 'failed')),
  from: optional(time),
  until: optional(time),
  /** Words in the name of the site, the key or the contact, or any of the operations that they stand for. */
  text: optional(object({ words: string(200, 1), operations: array(name, 100) })),
};

/** Kind and label are empty where the key was deleted. */
const key = object({ ref: id, kind: text, label: text });

/** `key`: null where no key was needed or found. */
const entry = object({
  from: time,
  until: time,
  origin: nullable(text),
  /** The site for which the user opened a message. */
  of: optional(text),
  container: nullable(text),
  key: nullable(key),
  /** The present name of the contact that the user added or changed; absent where it was deleted. */
  contact: optional(text),
  operation: text,
  result: text,
  uses: count,
  bytes: count,
});
const entries = array(entry, 10_000);

/** Of one site: each day's calls and bytes, the oldest day first; "2026-11-21". */
const usage = object({
  origin: text,
  days: array(object({ day: text, calls: count, bytes: count, refused: count }), 400),
});

/** Parameters and results of the methods for the audit log. */
export const ACTIVITY_SHAPES = {
  /** `offset` and `limit` count the entries that match, newest first. */
  page: object({ ...filter, offset: count, limit: integer(1, 5000) }),
  /** `origins`, `keys`: those of the whole log, to filter by. */
  pageOfEntries: object({
    total: count,
    entries,
    origins: array(text, 10_000),
    keys: array(key, 10_000),
  }),
  all: object(filter),
  entries: object({ entries }),
  usageOf: object({ days: integer(1, 90) }),
  usage: array(usage, 10_000),
} as const;

/** Which entries are wanted; absent members allow everything. */
export type ActivityFilter = Infer<typeof ACTIVITY_SHAPES.all>;
/** An entry of the audit log, with the key's present label. */
export type UiActivity = Infer<typeof entry>;
/** Calls and bytes of one site, day by day. */
export type UiUsage = Infer<typeof usage>;
