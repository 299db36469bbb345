import { fromHex, toHex, wipe } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import { CIRCLE, DEVICE, DEVICE_FILES } from '../../keys/annotations/deletions.ts';
import { syncKeyOf, type CircleParts } from '../../keys/circle/changes.ts';
import { circleOf, circleRecord, type Circle } from '../../keys/circle/circle-record.ts';
import { hasMember, unlessEpochError } from '../../keys/circle/epoch.ts';
import { wipePair } from '../../keys/circle/members.ts';
import {
  circleIn,
  publicCircleIn,
  withOwnOpenersIn,
  type LeftChanges,
} from '../../keys/circle/membership.ts';
import { areOpenersDueIn } from '../../keys/circle/openers.ts';
import { deviceOf, deviceRecord } from '../../keys/devices/device-record.ts';
import { shareIn } from '../../keys/devices/device.ts';
import { SharedStateError } from '../../keys/devices/state-text.ts';
import {
  DEVICE_FILE_MAX_BYTES,
  deviceFileIn,
  deviceFileName,
  openDeviceFile,
  sealDeviceFile,
  type DeviceFile,
  type OpenedDeviceFile,
} from '../../keys/media/device-file.ts';
import type { FoundFiles } from '../../keys/media/found-circle.ts';
import {
  compareHeads,
  nextHead,
  NO_HEADS,
  type FoundHead,
  type Heads,
  type HeadsReport,
  type Reader,
} from '../../keys/media/heads.ts';
import { isOfChain, isOfOne } from '../../keys/media/items.ts';
import type { Locks } from '../../keys/storage/key-value-store.ts';
import { sameJson, type Json } from '../../keys/values/json.ts';
import type { VaultRecord } from '../../keys/values/record.ts';
import { readOf, type VaultDraft } from '../../keys/vault/vault.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { Sharing } from '../sharing/sharing.ts';
import { commitMerging, sharingParts, type MergingParts } from '../vault/merged-states.ts';
import {
  compareEpoch,
  nameOf,
  refusing,
  takeIn,
  withLeftIn,
  withoutOthers,
  type Taken,
} from './taking.ts';

/** What an exchange by files works with. */
export interface FileExchangeDeps extends MergingParts {
  readonly locks: Locks;
  readonly sharing: Pick<Sharing, 'epochParts'>;
}

/** A member as which two devices write. */
export interface Copy {
  /** 16 bytes as hex. */
  readonly id: string;
  /** When this device noticed it, ms since the epoch. */
  readonly at: number;
}

/** What became of the files that were given. */
export interface FilesReport {
  /** The members whose files were read, by their ids as hex: all that they hold is here now. */
  readonly taken: readonly string[];
  /** How many others were not taken, and why. */
  readonly notTaken: {
    /** They are no files of a device, or are damaged. */
    readonly damaged: number;
    /** They are sealed for other devices: this one was removed, or they are of another circle. */
    readonly unreached: number;
    /** Of a list of devices that this device, or its person, has left behind. Their devices will follow. */
    readonly older: number;
    /** They hold what this version does not know, or what no device makes. */
    readonly refused: number;
  };
  /** The epoch of another list of devices, its commitment as hex, between which and the own one the person chooses. */
  readonly other: string | null;
  /** What the heads tell; members by their ids as hex. Of copies the state tells, until the person has read it. */
  readonly told: Pick<HeadsReport, 'wentBack' | 'late'>;
  /** Whether the file of this device is missing among them, or lacks something that this device has, such as a new code. */
  readonly isDue: boolean;
}

/** The file of this device. */
export interface MadeFile {
  /** By which it overwrites the one before it. */
  readonly name: string;
  readonly file: Uint8Array;
}

/** In the vault. */
interface Kept {
  readonly heads: Heads;
  /** Commitments, as hex, of epochs that the person has chosen against. */
  readonly refused: readonly string[];
  /** What the person has not read yet. */
  readonly copies: readonly Copy[];
  /** ms since the epoch; null for never. */
  readonly takenAt: number | null;
  readonly madeAt: number | null;
}

const LOCK = 'sealwright device files';
const NOTHING_KEPT: Kept = {
  heads: NO_HEADS,
  refused: [],
  copies: [],
  takenAt: null,
  madeAt: null,
};

/**
 * The exchange of this device with others by files (docs/design/devices.md): a folder, or the person, carries them. Each call is
 * one that the person, or the manager for them, makes; nothing runs by itself. A worker may end at any await: a commit takes all
 * or nothing, and a file that was made and never stored is followed by the next one.
 */
export class FileExchange {
  readonly #deps: FileExchangeDeps;

  constructor(deps: FileExchangeDeps) {
    this.#deps = deps;
  }

  /** @throws VaultError LOCKED */
  async state(): Promise<Pick<Kept, 'copies' | 'takenAt' | 'madeAt'>> {
    return keptIn(await this.#deps.vault.read(DEVICE_FILES));
  }

  /**
   * Makes the file of this device, with all that it shares now. Its own openers reach it: where they are not yet those of the
   * circle, it makes the next epoch in the same commit.
   *
   * @throws SealwrightError INVALID_ARGUMENT for a device without others; TOO_LARGE for more than a file takes. VaultError as a
   *   commit does
   */
  async make(): Promise<MadeFile> {
    const { vault, random, now, locks } = this.#deps;
    const sharing = await sharingParts(this.#deps);
    const parts = await this.#deps.sharing.epochParts();
    const making = (draft: VaultDraft) =>
      withCircle(draft, async (followed) => {
        const circle = await withOwnOpenersIn(draft, followed, parts);
        if (circle !== followed) draft.put(circleRecord(circle));
        const { pair, links, epoch } = circle;
        const state = await shareIn(draft, sharing);
        const { id } = deviceOf((await draft.get(DEVICE))!);
        const kept = keptIn(await draft.get(DEVICE_FILES));
        const head = nextHead(kept.heads, id!, pair.id);
        const syncKey = await syncKeyOf(epoch, pair, parts);
        const sealing = sealDeviceFile({ links, epoch, state, syncKey }, head, random);
        const file = await sealing.finally(() => wipe(syncKey));
        if (file.length > DEVICE_FILE_MAX_BYTES) {
          throw new SealwrightError('TOO_LARGE', 'There is too much in the vault for a file');
        }
        const { device, generation } = head;
        const own = { device, generation, digest: toHex(sha256(file)) };
        putKept(draft, { ...kept, heads: { ...kept.heads, own }, madeAt: Math.trunc(now()) });
        return { name: deviceFileName(device), file };
      });
    return locks.exclusive(LOCK, () => vault.commit(making));
  }

  /**
   * Takes what files of other devices hold. All of them together, so that those of one device are compared with each other.
   *
   * @param files in any order; also this device's own, and files that are of no device
   * @throws SealwrightError INVALID_ARGUMENT for a device without others. VaultError as a commit does
   */
  take(files: readonly Uint8Array[]): Promise<FilesReport> {
    return this.#deps.locks.exclusive(LOCK, () => this.#take(files));
  }

  /**
   * Takes files after the person has said which of two lists of devices holds.
   *
   * @param other the epoch that was told (`FilesReport.other`)
   * @param holds 'other' goes on with it, which only one that reaches this device allows
   * @throws as `take` does
   */
  choose(
    files: readonly Uint8Array[],
    other: string,
    holds: 'own' | 'other',
  ): Promise<FilesReport> {
    return this.#deps.locks.exclusive(LOCK, async () => {
      if (holds === 'other') return this.#take(files, other);
      await this.#deps.vault.commit(async (draft) => {
        const kept = keptIn(await draft.get(DEVICE_FILES));
        putKept(draft, { ...kept, refused: refusing(kept.refused, [other]) });
      });
      return this.#take(files);
    });
  }

  /** The person has read as whom two devices write. @throws VaultError as a commit does */
  async readCopies(): Promise<void> {
    const { vault, locks } = this.#deps;
    const reading = async (draft: VaultDraft) => {
      const kept = keptIn(await draft.get(DEVICE_FILES));
      if (kept.copies.length > 0) putKept(draft, { ...kept, copies: [] });
    };
    await locks.exclusive(LOCK, () => vault.commit(reading));
  }

  async #take(given: readonly Uint8Array[], accepted?: string): Promise<FilesReport> {
    const { vault } = this.#deps;
    if (!(await publicCircleIn(readOf(vault)))) throw withoutOthers();
    const record = (await vault.read(CIRCLE))!;
    const own = circleOf(record);
    const keys: Uint8Array[] = [];
    try {
      const crypto = await this.#deps.sharing.epochParts();
      const parsed = given.flatMap((bytes) => deviceFileIn(bytes) ?? []);
      const files = [...new Map(parsed.map((file) => [toHex(file.digest), file])).values()];
      const kept = keptIn(await vault.read(DEVICE_FILES));
      const followed = await this.#follow(files, { own, crypto, kept, accepted, keys });
      const { circle, syncKey, other, unread, left, redone } = followed;
      const opened: Opened[] = [];
      const notTaken = {
        damaged: given.length - parsed.length,
        unreached: 0,
        older: 0,
        refused: 0,
      };
      for (const file of files) {
        const isNow = isOfOne(file.box, circle.epoch);
        const key = isNow ? syncKey : await this.#olderKey(file, { circle, own, crypto });
        if (key && !isNow) keys.push(key);
        const contents = key && (await openDeviceFile(file, { ...file.box, syncKey: key }));
        if (contents) opened.push({ ...contents, file, isNow });
        if (isNow && !contents) notTaken.damaged++;
        const kind = unread.get(file) ?? 'older';
        if (!isNow && kind !== 'waiting') notTaken[kind]++;
      }
      const current = opened.filter(({ isNow }) => isNow);
      const present = presentIn(current, circle);
      const stored = await vault.read(DEVICE);
      const device = stored ? deviceOf(stored).id : null;
      const told = compareHeads(kept.heads, opened.map(foundHead), readerOf(circle, device));
      const copied = told.isCopy ? [...told.copied, toHex(own.pair.id)] : told.copied;
      const parts = {
        ...{ record, known: own.epoch, circle, present, redone, crypto },
        ...{ before: kept, heads: told.heads, copied },
        copiedId: told.isCopy ? device : null,
        refused: left.length > 0 ? refusing(kept.refused, left, accepted) : kept.refused,
      };
      const sound = current.filter(({ state }) => state !== undefined);
      const { taken, id, isDue } = await this.#commitAll(sound, parts);
      notTaken.refused = current.length - taken.length;
      const others = taken.filter(({ head }) => head.device !== id);
      const { wentBack, late } = told;
      return {
        taken: [...new Set(others.map(({ head }) => toHex(head.member)))],
        notTaken,
        other: other ?? null,
        told: { wentBack, late },
        isDue,
      };
    } finally {
      wipe(...keys);
      wipePair(own.pair);
    }
  }

  /**
   * The circle that this device goes on with. Where two lists of devices differ, no other one than the own is taken until the
   * person chooses; after that those that differ from the chosen one are refused.
   */
  async #follow(
    files: readonly DeviceFile[],
    { own, crypto, kept, accepted, keys }: Following,
  ): Promise<Followed> {
    const compare = (file: DeviceFile, circle: Circle) =>
      compareEpoch(file.box, {
        ...{ own: circle, crypto, accepted },
        async open(key) {
          const opened = await openDeviceFile(file, key);
          return { links: opened?.circle.links ?? [], epoch: opened?.circle.epoch, isWhole: true };
        },
      });
    const first = { circle: own, syncKey: await syncKeyOf(own.epoch, own.pair, crypto) };
    keys.push(first.syncKey);
    const unread = new Map<DeviceFile, Unread>();
    let newest: Way = first;
    let isChosen = false;
    const redone: LeftChanges[] = [];
    const others: string[] = [];
    const { number: oldest } = own.links[0] ?? own.epoch;
    const isTheChosen = ({ box }: DeviceFile): boolean => nameOf(box) === accepted;
    // Of an epoch before all that this device remembers nothing is to be said.
    const unknown = files.filter(
      (file) =>
        !isOfChain(own, file.box) &&
        file.box.number >= oldest &&
        (isTheChosen(file) || !kept.refused.includes(nameOf(file.box))),
    );
    // The one that the person has chosen comes first, then the newest: the others are compared with it.
    unknown.sort(
      (a, b) => Number(isTheChosen(b)) - Number(isTheChosen(a)) || b.box.number - a.box.number,
    );
    for (const file of unknown) {
      if (isOfChain(newest.circle, file.box)) continue;
      const found = await compare(file, newest.circle);
      if (found.kind === 'newer') {
        keys.push(found.syncKey);
        newest = found;
        isChosen ||= isTheChosen(file);
        if (found.left) redone.push(found.left);
      } else if (found.kind === 'settled') unread.set(file, 'older');
      else if (found.kind === 'forked') others.push(found.other);
      else unread.set(file, found.kind === 'late' ? 'damaged' : 'unreached');
    }
    if (isChosen) {
      const isLeft = !isOfChain(newest.circle, own.epoch);
      const left = isLeft ? [...others, nameOf(own.epoch)] : others;
      return { ...newest, other: undefined, unread, left, redone };
    }
    const [other] = others;
    if (other === undefined) return { ...newest, other, unread, left: [], redone };
    for (const file of unknown) if (!unread.has(file)) unread.set(file, 'waiting');
    return { ...first, other, unread, left: [], redone: [] };
  }

  /** The sync key of an epoch before the newest one, by which the head of a file that was not written anew is read. */
  async #olderKey(
    { box }: DeviceFile,
    { circle, own, crypto }: Pick<Following, 'own' | 'crypto'> & Pick<Way, 'circle'>,
  ): Promise<Uint8Array | undefined> {
    return isOfChain(circle, box) ? unlessEpochError(syncKeyOf(box, own.pair, crypto)) : undefined;
  }

  /** Takes the states of all files. One that was forged, or is of a later version, does not keep the others out. */
  async #commitAll(files: readonly Opened[], parts: Parts): Promise<Committed> {
    try {
      return await this.#commit(files, parts);
    } catch (error) {
      if (!(error instanceof SharedStateError)) throw error;
    }
    const taken: Opened[] = [];
    for (const file of files) {
      try {
        await this.#commit([file], parts);
        taken.push(file);
      } catch (error) {
        if (!(error instanceof SharedStateError)) throw error;
      }
    }
    return this.#commit(taken, parts);
  }

  /** Takes states, and what the heads tell. It may be repeated. */
  #commit(files: readonly Opened[], parts: Parts): Promise<Committed> {
    const { now } = this.#deps;
    const { heads, copied, before, copiedId, refused, redone, crypto, ...taking } = parts;
    const at = Math.trunc(now());
    return commitMerging(this.#deps, async (draft, mergeRevokingIn) => {
      const record = await draft.get(DEVICE);
      // Before this device gives numbers to what it has changed: they would be those of its copy.
      if (record && copiedId !== null && deviceOf(record).id === copiedId) {
        draft.put(deviceRecord({ ...deviceOf(record), id: null }));
      }
      const states = files.map(({ state }) => state!);
      const device = await takeIn(draft, mergeRevokingIn, { ...taking, states }, now());
      if (!device) throw withoutOthers();
      const unread = before.copies.filter(({ id }) => !copied.includes(id));
      const copies = [...unread, ...copied.map((id) => ({ id, at }))];
      putKept(draft, { ...before, heads, refused, copies, takenAt: at });
      const { pair, epoch } = await withLeftIn(draft, taking.circle, redone, crypto);
      const isNow = isOfOne(epoch, taking.circle.epoch);
      const isStored = (file: Opened) => isOwn(file, heads) && sameJson(file.state, device.state);
      const isDue =
        !isNow || !files.some(isStored) || (await areOpenersDueIn(draft, pair, epoch.members));
      return { taken: files, id: device.id!, isDue };
    });
  }
}

/** A circle, and the sync key of its newest epoch. */
interface Way {
  readonly circle: Circle;
  readonly syncKey: Uint8Array;
}

/** What files are compared with. */
interface Following {
  readonly own: Circle;
  readonly crypto: CircleParts;
  readonly kept: Kept;
  readonly accepted: string | undefined;
  /** Sync keys, which the caller wipes. */
  readonly keys: Uint8Array[];
}

interface Followed extends Way {
  /** The epoch between which and the own one the person chooses. */
  readonly other: string | undefined;
  /** Files of epochs that this device has not followed. */
  readonly unread: ReadonlyMap<DeviceFile, Unread>;
  /** Epochs that the person has chosen against. */
  readonly left: readonly string[];
  /** What this device makes anew of chains that hold no more, as all devices decide. */
  readonly redone: readonly LeftChanges[];
}

/** Why a file was not read: `waiting` until the person chooses. */
type Unread = keyof FilesReport['notTaken'] | 'waiting';

interface Opened extends OpenedDeviceFile {
  readonly file: DeviceFile;
  /** Whether it is of the newest epoch. */
  readonly isNow: boolean;
}

/** What a commit works with. */
interface Parts extends Omit<Taken, 'states'> {
  readonly heads: Heads;
  /** Members as which two devices write, as hex. */
  readonly copied: readonly string[];
  /** The id of this device, where another one writes under it; else null. */
  readonly copiedId: string | null;
  readonly redone: readonly LeftChanges[];
  readonly crypto: CircleParts;
  /** What was kept before, and what is refused from here on. */
  readonly before: Kept;
  readonly refused: Kept['refused'];
}

interface Committed {
  readonly taken: readonly Opened[];
  /** The id of this device. */
  readonly id: string;
  readonly isDue: boolean;
}

async function withCircle<T>(draft: VaultDraft, work: (circle: Circle) => Promise<T>): Promise<T> {
  const circle = await circleIn(draft);
  if (!circle) throw withoutOthers();
  try {
    return await work(circle);
  } finally {
    wipePair(circle.pair);
  }
}

/**
 * Remembers, within the commit that makes a vault of files, which files they were, so that older ones are told later.
 *
 * @param at ms since the epoch
 */
export function keepFoundIn(draft: VaultDraft, { circle, files }: FoundFiles, at: number): void {
  const { heads, copied } = compareHeads(NO_HEADS, files.map(foundHead), readerOf(circle, null));
  const copies = copied.map((id) => ({ id, at }));
  putKept(draft, { ...NOTHING_KEPT, heads, copies, takenAt: at });
}

const readerOf = ({ links, epoch }: Circle, device: string | null): Reader => ({
  device,
  chain: [...links, epoch].map(nameOf),
  members: epoch.members.map(({ id }) => toHex(id)),
});

const foundHead = ({ head, file }: Pick<Opened, 'head' | 'file'>): FoundHead => ({
  head,
  digest: toHex(file.digest),
  epoch: nameOf(file.box),
});

/** The members that have written files of the newest epoch, as hex. */
const presentIn = (files: readonly Opened[], { epoch }: Circle): string[] =>
  files.map(({ head }) => toHex(head.member)).filter((id) => hasMember(epoch, fromHex(id)));

const isOwn = ({ file }: Opened, { own }: Heads): boolean => own?.digest === toHex(file.digest);

const keptIn = (record: VaultRecord | undefined): Kept =>
  (record?.value as unknown as Kept | undefined) ?? NOTHING_KEPT;

function putKept(draft: VaultDraft, kept: Kept): void {
  const value = kept as unknown as Json;
  draft.put({ id: DEVICE_FILES, type: DEVICE_FILES, value });
}
