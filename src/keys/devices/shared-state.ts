/*
 * The state that devices of one person share, and its merge: the least upper bound of two states. It is commutative,
 * associative and idempotent, so that devices which have seen the same changes hold the same state, in whatever order and
 * however often they came. docs/design/devices.md has the rules; contents.ts says what a vault's records are in it.
 */
import { canonicalText } from '../values/json.ts';
import type { Json } from '../values/json.ts';

/**
 * Which changes something includes: for each device, by its id, the number of the newest. Numbers of one device are
 * consecutive from 1, so that the number stands for all before it.
 */
export type VersionVector = Readonly<Record<string, number>>;

/** The vector without any change. */
export const NOTHING: VersionVector = {};

/** Whether `a` includes all that `b` does. */
export function includes(a: VersionVector, b: VersionVector): boolean {
  for (const device of Object.keys(b)) {
    if (!(a[device]! >= b[device]!)) return false;
  }
  return true;
}

/** The changes of both. `a` itself where it includes `b`. */
export function union(a: VersionVector, b: VersionVector): VersionVector {
  if (includes(a, b)) return a;
  const both: Record<string, number> = { ...a };
  for (const device of Object.keys(b)) both[device] = Math.max(a[device] ?? 0, b[device]!);
  return both;
}

/** Plain JSON, but for undefined values, which it has none of. */
export interface SharedState {
  /**
   * All changes that the state includes without a gap, also those of entries that were deleted and forgotten since. An entry
   * may have later ones: from a medium it comes alone, without what its device changed before.
   */
  readonly seen: VersionVector;
  /** By name (contents.ts). */
  readonly entries: Readonly<Record<string, Entry>>;
}

/** A key, site, contact or setting, or the record of its deletion. */
export type Entry = LiveEntry | DeletedEntry;

/** What is shared of one thing. */
export interface LiveEntry {
  /** 1, and one more after each deletion that was undone, such as by a restore. */
  readonly incarnation: number;
  /** All changes of the entry. */
  readonly version: VersionVector;
  /** What never changes once it is there, and is only ever added: generations, header key ids. */
  readonly facts: Readonly<Record<string, Json>>;
  /** What is replaced, such as a label. Each has the versions of which none has seen another. */
  readonly registers: Readonly<Record<string, readonly Version[]>>;
}

/** One value of a register. */
export interface Version {
  /** The id of the device that wrote it. */
  readonly by: string;
  /** All changes that it replaces, and its own. */
  readonly version: VersionVector;
  readonly value: Json;
}

/** A deletion record. Nothing of the entry is left. */
export interface DeletedEntry {
  /** The incarnation that was deleted. */
  readonly incarnation: number;
  readonly deleted: {
    /** The changes of the entry that the deletion has seen. */
    readonly seen: VersionVector;
    /** ms since the epoch, on the clock of the device that deleted. */
    readonly at: number;
  };
}

/** The state of a device that shares nothing yet. */
export const EMPTY_STATE: SharedState = { seen: {}, entries: {} };

/** How long a deletion record is kept, ms: 400 days. */
export const DELETION_KEPT_MS = 400 * 24 * 60 * 60 * 1000;

/** Whether this is a deletion record. */
export const isDeleted = (entry: Entry): entry is DeletedEntry => 'deleted' in entry;

/** The entry of this name, or its deletion record. */
export const entryIn = ({ entries }: SharedState, name: string): Entry | undefined =>
  Object.hasOwn(entries, name) ? entries[name] : undefined;

/** The entry of this name; undefined for a name without entry, and for a deletion record. */
export function liveEntry(state: SharedState, name: string): LiveEntry | undefined {
  const entry = entryIn(state, name);
  return entry && !isDeleted(entry) ? entry : undefined;
}

/** The newest change of each device that a state knows of, whether or not it has all before it. */
export function numbersIn({ seen, entries }: SharedState): VersionVector {
  return Object.values(entries).reduce((all, entry) => union(all, changesOf(entry)), seen);
}

/** All changes of an entry, or those that its deletion has seen. */
export const changesOf = (entry: Entry): VersionVector =>
  isDeleted(entry) ? entry.deleted.seen : entry.version;

/** The merge of two states. Neither is preferred, and neither is changed. */
export function merge(a: SharedState, b: SharedState): SharedState {
  if (a === b) return a;
  return { seen: union(a.seen, b.seen), entries: mergeMembers(a.entries, b.entries, mergeEntry) };
}

/**
 * The state without the deletion records that have been kept for DELETION_KEPT_MS. It is a device's own decision and no
 * part of the merge: a record that another device still has comes back with it, and does no harm.
 *
 * @param at ms since the epoch
 */
export function withoutOldDeletions(state: SharedState, at: number): SharedState {
  const kept = Object.entries(state.entries).filter(
    ([, entry]) => !isDeleted(entry) || at - entry.deleted.at <= DELETION_KEPT_MS,
  );
  return { ...state, entries: Object.fromEntries(kept) };
}

/** The versions of which no other one has seen. In the order of their text, so that a set has one form. */
export function mergeVersions(a: readonly Version[], b: readonly Version[]): readonly Version[] {
  if (a === b) return a;
  const byText = new Map([...a, ...b].map((version) => [canonicalText(version), version]));
  if (byText.size === a.length && byText.size === b.length) return a;
  const all = [...byText.values()];
  const isReplaced = ({ version }: Version): boolean =>
    all.some((other) => includes(other.version, version) && !includes(version, other.version));
  const kept = [...byText].filter(([, version]) => !isReplaced(version));
  return kept.sort(([x], [y]) => (x < y ? -1 : 1)).map(([, version]) => version);
}

/**
 * A later incarnation replaces an earlier one, and a deletion ends the one that it names, whole. Were it to take only
 * what its author had seen, the result would depend on the order of merges.
 */
function mergeEntry(a: Entry, b: Entry): Entry {
  if (a.incarnation !== b.incarnation) return a.incarnation > b.incarnation ? a : b;
  if (isDeleted(a)) return isDeleted(b) ? mergeDeleted(a, b) : a;
  if (isDeleted(b)) return b;
  return {
    incarnation: a.incarnation,
    version: union(a.version, b.version),
    facts: mergeMembers(a.facts, b.facts, lesserText),
    registers: mergeMembers(a.registers, b.registers, mergeVersions),
  };
}

function mergeDeleted(a: DeletedEntry, b: DeletedEntry): DeletedEntry {
  const seen = union(a.deleted.seen, b.deleted.seen);
  return {
    incarnation: a.incarnation,
    deleted: { seen, at: Math.max(a.deleted.at, b.deleted.at) },
  };
}

/** Honest devices never have two values of one fact but for times at which the same was added. */
function lesserText(a: Json, b: Json): Json {
  if (a === b) return a;
  return canonicalText(a) <= canonicalText(b) ? a : b;
}

function mergeMembers<T>(
  a: Readonly<Record<string, T>>,
  b: Readonly<Record<string, T>>,
  mergeBoth: (a: T, b: T) => T,
): Readonly<Record<string, T>> {
  if (a === b) return a;
  const merged = new Map(Object.entries(a));
  for (const [name, value] of Object.entries(b)) {
    const known = merged.get(name);
    merged.set(name, known === undefined ? value : mergeBoth(known, value));
  }
  return Object.fromEntries(merged);
}
