/*
 * Which generation follows which. A browser that lacks a store goes on with the other one. Where first one
 * store was missing and then the other, each holds commits that the other lacks: two lines, which began at
 * one generation. They are joined (joined-lines.ts), so that nothing is lost that was reported as saved.
 *
 * A head names a manifest by its hash, and the manifest its parents in the same way, both under the vault
 * key: without that key no line can be made.
 */
import { toBase64url } from '../../crypto/bytes.ts';
import type { Generation, Manifest, ManifestId } from '../values/manifest.ts';

/** What a manifest says of the generations before it. */
export type Lineage = Pick<Manifest, 'parents' | 'line' | 'removed' | 'replaced' | 'written'>;
type Listed = Pick<Manifest, 'generation' | 'records' | 'slots'>;

/** How many generations of a line are named, while a store is missing. */
const LINE_MAX = 64;
/**
 * How many removed names, and how many replaced versions, are remembered while a store is missing. A record that
 * was removed before those comes back where the lines are joined.
 */
const REMOVED_MAX = 1000;

/**
 * What the next manifest says of its parent.
 *
 * @param isInAll whether all stores get it
 * @param at ms since the epoch
 */
export function lineageOf(next: Listed, parent: Generation, isInAll: boolean, at: number): Lineage {
  const parents = [idOf(parent)];
  const now = removedNames(parent.manifest, next);
  const replacedNow = replacedVersions(parent.manifest, next);
  if (isInAll) return { parents, removed: now, replaced: replacedNow };
  const { line = parent.manifest.parents ?? [], removed = [], replaced = [] } = parent.manifest;
  return {
    parents,
    // The head of the parent may be in one store only: what is certain is that all held the one before it.
    line: shortened([...line, ...parents]),
    removed: [...removed, ...now].slice(-REMOVED_MAX),
    replaced: [...replaced, ...replacedNow].slice(-REMOVED_MAX),
    written: writtenSince(next, parent.manifest, at),
  };
}

/**
 * The same for the generation that joins two lines. A store that does not get its head goes on with its line,
 * and may be joined again: the generation says all that both lines said.
 */
export function lineageOfJoined(next: Listed, own: Generation, { other, common }: Fork): Lineage {
  const both = [own, other];
  const manifests = both.map(({ manifest }) => manifest);
  const parents = both.map(idOf);
  const since = manifests.flatMap(knownIn).filter((id) => id.generation > common.generation);
  const names = manifests.flatMap((it) => [...(it.removed ?? []), ...removedNames(it, next)]);
  const versions = manifests.flatMap((it) => [
    ...(it.replaced ?? []),
    ...replacedVersions(it, next),
  ]);
  return {
    parents,
    line: shortened([common, ...distinct(since), ...parents]),
    removed: [...new Set(names)].slice(-REMOVED_MAX),
    replaced: [...new Set(versions)].slice(-REMOVED_MAX),
    written: latestOf(manifests.map(({ written = {} }) => written)),
  };
}

/** Another line than the newest generation's. */
export interface Fork {
  readonly other: Generation;
  /** The newest generation that both lines have. */
  readonly common: ManifestId;
  /**
   * False where the newest generation says that all stores held a later one than that. Then the other line
   * may be an old one that was put back.
   */
  readonly isCertain: boolean;
}

/**
 * How two generations are of two lines; undefined where the newer one follows the older one, or where an
 * earlier version wrote one of them.
 */
export function forkOf(newer: Generation, older: Generation): Fork | undefined {
  const [ofNewer, ofOlder] = [sharedBy(newer.manifest), sharedBy(older.manifest)];
  if (ofNewer === undefined || ofOlder === undefined) return undefined;
  const id = idOf(older);
  const [known, others] = [knownIn(newer.manifest), knownIn(older.manifest)];
  if (known.some((it) => isSame(it, id))) return undefined;
  // It was written to all stores, which went on from a later one.
  const wasInAll = older.manifest.line === undefined;
  if (wasInAll && id.generation < ofNewer.generation) return undefined;
  const both = known.filter((it) => others.some((other) => isSame(it, other)));
  const common = newest(both) ?? oldest([ofNewer, ofOlder]);
  const isCertain =
    ofOlder.generation >= ofNewer.generation || others.some((it) => isSame(it, ofNewer));
  return { other: older, common, isCertain };
}

const newest = (ids: readonly ManifestId[]): ManifestId | undefined =>
  [...ids].sort((a, b) => b.generation - a.generation)[0];
const oldest = (ids: readonly ManifestId[]): ManifestId =>
  [...ids].sort((a, b) => a.generation - b.generation)[0]!;

/** The newest generation before this one that all stores held, as is certain. */
function sharedBy({ line, parents }: Manifest): ManifestId | undefined {
  return (line ?? parents)?.[0];
}

/** Generations of the line before this one, as far as it names them. */
function knownIn({ parents = [], line = [] }: Manifest): ManifestId[] {
  return [...parents, ...line];
}

/** With the first, which all stores held. */
const shortened = (line: readonly ManifestId[]): ManifestId[] =>
  line.length <= LINE_MAX ? [...line] : [line[0]!, ...line.slice(1 - LINE_MAX)];

const distinct = (ids: readonly ManifestId[]): ManifestId[] => [
  ...new Map(ids.map((id) => [id.hash, id])).values(),
];

const isSame = (a: ManifestId, b: ManifestId): boolean =>
  a.generation === b.generation && a.hash === b.hash;

function idOf({ head }: Generation): ManifestId {
  return { generation: head.generation, hash: toBase64url(head.manifestHash) };
}

/** When the records were written that this line has written since the stores were alike; later than before in any case. */
function writtenSince(
  { generation, records }: Listed,
  { written = {} }: Manifest,
  at: number,
): Record<string, number> {
  const times = records.flatMap(({ name, ...entry }): [string, number][] => {
    const before = written[name];
    if (entry.generation === generation) return [[name, Math.max(at, (before ?? 0) + 1)]];
    return before === undefined ? [] : [[name, before]];
  });
  return Object.fromEntries(times);
}

function latestOf(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const latest = new Map<string, number>();
  for (const [name, at] of all.flatMap((times) => Object.entries(times))) {
    latest.set(name, Math.max(at, latest.get(name) ?? 0));
  }
  return Object.fromEntries(latest);
}

function removedNames(before: Listed, next: Listed): string[] {
  const left = new Set([...next.records, ...next.slots].map(({ name }) => name));
  return [...before.records, ...before.slots]
    .map(({ name }) => name)
    .filter((name) => !left.has(name));
}

function replacedVersions(before: Listed, next: Listed): string[] {
  const left = new Set(next.records.map(({ hash }) => hash));
  return before.records.map(({ hash }) => hash).filter((hash) => !left.has(hash));
}
