/*
 * The file of a device: all that it shares, for a folder that another program carries between the devices of a person. Each
 * device writes a file of its own and reads those of the others, so that no two write one file. It is a whole state and never
 * a log, as the items of a medium are (medium.ts), but one item of any length. All integers are big-endian, but for those of
 * entry-bytes.ts.
 *
 *   file    = "SWF" ‖ 01 ‖ number of the epoch u32 ‖ digest of its parent (32) ‖ commitment of the sync key (32)
 *             ‖ its 8 wraps (1,168 each) ‖ a sealed message, padded, under HKDF-Expand-SHA-512(sync key, "SWM1 circle file",
 *             32), whose associated data is "SWM1 circle file" ‖ 00 ‖ number u32 ‖ digest of the parent ‖ commitment:
 *               head ‖ item of all positions (items.ts)
 *   head    = id of the member (16) ‖ id of the device (16) ‖ generation u32 ‖ digest of the file before it (32, zeros in the
 *             first) ‖ count, for each other device whose file was read: id (16) ‖ generation u32
 *   digest  = SHA-256(file)
 *   name    = "sealwright-" ‖ the first 8 bytes of SHA-256("SWM1 circle file name" ‖ 00 ‖ id of the device) in hex ‖ ".device"
 */
import {
  concat,
  equal,
  fromBase64url,
  toBase64url,
  toHex,
  u32be,
  utf8,
  wipe,
} from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import { openMessage, sealMessage } from '../../format/message.ts';
import type { RandomSource } from '../../random/contract.ts';
import { DIGEST_BYTES } from '../circle/epoch.ts';
import type { WrappedKey } from '../circle/epoch.ts';
import { MEMBER_ID_BYTES, MEMBERS_MAX } from '../circle/members.ts';
import { numbersIn } from '../devices/shared-state.ts';
import type { SharedState, VersionVector } from '../devices/shared-state.ts';
import { SharedStateError } from '../devices/state-text.ts';
import { ByteReader, integerBytes } from './entry-bytes.ts';
import type { Content } from './entry-bytes.ts';
import {
  itemBytes,
  parseItem,
  placeBytes,
  readWrappedKey,
  sealingOptions,
  unlessUnreadable,
} from './items.ts';
import type { Item, ItemKey } from './items.ts';
import { circleOf, circleContents, stateOf } from './medium.ts';
import type { CircleOnMedium, MediumContents } from './medium.ts';
import { POSITIONS } from './packing.ts';

/** Longer files are refused before any work: 16 MiB. */
export const DEVICE_FILE_MAX_BYTES = 2 ** 24;
/** Devices in a head whose files were read, at most. */
export const HEADS_MAX = 64;

/** The bytes are no file of a device, or too long. */
export class DeviceFileError extends Error {
  override readonly name = 'DeviceFileError';

  constructor() {
    super('this is not a file of a device, or it is damaged');
  }
}

/** What a file says of itself, within what it seals. Any member of the circle could have written it. */
export interface FileHead {
  /** The member that wrote it, 16 bytes. */
  readonly member: Uint8Array;
  /** The device in the shared state, 16 bytes as base64url. A member whose profile was copied is two of them. */
  readonly device: string;
  /** How many files the device has made, with this one: 1 for the first. */
  readonly generation: number;
  /** The digest of the file before it, 32 bytes; zeros in the first. */
  readonly before: Uint8Array;
  /** The newest generation of each other device that was read before it was written. */
  readonly read: VersionVector;
}

/** A file, of which nothing is opened. */
export interface DeviceFile {
  readonly box: WrappedKey;
  readonly sealed: Uint8Array;
  /** SHA-256 of all of it. */
  readonly digest: Uint8Array;
}

/** What a file holds. */
export interface OpenedDeviceFile {
  readonly head: FileHead;
  readonly circle: CircleOnMedium;
  /** Undefined where it holds entries that this version does not know, or that no device makes. */
  readonly state: SharedState | undefined;
}

/** What a device shares by its file. */
export type DeviceFileContents = Omit<MediumContents, 'present'>;

/** The name of a device's file, by which it overwrites its own. It names neither a device nor a person. */
export function deviceFileName(device: string): string {
  const digest = sha256(concat(utf8(`${LABEL} name\0`), fromBase64url(device)));
  return `sealwright-${toHex(digest.subarray(0, 8))}.device`;
}

/**
 * The form of a file alone.
 *
 * @throws DeviceFileError for what no device writes
 */
export function parseDeviceFile(bytes: Uint8Array): DeviceFile {
  if (bytes.length > DEVICE_FILE_MAX_BYTES) throw new DeviceFileError();
  const reader = new ByteReader(bytes);
  try {
    if (!equal(reader.take(MAGIC.length), MAGIC)) throw new DeviceFileError();
    const box = readWrappedKey(reader, MEMBERS_MAX);
    return { box, sealed: reader.rest(), digest: sha256(bytes) };
  } catch (error) {
    throw error instanceof SharedStateError ? new DeviceFileError() : error;
  }
}

/** The same; undefined for what no device writes. */
export function deviceFileIn(bytes: Uint8Array): DeviceFile | undefined {
  try {
    return parseDeviceFile(bytes);
  } catch (error) {
    if (error instanceof DeviceFileError) return undefined;
    throw error;
  }
}

/**
 * Opens a file.
 *
 * @param key of its epoch
 * @returns undefined for a file that is damaged, or of another epoch
 */
export async function openDeviceFile(
  { box, sealed }: DeviceFile,
  key: ItemKey,
): Promise<OpenedDeviceFile | undefined> {
  const { sealing, ...options } = sealingOptions(LABEL, key);
  let plaintext: Uint8Array | undefined;
  try {
    return await unlessUnreadable(async () => {
      plaintext = await openMessage(options, sealed);
      const { head, item } = parseHeld(plaintext);
      return { head, circle: circleOf([item], [box]), state: soundStateOf(item) };
    });
  } finally {
    wipe(sealing, plaintext ?? []);
  }
}

/**
 * Makes the file of a device. It has no bound: what is longer than DEVICE_FILE_MAX_BYTES no device takes.
 *
 * @returns the file, whose length is padded
 */
export async function sealDeviceFile(
  { epoch, links, state, syncKey }: DeviceFileContents,
  head: FileHead,
  random: RandomSource,
): Promise<Uint8Array<ArrayBuffer>> {
  const entries = Object.entries(state.entries).map(([name, entry]) => [name, { entry }] as const);
  const circle = circleContents({ links, epoch, present: [] });
  const contents = new Map<string, Content>([...circle, ...entries]);
  const item: Item = { range: [0, POSITIONS], seen: state.seen, contents };
  const held = itemBytes(item, Object.keys(numbersIn(state)).sort());
  const plaintext = concat(headBytes(head), held);
  wipe(held);
  const { sealing, ...options } = sealingOptions(LABEL, { ...epoch, syncKey });
  try {
    const sealed = await sealMessage({ ...options, pad: true, random }, plaintext);
    return concat(MAGIC, placeBytes(epoch), ...epoch.wraps, sealed);
  } finally {
    wipe(sealing, plaintext);
  }
}

/** The bytes of a head. */
export function headBytes({ member, device, generation, before, read }: FileHead): Uint8Array {
  const others = Object.entries(read);
  return concat(
    ...[member, fromBase64url(device), u32be(generation), before],
    integerBytes(others.length),
    ...others.map(([id, number]) => concat(fromBase64url(id), u32be(number))),
  );
}

/**
 * What is sealed in a file.
 *
 * @throws SharedStateError for what no device seals
 */
export function parseHeld(plaintext: Uint8Array): { readonly head: FileHead; readonly item: Item } {
  const reader = new ByteReader(plaintext);
  const head = readHead(reader);
  return { head, item: parseItem(reader.rest()) };
}

/** "SWF", version 1. */
const MAGIC = Uint8Array.of(0x53, 0x57, 0x46, 1);
const LABEL = 'SWM1 circle file';
const DEVICE_ID_BYTES = 16;

function readHead(reader: ByteReader): FileHead {
  const deviceOf = () => toBase64url(reader.take(DEVICE_ID_BYTES));
  const numberOf = () => new DataView(reader.take(4).buffer).getUint32(0);
  const member = reader.take(MEMBER_ID_BYTES);
  const [device, generation, before] = [deviceOf(), numberOf(), reader.take(DIGEST_BYTES)];
  const others = reader.list(() => [deviceOf(), numberOf()] as const);
  if (generation === 0 || others.length > HEADS_MAX) throw new SharedStateError();
  return { member, device, generation, before, read: Object.fromEntries(others) };
}

function soundStateOf(item: Item): SharedState | undefined {
  try {
    return stateOf([item]);
  } catch (error) {
    if (error instanceof SharedStateError) return undefined;
    throw error;
  }
}
