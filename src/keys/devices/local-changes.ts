/*
 * What a device changes in the state that it shares: what its vault says otherwise than the state did becomes a change of
 * this device, and a merged state becomes changes of the vault. A record that is missing in the vault is not deleted by
 * that: only a deletion record deletes.
 */
import type { RandomSource } from '../../random/contract.ts';
import { deletableName, DELETION } from '../annotations/deletions.ts';
import type { Deletion } from '../annotations/deletions.ts';
import { KEY_DETAILS } from '../annotations/key-details.ts';
import { SITE_FIELDS } from '../annotations/site-fields.ts';
import { APP, KEY_ROOT, KEY_USE, keyUseOf, keyUseRecord, newKeyUse } from '../ring/key-records.ts';
import { USER_KEY_TYPES } from '../ring/kinds.ts';
import { sameJson } from '../values/json.ts';
import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';
import { contentsOf } from './contents.ts';
import type { Content } from './contents.ts';
import { initialValue } from './registers.ts';
import { entryIn, includes, isDeleted, liveEntry, merge, NOTHING, union } from './shared-state.ts';
import type {
  DeletedEntry,
  Entry,
  LiveEntry,
  SharedState,
  Version,
  VersionVector,
} from './shared-state.ts';
import { recordsOfState } from './state-records.ts';

/**
 * The uses of app keys to draw before a vault shares anything, so that each site that has seen ids of keys has a record
 * that names their root (`KeyUse.root`). None in a vault without a root, of which no site has seen anything.
 *
 * @param origins that have or had a permission
 */
export function missingUses(
  records: readonly VaultRecord[],
  origins: readonly string[],
  random: RandomSource,
): VaultRecord[] {
  if (!records.some(({ type }) => type === KEY_ROOT)) return [];
  const uses = records.filter(({ type }) => type === KEY_USE).map(keyUseOf);
  const seen = new Set([...origins, ...uses.map(({ origin }) => origin)]);
  for (const { ref, origin } of uses) if (ref === APP) seen.delete(origin);
  return [...seen].map((origin) => keyUseRecord(newKeyUse(random, APP, origin)));
}

/**
 * The state with what the vault says now. What differs from the records of `state` is a change of this device.
 *
 * @param state the one whose records the vault held after the last merge; at first EMPTY_STATE
 * @param records of SHARED_TYPES and of DELETION, all that the vault has
 * @param device the id of this device, 16 bytes as base64url
 * @returns `state` itself where nothing has changed
 */
export function withLocalChanges(
  state: SharedState,
  records: readonly VaultRecord[],
  device: string,
): SharedState {
  const change: Change = {
    device,
    dot: { [device]: (Object.hasOwn(state.seen, device) ? state.seen[device]! : 0) + 1 },
  };
  const entries = new Map(Object.entries(state.entries));
  const changed = new Set<string>();
  const set = (name: string, entry: Entry | undefined): void => {
    if (entry === undefined || entry === entries.get(name)) return;
    entries.set(name, entry);
    changed.add(name);
  };
  for (const { name, at } of deletionsIn(records)) {
    const entry = liveEntry(state, name);
    if (entry) set(name, deletedBy(entry, at, change));
  }
  const before = contentsOf(recordsOfState(state));
  const now = contentsOf(records);
  for (const [name, content] of now) {
    set(name, changedEntry(name, entries.get(name), before.get(name), content, change));
  }
  for (const [name, content] of before) {
    // Such a record is removed with its last setting.
    if (now.has(name) || !name.startsWith(`${SITE_FIELDS} `)) continue;
    set(name, changedEntry(name, entries.get(name), content, NO_CONTENT, change));
  }
  if (changed.size === 0) return state;
  return { seen: union(state.seen, change.dot), entries: Object.fromEntries(entries) };
}

/**
 * The state with what a merge would take of it although the device still has it: what changed after a deletion on the
 * other side comes back, as its next incarnation, and of what has come back there nothing is left behind in an earlier
 * one. A device does so to both states before it merges them.
 */
export function withoutUnseenDeletions(own: SharedState, other: SharedState): SharedState {
  const back = Object.entries(own.entries).flatMap(([name, entry]) => {
    const theirs = entryIn(other, name);
    const later = isDeleted(entry) ? undefined : laterIncarnation(entry, theirs, other.seen);
    return later ? [[name, later] as const] : [];
  });
  if (back.length === 0) return own;
  return { ...own, entries: { ...own.entries, ...Object.fromEntries(back) } };
}

/** The merge of what two devices hold, of which neither loses what the other's deletions have not seen. */
export const mergeOfDevices = (a: SharedState, b: SharedState): SharedState =>
  merge(withoutUnseenDeletions(a, b), withoutUnseenDeletions(b, a));

/** The names of what changed in `own` after what its deletion in `other` has seen. */
export function changedAfterDeletion(own: SharedState, other: SharedState): readonly string[] {
  const isChanged = ([name, entry]: readonly [string, Entry]): boolean => {
    const theirs = entryIn(other, name);
    return (
      !isDeleted(entry) && theirs !== undefined && isDeleted(theirs) && outlives(entry, theirs)
    );
  };
  return Object.entries(own.entries)
    .filter(isChanged)
    .map(([name]) => name);
}

/** Whether an entry that a deletion would end has changes that the deletion has not seen. */
const outlives = (entry: LiveEntry, { incarnation, deleted }: DeletedEntry): boolean =>
  incarnation >= entry.incarnation && !includes(deleted.seen, entry.version);

/**
 * The entry in the incarnation in which it goes on; undefined where it stays in its own, or ends.
 *
 * @param seen all changes that the other side includes
 */
function laterIncarnation(
  entry: LiveEntry,
  theirs: Entry | undefined,
  seen: VersionVector,
): LiveEntry | undefined {
  if (theirs === undefined) return undefined;
  if (isDeleted(theirs)) {
    return outlives(entry, theirs) ? { ...entry, incarnation: theirs.incarnation + 1 } : undefined;
  }
  if (theirs.incarnation <= entry.incarnation) return undefined;
  // What has come back may lack a generation or a use that the deletion had seen. Settings that it had seen are over.
  const registers = Object.entries(entry.registers).flatMap(([name, versions]) => {
    const unseen = versions.filter(({ version }) => !includes(seen, version));
    return unseen.length > 0 ? [[name, unseen] as const] : [];
  });
  const { incarnation } = theirs;
  return { ...entry, incarnation, registers: Object.fromEntries(registers) };
}

/** What a commit does so that the vault holds a state. */
export interface VaultChanges {
  readonly put: readonly VaultRecord[];
  /** Ids of records. */
  readonly removed: readonly string[];
}

/**
 * The changes of a vault that give it the records of a state. A record of which the state knows nothing stays.
 *
 * @param records of SHARED_TYPES and of DELETION, all that the vault has. The state includes them (`withLocalChanges`).
 */
export function changesFor(state: SharedState, records: readonly VaultRecord[]): VaultChanges {
  const known = new Map(records.map((record) => [record.id, record]));
  const deleted = deletedRefs(state);
  const wanted = recordsOfState(state, records);
  const kept = new Set(wanted.map(({ id }) => id));
  const put = wanted.filter(({ id, value }) => !sameJson(known.get(id)?.value, value));
  const removed = records.filter((record) => {
    if (record.type === DELETION) return true;
    return !kept.has(record.id) && (record.type === SITE_FIELDS || isOf(deleted, record));
  });
  return { put, removed: removed.map(({ id }) => id) };
}

/** The names of deleted entries, and the refs of deleted keys. */
function deletedRefs({ entries }: SharedState): ReadonlySet<string> {
  const names = Object.keys(entries).filter((name) => isDeleted(entries[name]!));
  const refs = names.filter(isOfUserKey).map((name) => name.slice(name.indexOf(' ') + 1));
  return new Set([...names, ...refs]);
}

const isOfUserKey = (name: string): boolean =>
  USER_KEY_TYPES.some((type) => name.startsWith(`${type} `));

/** Whether the record is of a deleted thing: its own, or a use or the details of a deleted key. */
function isOf(deleted: ReadonlySet<string>, record: VaultRecord): boolean {
  if (record.type === KEY_USE || record.type === KEY_DETAILS) {
    return deleted.has((record.value as { readonly ref: string }).ref);
  }
  return deleted.has(deletableName(record) ?? '');
}

/** One change: the device, and the number that it gives to all that it changes at once. */
interface Change {
  readonly device: string;
  readonly dot: VersionVector;
}

const NO_CONTENT: Content = { facts: {}, values: {} };

function deletionsIn(records: readonly VaultRecord[]): readonly Deletion[] {
  return records
    .filter(({ type }) => type === DELETION)
    .map(({ value }) => value as unknown as Deletion);
}

function deletedBy({ incarnation, version }: LiveEntry, at: number, { dot }: Change): Entry {
  return { incarnation, deleted: { seen: union(version, dot), at } };
}

/** The entry with what differs in `now`; the same where nothing does. What was deleted begins another incarnation. */
function changedEntry(
  name: string,
  entry: Entry | undefined,
  before: Content = NO_CONTENT,
  now: Content,
  change: Change,
): Entry | undefined {
  const live: LiveEntry =
    entry && !isDeleted(entry)
      ? entry
      : { incarnation: (entry?.incarnation ?? 0) + 1, version: NOTHING, facts: {}, registers: {} };
  const known = live === entry ? before : NO_CONTENT;
  const facts = Object.entries(now.facts).filter(([fact]) => !Object.hasOwn(live.facts, fact));
  const all = new Set([...Object.keys(known.values), ...Object.keys(now.values)]);
  const registers = [...all].flatMap((register) => {
    const valueIn = ({ values }: Content): Json | undefined =>
      values[register] ?? initialValue(name, register);
    const value = valueIn(now);
    // A register without an initial value is never emptied.
    if (value === undefined || sameJson(value, valueIn(known))) return [];
    const written = live.registers[register] ?? [];
    return [[register, [versionAfter(written, value, change)]] as const];
  });
  if (facts.length + registers.length === 0) return live === entry ? entry : undefined;
  return {
    incarnation: live.incarnation,
    version: union(live.version, change.dot),
    facts: { ...live.facts, ...Object.fromEntries(facts) },
    registers: { ...live.registers, ...Object.fromEntries(registers) },
  };
}

function versionAfter(written: readonly Version[], value: Json, { device, dot }: Change): Version {
  const version = written.reduce((all, each) => union(all, each.version), dot);
  return { by: device, version, value };
}
