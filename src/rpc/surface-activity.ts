/*
 * The audit log, as the extension's own pages see it. Times are ms since the epoch.
 */
import { MAX_ID_CHARACTERS } from './limits.ts';
import { array, integer, literal, nullable, object, optional, string } from './validate.ts';
import type { Infer } from './validate.ts';

const count = integer(0);
const time = integer(0);
const text = string(4096);
const name = string(4096, 1);
const id = string(MAX_ID_CHARACTERS, 1);

/** What an entry has to be like; absent: whatever it is. */
const filter = {
  /** `user`: what was done in the extension's own pages. */
  by: optional(literal('site', 'user')),
  origin: optional(name),
  ref: optional(id),
  operation: optional(name),
  outcome: optional(literal('ok', 'failed')),
  from: optional(time),
  until: optional(time),
};

/** Key: null where none was wanted or found; without kind and label where it is gone since. */
const entry = object({
  from: time,
  until: time,
  origin: nullable(text),
  container: nullable(text),
  key: nullable(object({ ref: id, kind: text, label: text })),
  operation: text,
  result: text,
  uses: count,
  bytes: count,
});
const entries = array(entry, 10_000);

const usage = object({ origin: text, uses: count, refused: count, bytes: count });

export const ACTIVITY_SHAPES = {
  /** `offset` and `limit`: in the list of what the filter lets through, newest first. */
  page: object({ ...filter, offset: count, limit: integer(1, 500) }),
  /** `origins`, `operations`: those of the whole log, to filter by. */
  pageOfEntries: object({
    total: count,
    entries,
    origins: array(text, 10_000),
    operations: array(text, 1000),
  }),
  all: object(filter),
  entries: object({ entries }),
  since: object({ since: time }),
  usage: array(usage, 10_000),
} as const;

export type ActivityFilter = Infer<typeof ACTIVITY_SHAPES.all>;
export type SurfaceActivity = Infer<typeof entry>;
export type SurfaceUsage = Infer<typeof usage>;
