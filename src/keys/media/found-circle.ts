/*
 * What a recovery code or a passkey finds on a medium, or in files of devices, in a browser that has followed no epoch: the circle
 * and its state, checked as far as that is possible. A medium that keeps all of an old circle is not told from one that holds the
 * newest; neither are files, where all are old.
 */
import { wipe } from '../../crypto/bytes.ts';
import { syncKeyOf } from '../circle/changes.ts';
import type { CircleParts } from '../circle/changes.ts';
import type { Circle } from '../circle/circle-record.ts';
import { EpochError, unlessEpochError } from '../circle/epoch.ts';
import type { WrappedKey } from '../circle/epoch.ts';
import type { MemberPair } from '../circle/members.ts';
import { openCircle } from '../circle/membership.ts';
import type { SharedState } from '../devices/shared-state.ts';
import { SharedStateError } from '../devices/state-text.ts';
import { deviceFileIn, openDeviceFile } from './device-file.ts';
import type { DeviceFile, OpenedDeviceFile } from './device-file.ts';
import { BOX_NAMES, haveLengths, isHalf, isOfChain, isOfOne, wrappedKeysIn } from './items.ts';
import { circleOf, openItems, stateOf } from './medium.ts';

/** Why nothing is taken of a medium, or of files. */
export type MediumFault =
  /** There is nothing. */
  | 'empty'
  /** The secret is of no member: it was replaced, or what is there is of another circle. */
  | 'unopened'
  /** It is no file of a device, or not a whole one. */
  | 'damaged'
  /** A part is missing, or of an older epoch than the rest: it has not come yet, or was put back. */
  | 'late'
  /** It shows two epochs of one number. A device on which the person chooses one settles it. */
  | 'forked'
  /** No device makes such items: they are damaged, forged, too long, or of a later version. */
  | 'refused';

/** Nothing is taken. */
export class FoundCircleError extends Error {
  override readonly name = 'FoundCircleError';
  readonly fault: MediumFault;
  /** The places of the files that are in the way; none of a medium. */
  readonly files: readonly number[];

  constructor(fault: MediumFault, files: readonly number[] = []) {
    super(`nothing is taken: ${fault}`);
    this.fault = fault;
    this.files = files;
  }
}

/** What was found. */
export interface FoundCircle {
  /** With the pair that was given. */
  readonly circle: Circle;
  readonly state: SharedState;
}

/**
 * Opens what a medium holds.
 *
 * @param texts of the medium, by name
 * @param pair of an opener, which is a part of the result
 * @throws FoundCircleError unless all items are there, of one epoch, which reaches this member
 */
export async function findCircle(
  texts: ReadonlyMap<string, string>,
  pair: MemberPair,
  parts: CircleParts,
): Promise<FoundCircle> {
  if (texts.size === 0) throw new FoundCircleError('empty');
  if (!haveLengths(texts)) throw new FoundCircleError('refused');
  const box = oneBoxOf(texts);
  const opening = () => syncKeyOf(box, pair, parts);
  const syncKey = await unlessFault(isHalf(box) ? 'late' : 'unopened', opening);
  try {
    const items = await openItems(texts, { ...box, syncKey });
    if (!items.every((item) => item !== undefined)) throw new FoundCircleError('late');
    const { links, epoch } = circleOf(items, [box]);
    if (!epoch || !isOfOne(epoch, box)) throw new FoundCircleError('refused');
    const found = { links: links.slice(0, -1), epoch };
    const circle = await unlessFault('refused', () => openCircle(found, pair, parts));
    return { circle, state: await unlessFault('refused', () => stateOf(items)) };
  } finally {
    wipe(syncKey);
  }
}

/** A file that was opened. */
export interface FoundFile extends OpenedDeviceFile {
  readonly file: DeviceFile;
  readonly state: SharedState;
}

/** What was found in files. */
export interface FoundFiles {
  /** With the pair that was given. */
  readonly circle: Circle;
  /** Those of the newest epoch. */
  readonly files: readonly FoundFile[];
  /** The places of files of earlier epochs of the same chain. Nothing is taken of them: a removed member can make such. */
  readonly older: readonly number[];
}

/**
 * Opens files of devices. A file of another chain of epochs, or of none that this secret reaches, may be the newest there is; so
 * may one that is damaged. The person leaves out what is not theirs, and nothing is taken before.
 *
 * @param given in any order
 * @param pair of an opener, which is a part of the result
 * @throws FoundCircleError unless all of them are whole, and of one chain of epochs, the newest of which reaches this member
 */
export async function findCircleInFiles(
  given: readonly Uint8Array[],
  pair: MemberPair,
  parts: CircleParts,
): Promise<FoundFiles> {
  if (given.length === 0) throw new FoundCircleError('empty');
  const [files, damaged]: [Looked[], number[]] = [[], []];
  for (const [at, bytes] of given.entries()) {
    const looked = await lookAt(bytes, pair, parts);
    if (looked) files.push({ at, ...looked });
    else damaged.push(at);
  }
  if (damaged.length > 0) throw new FoundCircleError('damaged', damaged);
  const refuse = (fault: MediumFault, isInTheWay: (each: Looked) => boolean): void => {
    const places = files.filter(isInTheWay).map(placeOf);
    if (places.length > 0) throw new FoundCircleError(fault, places);
  };
  const [newest] = files.filter(isOpened).sort((a, b) => b.file.box.number - a.file.box.number);
  if (!newest) throw new FoundCircleError('unopened', files.map(placeOf));
  const places = [newest.at];
  const { links, epoch } = newest.opened.circle;
  if (!epoch || !isOfOne(epoch, newest.file.box)) throw new FoundCircleError('refused', places);
  const opening = () => openCircle({ links: links.slice(0, -1), epoch }, pair, parts);
  const circle = await unlessFault('refused', opening, places);
  const isStrange = ({ file }: Looked): boolean => !isOfChain(circle, file.box);
  refuse('forked', (each) => isOpened(each) && isStrange(each));
  refuse('unopened', isStrange);
  const isNow = ({ file }: Looked): boolean => isOfOne(file.box, circle.epoch);
  refuse('refused', (each) => isNow(each) && !each.opened?.state);
  const found = files.filter(isNow).map(({ file, opened }) => ({ file, ...opened }) as FoundFile);
  return { circle, files: found, older: files.filter((each) => !isNow(each)).map(placeOf) };
}

/** A whole file, as far as this member can open it. */
interface Looked {
  /** Its place among those that were given. */
  readonly at: number;
  readonly file: DeviceFile;
  /** Undefined for one that is sealed for others. */
  readonly opened: OpenedDeviceFile | undefined;
}

const placeOf = ({ at }: Looked): number => at;
const isOpened = (each: Looked): each is Looked & { readonly opened: OpenedDeviceFile } =>
  each.opened !== undefined;

/** Undefined for one that is damaged. */
async function lookAt(
  bytes: Uint8Array,
  pair: MemberPair,
  parts: CircleParts,
): Promise<Omit<Looked, 'at'> | undefined> {
  const file = deviceFileIn(bytes);
  if (!file) return undefined;
  const syncKey = await unlessEpochError(syncKeyOf(file.box, pair, parts));
  if (!syncKey) return { file, opened: undefined };
  const opening = openDeviceFile(file, { ...file.box, syncKey });
  const opened = await opening.finally(() => wipe(syncKey));
  return opened && { file, opened };
}

/** What the boxes say, where they are of one epoch. */
function oneBoxOf(texts: ReadonlyMap<string, string>): WrappedKey {
  const [box, other] = wrappedKeysIn(texts);
  const isThere = BOX_NAMES.every((name) => texts.has(name));
  if (box === undefined) throw new FoundCircleError(isThere ? 'refused' : 'late');
  if (other) throw new FoundCircleError(other.number === box.number ? 'forked' : 'late');
  return box;
}

async function unlessFault<T>(
  fault: MediumFault,
  work: () => T | Promise<T>,
  files: readonly number[] = [],
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isFault = error instanceof EpochError || error instanceof SharedStateError;
    throw isFault ? new FoundCircleError(fault, files) : error;
  }
}
