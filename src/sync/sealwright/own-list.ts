/*
 * What a device keeps of one collection: the records that it wrote, in leaves that are sealed as chunks, its own heads,
 * and the last head that it saw of each device. Pure: the caller stores it.
 */
import { TooManyError } from '../errors.ts';
import { CHUNKS_BEFORE, MAX_CHUNKS, MAX_ENTRIES, type Digest, type Entry } from './head-layout.ts';

/** A record that this device wrote. */
export interface OwnEntry extends Entry {
  /** The record's id, where its JSON is short enough. */
  readonly name?: string;
  /** When it was deleted, ms since the epoch. */
  readonly deletedAt?: number;
}

/** A chunk, as its device keeps it. An entry stays in its leaf. */
export interface Leaf {
  /** Digests of the texts of the chunk, the newest first, at most CHUNKS_BEFORE; none before it was sealed. */
  readonly versions: readonly Digest[];
  /** Whether the next checkpoint has to write it though none of its records changes. */
  readonly isDue: boolean;
  readonly entries: readonly OwnEntry[];
}

/** A head, by its place among those of its device. */
export interface HeadMark {
  readonly count: number;
  readonly digest: Digest;
}

/** What a device keeps of one collection. */
export interface OwnList {
  /** 16 hexadecimal digits, random. */
  readonly device: string;
  /** Heads that it made. */
  readonly count: number;
  /** Digests of the texts of its heads, the newest first, at most HEADS_BEFORE. */
  readonly heads: readonly Digest[];
  /** By the numbers of their chunks. */
  readonly leaves: readonly Leaf[];
  /** The last head seen on the server, by device. */
  readonly seen: Readonly<Record<string, HeadMark>>;
}

/** A record that was written or deleted. */
export interface Change extends Entry {
  readonly name: string;
}

/** How long a deletion stays in the list. */
export const DELETION_MS = 400 * 24 * 60 * 60 * 1000;
/** JSON of ids that are kept, in UTF-16 code units: services of Weave take 64 characters, and there are two quotes. */
const MAX_NAME_JSON = 66;
/** Devices of which a head is remembered. */
export const MAX_DEVICES = 64;

/** What a device has before its first head. @param device 16 hexadecimal digits */
export function emptyList(device: string): OwnList {
  return { device, count: 0, heads: [], leaves: [], seen: {} };
}

/**
 * The leaves with these changes, and which of them have to be sealed: those that changed, and those that were due. Of a
 * record that is listed with a higher generation nothing changes. No entry but an old deletion ever leaves the list, also
 * when another device has overwritten the record: so a later head of this device knows all that an earlier one knew.
 *
 * @param at ms since the epoch
 * @throws TooManyError for more records than MAX_CHUNKS chunks have room for
 */
export function changedLeaves(
  leaves: readonly Leaf[],
  changes: readonly Change[],
  at: number,
): { readonly leaves: readonly Leaf[]; readonly toSeal: ReadonlySet<number> } {
  const maps = leaves.map(({ entries }) => new Map(entries.map((entry) => [entry.id, entry])));
  const placeOf = new Map(leaves.flatMap(({ entries }, i) => entries.map(({ id }) => [id, i])));
  const toSeal = new Set(leaves.flatMap(({ isDue }, i) => (isDue ? [i] : [])));
  for (const { name, ...entry } of changes) {
    const place = placeOf.get(entry.id) ?? roomIn(maps);
    const own = maps[place]!;
    if ((own.get(entry.id)?.generation ?? 0) > entry.generation) continue;
    const named = JSON.stringify(name).length <= MAX_NAME_JSON && { name };
    own.set(entry.id, { ...entry, ...named, ...(entry.record === null && { deletedAt: at }) });
    placeOf.set(entry.id, place);
    toSeal.add(place);
  }
  const after = maps.map((entries, i) => {
    const leaf = leaves[i] ?? NEW_LEAF;
    if (!toSeal.has(i)) return leaf;
    return { ...leaf, entries: [...entries.values()].filter((entry) => !isPast(entry, at)) };
  });
  return { leaves: after, toSeal };
}

const NEW_LEAF: Leaf = { versions: [], isDue: false, entries: [] };

/** The last leaf, or a new one where that is full. Room that old deletions leave is for its own records. */
function roomIn(maps: Map<Digest, OwnEntry>[]): number {
  if (maps.length > 0 && maps.at(-1)!.size < MAX_ENTRIES) return maps.length - 1;
  if (maps.length === MAX_CHUNKS) {
    const most = MAX_CHUNKS * MAX_ENTRIES;
    throw new TooManyError(`records: a device lists at most ${most} of them`);
  }
  return maps.push(new Map()) - 1;
}

/** Whether it is a deletion that leaves the list. */
function isPast({ deletedAt }: OwnEntry, at: number): boolean {
  return deletedAt !== undefined && at - deletedAt >= DELETION_MS;
}

/** A leaf that was sealed. @param digest of the chunk's text */
export function sealedLeaf(leaf: Leaf, digest: Digest): Leaf {
  return { ...leaf, versions: [digest, ...leaf.versions].slice(0, CHUNKS_BEFORE), isDue: false };
}

/* How it is stored: a part for the list without entries, and one for the entries of each leaf, so that a change rewrites two. */

type StoredEntry = readonly [
  id: Digest,
  name: string | 0,
  record: Digest | 0,
  generation: number,
  deletedAt?: number,
];

/** The parts as JSON, the list without its entries first. */
export function partsOf({ leaves, ...list }: OwnList): string[] {
  const heads = leaves.map(({ versions, isDue }) => ({ versions, isDue }));
  return [
    JSON.stringify({ ...list, leaves: heads }),
    ...leaves.map(({ entries }) => JSON.stringify(entries.map(storedEntry))),
  ];
}

/** The inverse of `partsOf`, of parts that are the vault's own. */
export function listOf([first, ...entries]: readonly string[]): OwnList {
  const list = JSON.parse(first!) as OwnList;
  const leaves = list.leaves.map((leaf, i) => {
    return { ...leaf, entries: (JSON.parse(entries[i]!) as StoredEntry[]).map(entryOf) };
  });
  return { ...list, leaves };
}

function storedEntry({ id, name, record, generation, deletedAt }: OwnEntry): StoredEntry {
  const stored = [id, name ?? 0, record ?? 0, generation] as const;
  return deletedAt === undefined ? stored : [...stored, deletedAt];
}

function entryOf([id, name, record, generation, deletedAt]: StoredEntry): OwnEntry {
  const entry = { id, record: record === 0 ? null : record, generation };
  return { ...entry, ...(name !== 0 && { name }), ...(deletedAt !== undefined && { deletedAt }) };
}
