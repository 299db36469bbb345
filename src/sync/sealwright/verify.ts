import { utf8 } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import type { Awaitable } from '../../engine/contract.ts';
import { EnvelopeError } from '../../format/errors.ts';
import { SyncError, TooManyError } from '../errors.ts';
import {
  chunkId,
  decodeChunk,
  decodeHead,
  headId,
  MAX_CHUNK_CHARACTERS,
  readHeadId,
  type Chunk,
  type Digest,
  type Entry,
  type Head,
} from './head-layout.ts';
import { MAX_DEVICES, type HeadMark, type Leaf, type OwnList } from './own-list.ts';

/** A record, a head or a chunk, as the server has it. */
export interface StoredItem {
  readonly id: string;
  /** In UTF-8; empty: it is not there. */
  readonly payload: Uint8Array;
}

/** What a verification needs of cryptography. */
export interface VerifyCrypto {
  /** Of texts in UTF-8, in their order. */
  readonly digests: (texts: readonly Uint8Array[]) => Awaitable<readonly Digest[]>;
  /** The content of a head or a chunk. @throws EnvelopeError, OtherKeyError, AuthenticationError */
  readonly open: (item: StoredItem) => Promise<Uint8Array>;
  /** The generations of records, in their order; undefined: it does not open. */
  readonly generations: (
    records: readonly StoredItem[],
  ) => Promise<readonly (number | undefined)[]>;
}

/** What a verification found. */
export interface Report {
  /** Whether all is there that a head knows, and every head follows the last one seen. */
  readonly ok: boolean;
  /** Ids of records, heads and chunks that are not there, as far as this device knows them. */
  readonly missing: readonly string[];
  /** Of all that are not there. */
  readonly missingCount: number;
  /** Ids of records and heads that are there in an older version. */
  readonly rolledBack: readonly string[];
  /** Whether a device has two heads of which neither follows the other. */
  readonly forked: boolean;
  /** How many records are there that no head knows in this version. */
  readonly unconfirmed: number;
}

/** The highest generation of a record in all heads. */
interface Known {
  readonly generation: number;
  /** More than one where devices wrote at once; null: deleted. */
  readonly records: (Digest | null)[];
}

/** A head that opened, and its place. */
interface ShownHead extends HeadMark {
  readonly head: Head;
}

/** What the server has of one device. */
interface Shown {
  /** The newest first. */
  readonly heads: ShownHead[];
  /** Whether a head is there that does not open. */
  hasDamagedHead: boolean;
  /** By the ids of the chunks, more than one where a server has several with one id. */
  readonly chunks: Map<string, { readonly item: StoredItem; readonly digest: Digest }[]>;
}

/**
 * Compares what a server has with all that the heads of all devices know.
 *
 * @param list what this device keeps; it comes back with the heads that were seen
 * @param heads heads and chunks of all devices, in any order
 * @param at ms since the epoch
 * @param newDevice draws the name of a device, for one whose profile was copied
 * @throws OtherKeyError for a head under a key that is not here; SyncError BAD_RECORD for one of a later version,
 *   BAD_CLEARTEXT for an id that is not that of a head or a chunk; TooManyError for more than MAX_DEVICES devices
 */
export async function verify(
  list: OwnList,
  records: readonly StoredItem[],
  heads: readonly StoredItem[],
  at: number,
  crypto: VerifyCrypto,
  newDevice: () => string,
): Promise<{ readonly report: Report; readonly list: OwnList }> {
  const shown = await shownDevices(heads, crypto);
  const marks = comparedHeads(list, shown);
  const { known, lostChunks } = await knownRecords(list, shown, crypto);
  const found = await comparedRecords(known, records, crypto);

  const names = namesOf(list, found.names);
  const lost = found.lost.flatMap((id) => names.get(id) ?? []);
  const missing = [...marks.missing, ...lostChunks, ...lost];
  const missingCount = marks.missing.length + lostChunks.length + found.lost.length;
  const rolledBack = [...marks.rolledBack, ...found.rolledBack];
  const { forked, isOwnForked, seen } = marks;
  const ok = missingCount === 0 && rolledBack.length === 0 && !forked;
  const report = { ok, missing, missingCount, rolledBack, forked, unconfirmed: found.unconfirmed };

  const own = shown.get(list.device);
  const leaves = list.leaves.map((leaf, number) =>
    withDeletions(asStored(leaf, own?.chunks.get(chunkId(list.device, number))), known, found, at),
  );
  const after = { ...list, seen, leaves };
  return { report, list: isOwnForked ? asNewDevice(after, newDevice()) : after };
}

/** What the server has, by device. */
async function shownDevices(
  items: readonly StoredItem[],
  { digests, open }: VerifyCrypto,
): Promise<ReadonlyMap<string, Shown>> {
  const shown = new Map<string, Shown>();
  const digestsOf = await digests(items.map(({ payload }) => payload));
  const addItem = async (item: StoredItem, digest: Digest): Promise<void> => {
    const place = readHeadId(item.id);
    if (!place) throw new SyncError('BAD_CLEARTEXT', 'heads: expected heads and chunks');
    const device: Shown = shown.get(place.device) ?? {
      heads: [],
      hasDamagedHead: false,
      chunks: new Map(),
    };
    shown.set(place.device, device);
    if (place.number !== undefined) {
      device.chunks.set(item.id, [...(device.chunks.get(item.id) ?? []), { item, digest }]);
      return;
    }
    const head = await opened(item, open, decodeHead);
    if (head) device.heads.push({ head, count: head.count, digest });
    else device.hasDamagedHead = true;
  };
  await Promise.all(items.map((item, i) => addItem(item, digestsOf[i]!)));
  for (const { heads } of shown.values()) heads.sort((a, b) => b.count - a.count);
  return shown;
}

/** @returns undefined for what is not authentic here */
async function opened<T>(
  item: StoredItem,
  open: VerifyCrypto['open'],
  decode: (content: Uint8Array) => T,
): Promise<T | undefined> {
  if (item.payload.length > MAX_CHUNK_CHARACTERS) return undefined;
  try {
    return decode(await open(item));
  } catch (error) {
    if (error instanceof AuthenticationError || error instanceof EnvelopeError) return undefined;
    throw error;
  }
}

/** How the heads that are there follow those that were seen last. */
function comparedHeads(list: OwnList, shown: ReadonlyMap<string, Shown>) {
  const missing: string[] = [];
  const rolledBack: string[] = [];
  const seen: Record<string, HeadMark> = { ...list.seen };
  let forked = false;
  let isOwnForked = false;
  for (const device of new Set([...Object.keys(list.seen), ...shown.keys()])) {
    const { heads = [], hasDamagedHead = false } = shown.get(device) ?? {};
    const last = list.seen[device];
    const [newest, ...others] = heads;
    if (!newest) {
      if (last || hasDamagedHead) missing.push(headId(device));
      continue;
    }
    if (last && newest.count < last.count) rolledBack.push(headId(device));
    else seen[device] = { count: newest.count, digest: newest.digest };
    const before = last && newest.count >= last.count ? [last, ...others] : others;
    const isOwn = device === list.device && isOfCopy(list, newest);
    isOwnForked ||= isOwn;
    forked ||= isOwn || before.some((mark) => !follows(newest, mark));
  }
  if (Object.keys(seen).length > MAX_DEVICES) {
    throw new TooManyError(`heads: of at most ${MAX_DEVICES} devices`);
  }
  return { missing, rolledBack, forked, isOwnForked, seen };
}

/** Whether a head is the other one or comes after it, as far as it says what it follows. */
function follows({ head, digest }: ShownHead, before: HeadMark): boolean {
  const distance = head.count - before.count;
  return (distance === 0 ? digest : (head.before[distance - 1] ?? before.digest)) === before.digest;
}

/** Whether a head of this device was not made here: its profile was copied, or put back from a copy. */
function isOfCopy({ count, heads }: OwnList, shown: HeadMark): boolean {
  const distance = count - shown.count;
  return distance < 0 || (heads[distance] ?? shown.digest) !== shown.digest;
}

/** What all heads know, and the chunks that they list and that are not there. */
async function knownRecords(
  list: OwnList,
  shown: ReadonlyMap<string, Shown>,
  { open }: VerifyCrypto,
): Promise<{ readonly known: ReadonlyMap<Digest, Known>; readonly lostChunks: string[] }> {
  const lostChunks: string[] = [];
  const listed = [...shown].flatMap(
    ([
      device,
      {
        heads: [newest],
        chunks,
      },
    ]) =>
      (newest?.head.chunks ?? []).map(async (digest, number) => {
        const id = chunkId(device, number);
        const there = chunks.get(id) ?? [];
        const chunk = await listedChunk(newest!.head, digest, there, open);
        if (!chunk) lostChunks.push(id);
        return chunk?.entries ?? [];
      }),
  );
  const own = list.leaves.map(({ entries }) => entries);
  const known = new Map<Digest, Known>();
  for (const entries of [...own, ...(await Promise.all(listed))]) {
    for (const entry of entries) learn(known, entry);
  }
  return { known, lostChunks };
}

/**
 * The chunk that a head lists, or a later one: a device stores its chunks before its head, so that there may be one of which
 * the head is not stored yet. It knows all that the earlier one knew.
 */
async function listedChunk(
  head: Head,
  listed: Digest,
  there: readonly { readonly item: StoredItem; readonly digest: Digest }[],
  open: VerifyCrypto['open'],
): Promise<Chunk | undefined> {
  const same = there.find(({ digest }) => digest === listed);
  if (same) return opened(same.item, open, decodeChunk);
  for (const { item } of there) {
    const chunk = await opened(item, open, decodeChunk);
    if (chunk && chunk.count > head.count && chunk.before.includes(listed)) return chunk;
  }
  return undefined;
}

function learn(known: Map<Digest, Known>, { id, record, generation }: Entry): void {
  const before = known.get(id);
  if (!before || generation > before.generation) known.set(id, { generation, records: [record] });
  else if (generation === before.generation && !before.records.includes(record)) {
    before.records.push(record);
  }
}

/** What of the known records is there. */
async function comparedRecords(
  known: ReadonlyMap<Digest, Known>,
  records: readonly StoredItem[],
  { digests, generations }: VerifyCrypto,
) {
  const ids = await digests(records.map(({ id }) => utf8(id)));
  const payloads = await digests(records.map(({ payload }) => payload));
  const names = new Map<Digest, string>();
  const there = new Set<Digest>();
  const others: number[] = [];
  let unconfirmed = 0;
  records.forEach(({ id, payload }, i) => {
    const digest = ids[i]!;
    names.set(digest, id);
    if (payload.length === 0) return;
    const { records: versions } = known.get(digest) ?? {};
    if (!versions) unconfirmed++;
    else if (versions.includes(payloads[i]!)) there.add(digest);
    else others.push(i);
  });
  const opened = await generations(others.map((i) => records[i]!));
  const rolledBack: string[] = [];
  others.forEach((i, at) => {
    const generation = opened[at];
    if (generation === undefined) return;
    there.add(ids[i]!);
    if (generation < known.get(ids[i]!)!.generation) rolledBack.push(records[i]!.id);
    else unconfirmed++;
  });
  const lost = [...known].flatMap(([id, { records: versions }]) =>
    there.has(id) || versions.includes(null) ? [] : [id],
  );
  return { there, lost, rolledBack, unconfirmed, names };
}

/** Ids that this device wrote, and those that the caller named. */
function namesOf({ leaves }: OwnList, given: ReadonlyMap<Digest, string>): Map<Digest, string> {
  const own = leaves.flatMap(({ entries }) =>
    entries.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name] as const])),
  );
  return new Map([...own, ...given]);
}

/** A leaf, which is due where the server lacks its chunk. */
function asStored(leaf: Leaf, there: readonly { readonly digest: Digest }[] = []): Leaf {
  const isThere = there.some(({ digest }) => digest === leaf.versions[0]);
  return { ...leaf, isDue: leaf.isDue || !isThere };
}

/**
 * Takes over what other devices have deleted: their lists drop a deletion after DELETION_MS, and this one would miss the
 * record then.
 */
function withDeletions(
  leaf: Leaf,
  known: ReadonlyMap<Digest, Known>,
  { there }: { readonly there: ReadonlySet<Digest> },
  at: number,
): Leaf {
  const isDeleted = ({ id, record }: Entry): boolean =>
    record !== null && !there.has(id) && known.get(id)!.records.includes(null);
  if (!leaf.entries.some(isDeleted)) return leaf;
  const entries = leaf.entries.map((entry) => {
    if (!isDeleted(entry)) return entry;
    const { generation } = known.get(entry.id)!;
    return { ...entry, record: null, generation, deletedAt: at };
  });
  return { ...leaf, entries, isDue: true };
}

/** The list under another name, of which nothing is stored yet. */
function asNewDevice(list: OwnList, device: string): OwnList {
  const leaves = list.leaves.map((leaf) => ({ ...leaf, versions: [], isDue: true }));
  return { ...list, device, count: 0, heads: [], leaves };
}
