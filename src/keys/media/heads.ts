/*
 * What a device remembers of the files of others, so that a folder that brings back an old one does not go unnoticed. A head is a
 * file's generation and digest. A missing file says nothing: folders are emptied, and files are chosen one by one.
 */
import { fromHex, toHex } from '../../crypto/bytes.ts';
import { DIGEST_BYTES } from '../circle/epoch.ts';
import { HEADS_MAX } from './device-file.ts';
import type { FileHead } from './device-file.ts';

/** The newest file of another device that was read. */
export interface KnownHead {
  /** 16 bytes as base64url. */
  readonly device: string;
  /** 16 bytes as hex. */
  readonly member: string;
  /** The commitment of the epoch that it was sealed in, as hex. */
  readonly epoch: string;
  readonly generation: number;
  /** As hex. */
  readonly digest: string;
}

/** The newest file that this device has made. */
export type OwnHead = Pick<KnownHead, 'device' | 'generation' | 'digest'>;

/** What a device remembers. It is JSON. */
export interface Heads {
  /** Null until it has made a file. */
  readonly own: OwnHead | null;
  readonly known: readonly KnownHead[];
  /** Devices whose files were older at the last exchange than others have read them. */
  readonly late: readonly string[];
}

/** Of a device that has neither made nor read a file. */
export const NO_HEADS: Heads = { own: null, known: [], late: [] };

/** A file that was opened. */
export interface FoundHead {
  readonly head: FileHead;
  /** Of the file, as hex. */
  readonly digest: string;
  /** The commitment of its epoch, as hex. */
  readonly epoch: string;
}

/** Where the reader stands. */
export interface Reader {
  /** Its id in the shared state, 16 bytes as base64url; null where it has none yet. */
  readonly device: string | null;
  /** The commitments of the epochs that it has followed, as hex, the newest last. */
  readonly chain: readonly string[];
  /** The ids of the members of the newest one, as hex. */
  readonly members: readonly string[];
}

/** What the files tell. Members are named by their ids, as hex. */
export interface HeadsReport {
  /** To remember from here on. */
  readonly heads: Heads;
  /** Another device writes under the id of this one: the profile was copied, or an old state of it came back. */
  readonly isCopy: boolean;
  /** Whose file is older than one that this device has read before. */
  readonly wentBack: readonly string[];
  /** Of whom two files do not follow each other: two devices write as one. */
  readonly copied: readonly string[];
  /** Whose file has been older for two exchanges than another device has read it. */
  readonly late: readonly string[];
}

/**
 * Compares the files of a folder with what this device remembers. Files of a removed member's epochs say which of them are old, and
 * are otherwise not believed: the member could still make them.
 *
 * @param found in any order; those of one device may be several, such as copies that a program left
 */
export function compareHeads(
  before: Heads,
  found: readonly FoundHead[],
  reader: Reader,
): HeadsReport {
  const { device, chain, members } = reader;
  const placeOf = (epoch: string): number => chain.lastIndexOf(epoch);
  const rank = ({ epoch, generation }: Pick<KnownHead, 'epoch' | 'generation'>): Rank => [
    placeOf(epoch),
    generation,
  ];
  const isNow = ({ epoch }: FoundHead): boolean => epoch === chain.at(-1);
  const current = found.filter(isNow);
  const own = before.own?.device === device ? before.own : null;
  const known = new Map(before.known.map((head) => [head.device, head]));
  const [wentBack, copied, late]: [Set<string>, Set<string>, Set<string>] = [
    new Set(),
    new Set(),
    new Set(),
  ];
  const lateDevices: string[] = [];
  for (const [id, files] of byDevice(found)) {
    if (id === device) continue;
    const heads = files.map(headOf).sort((a, b) => compareRanks(rank(b), rank(a)));
    const [best] = heads as [KnownHead];
    const memory = known.get(id);
    const isRemembered = memory !== undefined && placeOf(memory.epoch) >= 0;
    if (isRemembered && compareRanks(rank(best), rank(memory)) < 0) wentBack.add(best.member);
    else if (best.generation < readByOthers(current, id)) {
      lateDevices.push(id);
      if (before.late.includes(id)) late.add(best.member);
    }
    const ofNow = files.filter(isNow);
    if (isDivided(ofNow, memory)) copied.add(best.member);
    const isLater = !isRemembered || compareRanks(rank(best), rank(memory)) > 0;
    if (ofNow.length > 0 && isLater) known.set(id, best);
  }
  const kept = [...known.values()].filter((head) => members.includes(head.member));
  const isCopy = device !== null && current.some((file) => isUnknownOf(file, device, own));
  return {
    heads: { own: isCopy ? null : own, known: kept.slice(-HEADS_MAX), late: lateDevices },
    isCopy,
    wentBack: [...wentBack],
    copied: [...copied],
    late: [...late],
  };
}

/** The head of the next file of a device. @param member its id in the circle, 16 bytes */
export function nextHead({ own, known }: Heads, device: string, member: Uint8Array): FileHead {
  const last = own?.device === device ? own : null;
  const before = last ? fromHex(last.digest) : new Uint8Array(DIGEST_BYTES);
  const read = Object.fromEntries(known.map((head) => [head.device, head.generation]));
  return { member, device, generation: (last?.generation ?? 0) + 1, before, read };
}

/** The place of an epoch in the chain, then the generation. */
type Rank = readonly [place: number, generation: number];

const compareRanks = (a: Rank, b: Rank): number => a[0] - b[0] || a[1] - b[1];

function byDevice(found: readonly FoundHead[]): ReadonlyMap<string, readonly FoundHead[]> {
  const files = new Map<string, FoundHead[]>();
  for (const file of found) {
    files.set(file.head.device, [...(files.get(file.head.device) ?? []), file]);
  }
  return files;
}

const headOf = ({ head, digest, epoch }: FoundHead): KnownHead => ({
  device: head.device,
  member: toHex(head.member),
  epoch,
  generation: head.generation,
  digest,
});

/** The newest generation of a device that others say they have read. */
function readByOthers(files: readonly FoundHead[], device: string): number {
  const others = files.filter(({ head }) => head.device !== device);
  return Math.max(0, ...others.map(({ head }) => head.read[device] ?? 0));
}

/** Whether two files of one device cannot be of one line. */
function isDivided(files: readonly FoundHead[], memory: KnownHead | undefined): boolean {
  const follows = (
    later: FoundHead,
    { generation, digest }: Pick<KnownHead, 'generation' | 'digest'>,
  ) => {
    if (later.head.generation === generation) return later.digest === digest;
    return later.head.generation !== generation + 1 || toHex(later.head.before) === digest;
  };
  const earlier = [...files.map(headOf), ...(memory ? [memory] : [])];
  return files.some((file) => earlier.some((head) => !follows(file, head)));
}

/** Whether a file shows a generation of this device that it has not made. */
function isUnknownOf({ head, digest }: FoundHead, device: string, own: OwnHead | null): boolean {
  const last = own?.generation ?? 0;
  if (head.device !== device) return (head.read[device] ?? 0) > last;
  return head.generation > last || (head.generation === last && digest !== own?.digest);
}
