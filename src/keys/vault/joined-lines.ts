import type { RandomSource } from '../../random/contract.ts';
import { nameOfRecord } from './contents.ts';
import type { Json } from '../values/json.ts';
import { hashOf } from '../values/manifest.ts';
import type { Generation, Manifest, ManifestEntry, NewGeneration } from '../values/manifest.ts';
import { sealRecord, type VaultRecord } from '../values/record.ts';
import { recordName } from '../values/value-names.ts';
import type { SealingKey } from '../values/vault-seal.ts';
import type { Fork } from './lineage.ts';
import { raisedSchema } from './next-generation.ts';

/** How records are merged that both lines have changed. */
export interface LineMerge {
  /** The types that are merged. Of a record of another type that both have written, the later one stays. */
  readonly types: readonly string[];
  /** Merges all records of these types. @returns those of the joined line */
  readonly merge: (own: readonly VaultRecord[], other: readonly VaultRecord[]) => VaultRecord[];
}

/** One line, opened. */
export interface Line extends Generation {
  /** By stored name; without those that neither store can give. */
  readonly records: ReadonlyMap<string, VaultRecord>;
}

/** Two lines, opened, and how they came to be two. */
export interface OpenedFork extends Fork {
  readonly own: Line;
  readonly other: Line;
}

/**
 * The generation that follows two lines. A line names the versions that it has replaced or removed, by hash
 * (Manifest.replaced): a version that the other line has seen gives way to what that line made of it. Versions
 * that neither line has seen of the other are merged. A removal counts against a version of a merged type that
 * it has seen; of other types, against every version of a line that does not know the removal. Of a record of
 * another type that both have written, the one that was written later stays: it is what the user has seen last.
 *
 * Of an uncertain other line only what it has of merged types is taken: one that was put back must revive no
 * permission, and no way to open the vault.
 *
 * A version keeps its name and its hash, so that a later join knows it again. Where both lines have another
 * value under the same name, it is written again: until the joined generation counts, both stay as they are.
 */
export async function joinedLines(
  key: SealingKey,
  fork: OpenedFork,
  { types, merge }: LineMerge,
  random: RandomSource,
): Promise<NewGeneration> {
  const { own, other } = fork;
  const generation = own.head.generation + 1;
  const chosen = chooseEntries(fork, types);
  const isMerged = ({ type }: ManifestEntry | VaultRecord) => types.includes(type);
  const opened = (entries: readonly Chosen[]) =>
    entries.flatMap(({ entry, line }) => line.records.get(entry.name) ?? []);
  // A version that the own line has replaced is not merged again: what that line made of it is in its place.
  const seen = new Set(own.manifest.replaced);
  const past = other.manifest.records.filter(({ hash }) => seen.has(hash)).map(({ name }) => name);
  const others = chosen.flatMap(({ entry: { name }, line }) => {
    const record = other.records.get(name);
    return (record && past.includes(name) ? line.records.get(name) : record) ?? [];
  });
  const merged = merge(
    opened(chosen.filter(({ entry }) => isMerged(entry))),
    others.filter(isMerged),
  );

  const records: ManifestEntry[] = [];
  const values = new Map<string, Uint8Array>();
  const isTaken = takenIn([own.manifest, other.manifest]);
  const add = async (record: VaultRecord): Promise<void> => {
    const name = nameOfRecord(key.key, record.id);
    const known = [own, other].find((line) => isSameRecord(line.records.get(name), record));
    const entry = known?.manifest.records.find((it) => it.name === name);
    if (entry && !isTaken(entry)) {
      records.push(entry);
      return;
    }
    const sealed = await sealRecord(key, { name, generation }, record, random);
    values.set(recordName(name, generation), sealed);
    records.push({ name, generation, type: record.type, hash: hashOf(sealed) });
  };
  for (const { entry, line } of chosen) {
    const record = line.records.get(entry.name);
    if (record === undefined || (!isMerged(entry) && !isTaken(entry))) records.push(entry);
    else if (!isMerged(entry)) await add(record);
  }
  for (const record of merged) await add(record);
  records.sort((a, b) => (a.name < b.name ? -1 : 1));
  const { created } = own.manifest;
  const slots = fork.isCertain ? joinedSlots(own.manifest, other.manifest) : own.manifest.slots;
  const schema = raisedSchema([own.manifest, other.manifest, ...merged]);
  const next = { ...schema, generation, created, slots, records, retired: [] };
  return { manifest: next, values, removes: [] };
}

/** An entry of the joined generation, and the line that has it so. */
interface Chosen {
  readonly entry: ManifestEntry;
  readonly line: Line;
}

function chooseEntries({ own, other, isCertain }: OpenedFork, types: readonly string[]): Chosen[] {
  const isMerged = ({ type }: ManifestEntry) => types.includes(type);
  const entriesOf = (entries: readonly ManifestEntry[]) =>
    new Map(entries.map((it) => [it.name, it]));
  const owns = entriesOf(own.manifest.records);
  const others = entriesOf(other.manifest.records.filter((entry) => isCertain || isMerged(entry)));
  const [seenByOwn, seenByOther] = [own, other].map(({ manifest }) => new Set(manifest.replaced));
  const [goneFromOwn, goneFromOther] = [own, other].map(
    ({ manifest }) => new Set(manifest.removed),
  );
  const isGone = (entry: ManifestEntry, isOwn: boolean): boolean => {
    if ((isOwn ? seenByOther : seenByOwn)!.has(entry.hash)) return true;
    if (isMerged(entry)) return false;
    const [here, there] = isOwn ? [goneFromOwn, goneFromOther] : [goneFromOther, goneFromOwn];
    return there!.has(entry.name) && !here!.has(entry.name);
  };
  const chosen: Chosen[] = [];
  for (const name of new Set([...owns.keys(), ...others.keys()])) {
    const [mine, theirs] = [owns.get(name), others.get(name)];
    if (mine && theirs) {
      const isKnown = { mine: seenByOther!.has(mine.hash), theirs: seenByOwn!.has(theirs.hash) };
      const isLater = timeIn(other, name) > timeIn(own, name);
      const isNewer = !isKnown.theirs && (isKnown.mine || isLater);
      const isTheirs = (isCertain && isNewer) || !own.records.has(name);
      chosen.push(isTheirs ? { entry: theirs, line: other } : { entry: mine, line: own });
    } else if (mine) {
      if (!isCertain || !isGone(mine, true)) chosen.push({ entry: mine, line: own });
    } else if (theirs && !isGone(theirs, false)) chosen.push({ entry: theirs, line: other });
  }
  return chosen;
}

/** 0 where the line has not written the record, or an earlier version has. */
const timeIn = ({ manifest }: Line, name: string): number => manifest.written?.[name] ?? 0;

/** Whether one of the lines has another value under the name of a version. */
function takenIn(manifests: readonly Manifest[]): (entry: ManifestEntry) => boolean {
  const hashes = new Map<string, Set<string>>();
  for (const { name, generation, hash } of manifests.flatMap((it) => [
    ...it.records,
    ...it.retired,
  ])) {
    const place = recordName(name, generation);
    hashes.set(place, (hashes.get(place) ?? new Set()).add(hash));
  }
  return ({ name, generation }) => (hashes.get(recordName(name, generation))?.size ?? 0) > 1;
}

function isSameRecord(a: VaultRecord | undefined, b: VaultRecord): boolean {
  return a?.id === b.id && a.type === b.type && sameText(a.value, b.value);
}

const sameText = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);

/** All that open one of the lines, but for those that the other has removed. */
function joinedSlots(own: Manifest, other: Manifest): Manifest['slots'] {
  const all = new Map([...other.slots, ...own.slots].map((slot) => [slot.name, slot]));
  for (const name of [...(own.removed ?? []), ...(other.removed ?? [])]) all.delete(name);
  return [...all.values()];
}
