/*
 * A shared state and its circle on a medium: what a device reads there, and what it writes. A medium holds a state and never
 * a log: each device merges what it reads, and writes what is missing there. So items may come in any order, late, in part,
 * or not at all, and what others have overwritten comes back.
 */
import { concat, toHex, utf8, wipe } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import type { RandomSource } from '../../random/contract.ts';
import { CONTACT } from '../annotations/contact.ts';
import { EpochError, parseLink, withKeys } from '../circle/epoch.ts';
import type { Epoch, EpochLink, WrappedKey } from '../circle/epoch.ts';
import { PERSISTENT_KEY } from '../ring/persistent-key.ts';
import { sameJson } from '../values/json.ts';
import { mergeOfDevices } from '../devices/local-changes.ts';
import { changesOf, EMPTY_STATE, numbersIn, union } from '../devices/shared-state.ts';
import type { SharedState, VersionVector } from '../devices/shared-state.ts';
import { requireParts } from '../devices/state-text.ts';
import { encodeContent } from './entry-bytes.ts';
import type { Content } from './entry-bytes.ts';
import { boxesOf, BOXES, isOfOne, ITEM_NAMES, ITEMS, openItem, roomOf, sealItem } from './items.ts';
import type { Item, ItemKey } from './items.ts';
import { placed, POSITIONS, rangeOf, unitsIn } from './packing.ts';

/** The medium cannot be read or written now. What is in the vault stays there, and is written later. */
export class MediumError extends Error {
  override readonly name = 'MediumError';
}

/** The person has not allowed that items leave this device, or allows it no more. What is in the vault stays there. */
export class ForbiddenMediumError extends MediumError {}

/**
 * A medium that other devices of the person see, such as `storage.sync`. What it gives may be old, in part, or forged. Its
 * methods throw MediumError.
 */
export interface Medium {
  /** All items of ITEM_NAMES that it has, by name. */
  read(): Promise<ReadonlyMap<string, string>>;
  /** Replaces one item. @throws ForbiddenMediumError */
  write(name: string, text: string): Promise<void>;
  /** Removes all items. */
  clear(): Promise<void>;
}

/** Sealed items in their order; undefined in a place without one of this epoch. */
export type OpenedItems = readonly (Item | undefined)[];

/** What a device keeps on a medium. */
export interface MediumContents {
  /** The newest epoch, and its sync key. */
  readonly epoch: Epoch;
  readonly syncKey: Uint8Array;
  /** The epochs before it, by which those find the way who slept; the newest last. */
  readonly links: readonly EpochLink[];
  /** After the merge with what the medium holds. */
  readonly state: SharedState;
  /** Ids of the members that are known to have been here: this one, and those that the medium names (`circleOf`). */
  readonly present: readonly Uint8Array[];
}

/** What a device writes on a medium, and what of its room is taken. */
export interface MediumChanges {
  /** By the name of the item. None where the medium holds all. */
  readonly writes: ReadonlyMap<string, string>;
  /** Names of entries for which there is no room: they go by file. */
  readonly leftOut: readonly string[];
  /** Bytes that are taken, of all that there is room for. */
  readonly usedBytes: number;
  readonly roomBytes: number;
}

/** The share of the room from which on the person hears that it becomes scarce. */
export const NEARLY_FULL = 0.7;
/** Epochs before the newest one that a medium keeps, at most. */
export const LINKS_KEPT = 2;

/** Opens the items of an epoch. @param texts of the medium, by name */
export function openItems(texts: ReadonlyMap<string, string>, key: ItemKey): Promise<OpenedItems> {
  const names = ITEM_NAMES.slice(BOXES);
  return Promise.all(names.map((name, at) => openItem(at, texts.get(name), key)));
}

/**
 * What the items hold of the shared state. Its `seen` says what is complete: only that of which no item is missing.
 *
 * @throws SharedStateError for entries that no device makes
 */
export function stateOf(items: OpenedItems): SharedState {
  const present = items.filter((item) => item !== undefined);
  const states = present.map(({ contents }): SharedState => {
    const entries = [...contents].flatMap(([name, content]) =>
      'entry' in content ? [[name, content.entry] as const] : [],
    );
    return { seen: {}, entries: Object.fromEntries(entries) };
  });
  const { entries } = states.reduce(mergeOfDevices, EMPTY_STATE);
  const state = { seen: completeIn(present), entries };
  requireParts(state);
  return state;
}

/**
 * The epochs among the items of any medium, the oldest first, the newest one with its keys where all of it is there, and of its
 * members those that have been here since it was made, as hex.
 *
 * @param boxes what is there of wraps
 */
export function circleOf(items: OpenedItems, boxes: readonly WrappedKey[]): CircleOnMedium {
  const parts = new Map(items.flatMap((item) => [...(item?.contents ?? [])]).flatMap(partOf));
  const links = [...parts].flatMap(([name, bytes]) =>
    name.startsWith(`${LINK} `) ? (unlessEpochError(() => parseLink(bytes)) ?? []) : [],
  );
  links.sort((a, b) => a.number - b.number);
  const newest = links.at(-1);
  const wrapped = boxes.find((it) => newest && isOfOne(it, newest));
  const keys = newest?.members.map(({ id }) => parts.get(memberName(id)) ?? NO_BYTES) ?? [];
  const all = concat(...keys, ...(wrapped?.wraps ?? []));
  const present = newest?.members.map(({ id }) => toHex(id)).filter((id) => parts.has(here(id)));
  const epoch = newest && unlessEpochError(() => withKeys(newest, all));
  return { links, epoch, present: present ?? [] };
}

/** What a medium shows of a circle. */
export interface CircleOnMedium {
  readonly links: readonly EpochLink[];
  readonly epoch: Epoch | undefined;
  readonly present: readonly string[];
}

/**
 * The items that a device writes so that the medium holds all that it knows. For most changes these are two.
 *
 * @param texts of the medium, by name
 * @param items those of them that are of this epoch
 */
export async function mediumChanges(
  contents: MediumContents,
  texts: ReadonlyMap<string, string>,
  items: OpenedItems,
  random: RandomSource,
): Promise<MediumChanges> {
  const { state, epoch, syncKey } = contents;
  const devices = Object.keys(numbersIn(state)).sort();
  const room = roomOf(devices.length);
  const { units, leftOut, starts } = placedUnits(contents, devices, startsIn(items), room);
  const wanted = Array.from({ length: ITEMS }, (_, at): Item => {
    const range = rangeOf(starts, at);
    const held = unitsIn(units, range).map(({ name, content }) => [name, content] as const);
    return { range, seen: seenIn(state.seen, leftOut, range), contents: new Map(held) };
  });
  const isDue = wanted.map((item, at) => !holds(items[at], item));
  // Of one change the other write renews what the stalest item says of changes.
  if (isDue.filter(Boolean).length === 1) {
    const stalest = stalestOf(items, wanted);
    if (stalest >= 0) isDue[stalest] = true;
  }
  const writes = new Map<string, string>();
  const key = { ...epoch, syncKey };
  for (const [at, item] of wanted.entries()) {
    if (!isDue[at]) continue;
    writes.set(ITEM_NAMES[BOXES + at]!, await sealItem(at, item, { devices, key, random }));
  }
  for (const [at, text] of boxesOf(epoch).entries()) {
    const name = ITEM_NAMES[at]!;
    if (texts.get(name) !== text) writes.set(name, text);
  }
  const usedBytes = units.reduce((total, { bytes }) => total + bytes.length, 0);
  wipe(...units.map(({ bytes }) => bytes));
  return { writes, leftOut: leftOut.map(({ name }) => name), usedBytes, roomBytes: ITEMS * room };
}

/** A circle as it stands among the entries, by name. */
export const circleContents = ({
  links,
  epoch,
  present,
}: Pick<MediumContents, 'links' | 'epoch' | 'present'>): (readonly [string, Content])[] => [
  ...[...links, epoch].map(({ bytes, digest }) => {
    return [`${LINK} ${toHex(digest)}`, { bytes }] as const;
  }),
  ...epoch.members.map(({ id, xWing }) => [memberName(id), { bytes: xWing }] as const),
  ...present.map((id) => [here(toHex(id)), { bytes: NO_BYTES }] as const),
];

/** What takes place in an item. */
interface Unit {
  readonly name: string;
  readonly content: Content;
  /** From 0 to 2^48 − 1. */
  readonly position: number;
  readonly bytes: Uint8Array;
}

const LINK = 'link';
const MEMBER = 'member';
const NO_BYTES = new Uint8Array(0);
/** What goes by file first, where there is not room for all: a contact's key is long, and is told by its words. */
const FIRST_BY_FILE: readonly string[] = [CONTACT, PERSISTENT_KEY];

const memberName = (id: Uint8Array): string => `${MEMBER} ${toHex(id)}`;

/** The name of what a member writes to say that it is here. @param id as hex */
const here = (id: string): string => `here ${id}`;

const partOf = ([name, content]: readonly [string, Content]) =>
  'bytes' in content ? [[name, content.bytes] as const] : [];

function placedUnits(
  { state, epoch, links, present }: MediumContents,
  devices: readonly string[],
  starts: readonly number[] | undefined,
  room: number,
) {
  const unitOf = ([name, content]: readonly [string, Content]): Unit => {
    const bytes = encodeContent(name, content, devices);
    return { name, content, position: positionOf(name), bytes };
  };
  const kept = links.slice(-LINKS_KEPT);
  const parts = circleContents({ links: kept, epoch, present }).map(unitOf);
  const entries = Object.entries(state.entries).map(([name, entry]) => unitOf([name, { entry }]));
  const leftOut = entries.filter(({ bytes }) => bytes.length > room);
  const waiting = entries.filter(({ bytes }) => bytes.length <= room).sort(byNeed);
  for (;;) {
    const units = [...parts, ...waiting].sort(
      (a, b) => a.position - b.position || (a.name < b.name ? -1 : 1),
    );
    const placing = placed(units, starts, ITEMS, room);
    if (placing) return { units, leftOut, starts: placing };
    leftOut.push(waiting.pop()!);
  }
}

/** What is needed most first; of the rest the shortest. It depends on the entries alone, so that all devices choose alike. */
function byNeed(a: Unit, b: Unit): number {
  const [x, y] = [a, b].map(({ name }) => FIRST_BY_FILE.indexOf(typeOf(name)));
  const needOf = (place: number): number => (place < 0 ? FIRST_BY_FILE.length : place);
  return needOf(y!) - needOf(x!) || a.bytes.length - b.bytes.length || (a.name < b.name ? -1 : 1);
}

const typeOf = (name: string): string => name.split(' ', 1)[0]!;

/** Spreads entries evenly, whatever they are called. */
function positionOf(name: string): number {
  const digest = sha256(utf8(name));
  return (
    new DataView(digest.buffer).getUint16(0) * 2 ** 32 + new DataView(digest.buffer).getUint32(2)
  );
}

/** Where the ranges begin that the items say, and those between them; undefined where none says, or they contradict. */
function startsIn(items: OpenedItems): readonly number[] | undefined {
  if (items.every((item) => item === undefined)) return undefined;
  const starts = items.map((item, at) =>
    at === 0 ? 0 : (item?.range[0] ?? items[at - 1]?.range[1]),
  );
  for (const [at, start] of starts.entries()) {
    const before = starts[at - 1];
    if (start === undefined) starts[at] = before;
    else if (before !== undefined && start < before) return undefined;
  }
  return starts as number[];
}

/** Whether the medium has this item, whatever it says of changes. */
function holds(item: Item | undefined, wanted: Item): boolean {
  if (item === undefined || !sameJson(item.range, wanted.range)) return false;
  if (item.contents.size !== wanted.contents.size) return false;
  return [...wanted.contents].every(([name, content]) => {
    const held = item.contents.get(name);
    return held !== undefined && sameContent(held, content);
  });
}

function sameContent(a: Content, b: Content): boolean {
  if ('entry' in a) return 'entry' in b && sameJson(a.entry, b.entry);
  return 'bytes' in b && toHex(a.bytes) === toHex(b.bytes);
}

/**
 * Up to which change nothing is missing in a range. Of devices that changed what is left out there nothing is said: which
 * of their changes it includes is not known any more.
 */
function seenIn(
  seen: VersionVector,
  leftOut: readonly Unit[],
  [from, to]: Item['range'],
): VersionVector {
  const missing = leftOut.filter(({ position }) => position >= from && position < to);
  const changed = new Set(
    missing.flatMap(({ content }) =>
      'entry' in content ? Object.keys(changesOf(content.entry)) : [],
    ),
  );
  return Object.fromEntries(Object.entries(seen).filter(([device]) => !changed.has(device)));
}

/** The item that says least of changes, where it would say more now; −1 where none would. */
function stalestOf(items: OpenedItems, wanted: readonly Item[]): number {
  const behind = wanted.map(({ seen }, at) => {
    const said = items[at]?.seen ?? {};
    return Object.entries(seen).reduce(
      (sum, [id, number]) => sum + Math.max(0, number - (said[id] ?? 0)),
      0,
    );
  });
  const most = Math.max(...behind);
  return most > 0 ? behind.indexOf(most) : -1;
}

/** For each device the number up to which no item lacks a change: the least of all positions. */
function completeIn(items: readonly Item[]): VersionVector {
  const starts = new Set([0, ...items.flatMap(({ range }) => range)]);
  const said = [...starts]
    .filter((position) => position < POSITIONS)
    .map((position) => {
      const there = items.filter(({ range: [from, to] }) => from <= position && position < to);
      return there.reduce<VersionVector>((all, { seen }) => union(all, seen), {});
    });
  const [first = {}] = said;
  const least = Object.keys(first).map((device) => {
    return [device, Math.min(...said.map((seen) => seen[device] ?? 0))] as const;
  });
  return Object.fromEntries(least.filter(([, number]) => number > 0));
}

function unlessEpochError<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof EpochError) return undefined;
    throw error;
  }
}
