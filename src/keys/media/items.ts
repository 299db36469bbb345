/*
 * The items of a medium: always the same number, each always of its length, so that they tell neither how much a person has
 * nor how many devices. All integers are big-endian, but for those of entry-bytes.ts.
 *
 *   2 boxes    "SWB" ‖ 01 ‖ number of the epoch u32 ‖ digest of its parent (32) ‖ commitment of the sync key (32)
 *              ‖ 4 of the 8 wraps (1,168 each)
 *   11 items   a sealed message of 6,555 bytes under HKDF-Expand-SHA-512(sync key, "SWM1 circle item", 32), whose
 *              associated data is "SWM1 circle item" ‖ 00 ‖ place u8 ‖ number u32 ‖ digest of the parent ‖ commitment:
 *                first position u64 ‖ end u64 ‖ count, for each device id (16) ‖ number u32 ‖ count, contents ‖ zeros
 *
 * A box is in clear: each of its wraps is for one member, who tries all. An item is read alone. It holds everything of its
 * range of positions, and says for each device up to which change nothing of the range is missing.
 *
 * A medium stores both as text that JSON does not lengthen: each 13 bits, the first in front and zeros behind the last, as two of
 * 91 characters, those of ASCII from "!" to "~" without the quotation mark, the backslash and "<", which browsers escape.
 */
import {
  concat,
  equal,
  fromBase64url,
  toBase64url,
  u32be,
  u64be,
  utf8,
  wipe,
} from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { SHA512 } from '../../crypto/hash/sha512.ts';
import { hkdfExpand } from '../../crypto/kdf/hkdf.ts';
import { EnvelopeError } from '../../format/errors.ts';
import { openMessage, sealMessage } from '../../format/message.ts';
import { sealedLength } from '../../format/wire/sealed-length.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Circle } from '../circle/circle-record.ts';
import { DIGEST_BYTES, WRAP_BYTES } from '../circle/epoch.ts';
import type { WrappedKey } from '../circle/epoch.ts';
import { MEMBERS_MAX } from '../circle/members.ts';
import type { VersionVector } from '../devices/shared-state.ts';
import { SharedStateError } from '../devices/state-text.ts';
import { ByteReader, decodeContent, encodeContent, integerBytes } from './entry-bytes.ts';
import type { Content } from './entry-bytes.ts';

/** Boxes of a medium. */
export const BOXES = 2;
/** Sealed items of a medium. */
export const ITEMS = 11;
/** The names of all: first the boxes, then the sealed items. */
export const ITEM_NAMES: readonly string[] = Array.from(
  { length: BOXES + ITEMS },
  (_, at) => `s${String(at).padStart(2, '0')}`,
);
export const BOX_NAMES: readonly string[] = ITEM_NAMES.slice(0, BOXES);

/** What a sealed item holds in its range. */
export interface Item {
  /** From the first position on, up to the second. */
  readonly range: readonly [from: number, to: number];
  /** Up to this number of each device no change of an entry in the range is missing. */
  readonly seen: VersionVector;
  /** By name. */
  readonly contents: ReadonlyMap<string, Content>;
}

/** A sync key, and the epoch that it is of. */
export interface ItemKey extends Omit<WrappedKey, 'wraps'> {
  /** 32 bytes. */
  readonly syncKey: Uint8Array;
}

/** Bytes of an item for entries, where its table has so many devices. */
export const roomOf = (devices: number): number =>
  ITEM_BYTES - FIXED_BYTES - DEVICE_BYTES * devices;

/** Number, digest of the parent and commitment of an epoch: what stands before its wraps. */
export function placeBytes({ number, parent, commitment }: Omit<WrappedKey, 'wraps'>): Uint8Array {
  return concat(u32be(number), parent, commitment);
}

/**
 * The inverse of `placeBytes`, with the wraps behind it.
 *
 * @param wraps how many there are
 * @throws SharedStateError where bytes are missing
 */
export function readWrappedKey(reader: ByteReader, wraps: number): WrappedKey {
  const number = new DataView(reader.take(4).buffer).getUint32(0);
  const [parent, commitment] = [reader.take(DIGEST_BYTES), reader.take(DIGEST_BYTES)];
  const taken = Array.from({ length: wraps }, () => reader.take(WRAP_BYTES));
  return { number, parent, commitment, wraps: taken };
}

/** The two boxes of an epoch, as text. */
export function boxesOf(epoch: WrappedKey): readonly string[] {
  const head = concat(MAGIC, placeBytes(epoch));
  return Array.from({ length: BOXES }, (_, at) => {
    const wraps = epoch.wraps.slice(at * WRAPS, (at + 1) * WRAPS);
    return textOf(concat(head, ...wraps));
  });
}

/**
 * What boxes say of the sync key. A box that is damaged or missing is left out; one alone may reach a member.
 *
 * @param texts of the medium, by name
 * @returns one for each epoch of which there is a box: two where another device has replaced one of them
 */
export function wrappedKeysIn(texts: ReadonlyMap<string, string>): readonly WrappedKey[] {
  const boxes = BOX_NAMES.flatMap((name) => parseBox(texts.get(name)) ?? []);
  const [first, second] = boxes;
  if (first === undefined || second === undefined || !isOfOne(first, second)) return boxes;
  return [{ ...first, wraps: [...first.wraps, ...second.wraps] }];
}

/** Whether the other box of the epoch is missing, which has its other wraps. */
export const isHalf = ({ wraps }: WrappedKey): boolean => wraps.length < MEMBERS_MAX;

/** Whether every text has the length of an item in its place. It looks at nothing else. */
export const haveLengths = (texts: ReadonlyMap<string, string>): boolean =>
  [...texts].every(([name, { length }]) => {
    const isBox = ITEM_NAMES.indexOf(name) < BOXES;
    return length === charactersOf(isBox ? BOX_BYTES : SEALED_BYTES);
  });

/** Whether both are of one epoch. */
export const isOfOne = (a: Omit<WrappedKey, 'wraps'>, b: Omit<WrappedKey, 'wraps'>): boolean =>
  equal(placeBytes(a), placeBytes(b));

/** Whether something is of one of the epochs of a chain. */
export const isOfChain = (
  { links, epoch }: Pick<Circle, 'links' | 'epoch'>,
  box: Omit<WrappedKey, 'wraps'>,
): boolean => [...links, epoch].some((link) => isOfOne(box, link));

/**
 * Seals an item.
 *
 * @param at its place among the sealed items
 * @throws RangeError for more than an item holds
 */
export async function sealItem(
  at: number,
  item: Item,
  { devices, key, random }: { devices: readonly string[]; key: ItemKey; random: RandomSource },
): Promise<string> {
  const bytes = itemBytes(item, devices);
  if (bytes.length > ITEM_BYTES) throw new RangeError('contents: more than an item holds');
  const plaintext = concat(bytes, new Uint8Array(ITEM_BYTES - bytes.length));
  wipe(bytes);
  const { sealing, ...options } = sealingOptions(LABEL, key, at);
  try {
    return textOf(await sealMessage({ ...options, random }, plaintext));
  } finally {
    wipe(sealing, plaintext);
  }
}

/**
 * Opens an item.
 *
 * @param at its place among the sealed items
 * @returns undefined for one that is missing, damaged, of another place or of another epoch
 */
export async function openItem(
  at: number,
  text: string | undefined,
  key: ItemKey,
): Promise<Item | undefined> {
  const sealed = bytesOf(text, SEALED_BYTES);
  if (sealed === undefined) return undefined;
  const { sealing, ...options } = sealingOptions(LABEL, key, at);
  let plaintext: Uint8Array | undefined;
  try {
    return await unlessUnreadable(async () => {
      plaintext = await openMessage(options, sealed);
      return parseItem(plaintext);
    });
  } finally {
    wipe(sealing, plaintext ?? []);
  }
}

/** What opens and reads a sealed message; undefined for one that is damaged, of another place, or of another epoch. */
export async function unlessUnreadable<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const kinds = [AuthenticationError, EnvelopeError, SharedStateError];
    if (kinds.some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

/** The bytes of what an item holds, which the caller wipes. @param devices the table: at least those that it names */
export function itemBytes(
  { range, seen, contents }: Item,
  devices: readonly string[],
): Uint8Array<ArrayBuffer> {
  return concat(
    ...range.map(u64be),
    integerBytes(devices.length),
    ...devices.map((id) => concat(fromBase64url(id), u32be(seen[id] ?? 0))),
    integerBytes(contents.size),
    ...[...contents].map(([name, content]) => encodeContent(name, content, devices)),
  );
}

/** The inverse of `itemBytes`, with zeros behind it. @throws SharedStateError for all else */
export function parseItem(bytes: Uint8Array): Item {
  const reader = new ByteReader(bytes);
  const range = [positionIn(reader), positionIn(reader)] as const;
  const table = reader.list(() => {
    const id = toBase64url(reader.take(ID_BYTES));
    return [id, new DataView(reader.take(4).buffer).getUint32(0)] as const;
  });
  const devices = table.map(([id]) => id);
  const contents = reader.list(() => decodeContent(reader, devices));
  const isUnique = new Set(contents.map(({ name }) => name)).size === contents.length;
  if (!isUnique || reader.rest().some((byte) => byte !== 0)) throw new SharedStateError();
  return {
    range,
    seen: Object.fromEntries(table.filter(([, number]) => number > 0)),
    contents: new Map(contents.map(({ name, content }) => [name, content])),
  };
}

/**
 * How what lies on a medium is sealed: under a key for its kind alone, bound to its epoch and its place. Each message has a random
 * salt of its own, from which its keys and nonces follow.
 *
 * @param label of the kind, ASCII
 * @param places bytes that tell those of one kind apart
 * @returns `sealing` is the key, 32 bytes, which the caller wipes; the rest are options of a message
 */
export function sealingOptions(label: string, key: ItemKey, ...places: readonly number[]) {
  const sealing = hkdfExpand(SHA512, key.syncKey, utf8(label), 32);
  const associatedData = concat(utf8(label), Uint8Array.of(0, ...places), placeBytes(key));
  const keyId = key.commitment.subarray(0, ID_BYTES);
  return { sealing, key: sealing, keyId, purpose: 'sync', associatedData } as const;
}

const WRAPS = MEMBERS_MAX / BOXES;
/** "SWB", version 1. */
const MAGIC = Uint8Array.of(0x53, 0x57, 0x42, 1);
const BOX_BYTES = MAGIC.length + 4 + 2 * DIGEST_BYTES + WRAPS * WRAP_BYTES;
/** What is sealed: as text, with quotation marks and name, 8,191 of the 8,192 bytes that `storage.sync` has for an item. */
const ITEM_BYTES = 6555;
const SEALED_BYTES = sealedLength(ITEM_BYTES);
const ID_BYTES = 16;
const DEVICE_BYTES = ID_BYTES + 4;
/** The range, and how many devices and contents there are. */
const FIXED_BYTES = 8 + 8 + 2 + 2;
const LABEL = 'SWM1 circle item';

function parseBox(text: string | undefined): WrappedKey | undefined {
  const bytes = bytesOf(text, BOX_BYTES);
  if (bytes === undefined) return undefined;
  const reader = new ByteReader(bytes);
  if (!equal(reader.take(MAGIC.length), MAGIC)) return undefined;
  return readWrappedKey(reader, WRAPS);
}

const BITS = 13;
/** 91, so that two have 8,281 values: more than 2^13. */
const CHARACTERS = Array.from({ length: 0x7f - 0x21 }, (_, at) => String.fromCharCode(0x21 + at))
  .filter((character) => !'"\\<'.includes(character))
  .join('');

const charactersOf = (lengthBytes: number): number => 2 * Math.ceil((8 * lengthBytes) / BITS);

function textOf(bytes: Uint8Array): string {
  let [text, held, bits] = ['', 0, 0];
  const add = (value: number): void => {
    text +=
      CHARACTERS[Math.floor(value / CHARACTERS.length)]! + CHARACTERS[value % CHARACTERS.length]!;
  };
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    if (bits < BITS) continue;
    bits -= BITS;
    add(held >> bits);
    held &= (1 << bits) - 1;
  }
  if (bits > 0) add(held << (BITS - bits));
  return text;
}

/** Undefined for what is not the text of so many bytes. A medium may hold anything. */
function bytesOf(text: unknown, lengthBytes: number): Uint8Array | undefined {
  if (typeof text !== 'string' || text.length !== charactersOf(lengthBytes)) return undefined;
  const bytes = new Uint8Array(lengthBytes);
  let [held, bits, at] = [0, 0, 0];
  for (let place = 0; place < text.length; place += 2) {
    const [high, low] = [CHARACTERS.indexOf(text[place]!), CHARACTERS.indexOf(text[place + 1]!)];
    const value = high * CHARACTERS.length + low;
    if (high < 0 || low < 0 || value >= 1 << BITS) return undefined;
    held = (held << BITS) | value;
    bits += BITS;
    for (; bits >= 8 && at < lengthBytes; bits -= 8) bytes[at++] = held >> (bits - 8);
    held &= (1 << bits) - 1;
  }
  return held === 0 ? bytes : undefined;
}

function positionIn(reader: ByteReader): number {
  return Number(new DataView(reader.take(8).buffer).getBigUint64(0));
}
