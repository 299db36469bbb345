/*
 * Reads a zip, an xpi or a CRX, strictly: readers that take the first or the last of two entries of one name would see
 * different files, so whatever could be read in two ways is refused.
 */
import { crc32, inflateRawSync } from 'node:zlib';
import { CommandError, EXIT } from '../exit-codes.ts';
import { nameOf } from '../input.ts';

/** Of all files of an archive or folder together: the extension has a tenth of it. */
export const MAX_BYTES = 2 ** 28;

const ENTRY = { signature: 0x04034b50, bytes: 30 };
const DIRECTORY_ENTRY = { signature: 0x02014b50, bytes: 46 };
const END = { signature: 0x06054b50, bytes: 22 };
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
/** A path of a package: no part is empty, `.` or `..`. */
const PLAIN_PATH = /^(?!\/)(?!.*(^|\/)\.{0,2}(\/|$))[^\\\0]+$/;

/** The files of an archive by path. @throws CommandError with exit code 3 for what is no such archive */
export function readArchive(bytes: Buffer, path: string): ReadonlyMap<string, Uint8Array> {
  try {
    return entriesOf(withoutCrxHeader(bytes));
  } catch (error) {
    const words = error instanceof Error ? error.message : '';
    throw new CommandError(
      EXIT.badInput,
      `${nameOf(path)} is not a whole zip, xpi or CRX: ${words}`,
    );
  }
}

/** Whether a file begins as an archive that is read here. */
export function isArchive(bytes: Buffer): boolean {
  return isCrx(bytes) || (bytes.length >= END.bytes && bytes.readUInt32LE(0) === ENTRY.signature);
}

function isCrx(bytes: Buffer): boolean {
  return bytes.length > 12 && bytes.toString('latin1', 0, 4) === 'Cr24';
}

function withoutCrxHeader(bytes: Buffer): Buffer {
  if (!isCrx(bytes)) return bytes;
  if (bytes.readUInt32LE(4) !== 3) throw new Error('a CRX of another version than 3');
  return bytes.subarray(12 + bytes.readUInt32LE(8));
}

function entriesOf(zip: Buffer): ReadonlyMap<string, Uint8Array> {
  const end = zip.length - END.bytes;
  if (end < 0 || zip.readUInt32LE(end) !== END.signature) {
    throw new Error('it does not end as a zip without a comment');
  }
  const [count, directoryBytes, directoryAt] = [
    zip.readUInt16LE(end + 10),
    zip.readUInt32LE(end + 12),
    zip.readUInt32LE(end + 16),
  ];
  if (directoryAt + directoryBytes !== end) throw new Error('its directory is not at its end');
  const files = new Map<string, Uint8Array>();
  let [at, room] = [directoryAt, MAX_BYTES];
  for (let i = 0; i < count; i++) {
    const { name, content, next } = entryAt(zip, at, room);
    if (name.endsWith('/')) {
      if (content.length > 0) throw new Error('a folder has content');
    } else {
      if (!PLAIN_PATH.test(name)) throw new Error('the path of an entry leaves the archive');
      if (files.has(name)) throw new Error('two entries have one name');
      files.set(name, content);
    }
    room -= content.length;
    at = next;
  }
  if (at !== end) throw new Error('its directory has another length');
  return files;
}

function entryAt(zip: Buffer, at: number, room: number) {
  if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY.signature) {
    throw new Error('its directory ends early');
  }
  const [flags, method] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10)];
  const [crc, packed, bytes] = [16, 20, 24].map((offset) => zip.readUInt32LE(at + offset));
  const [nameBytes, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
  const nameAt = at + DIRECTORY_ENTRY.bytes;
  const nameEnd = nameAt + nameBytes!;
  const name = new TextDecoder('utf-8', { fatal: true }).decode(zip.subarray(nameAt, nameEnd));
  const local = zip.readUInt32LE(at + 42);
  if ((flags & ENCRYPTED) !== 0) throw new Error('an entry is encrypted');
  if (bytes! > room) throw new Error('it is too large');
  const localName = local + ENTRY.bytes;
  const isSame =
    zip.readUInt32LE(local) === ENTRY.signature &&
    zip.readUInt16LE(local + 8) === method &&
    zip.readUInt16LE(local + 26) === nameBytes &&
    zip.subarray(localName, localName + nameBytes).equals(zip.subarray(nameAt, nameEnd));
  if (!isSame) throw new Error('an entry and the directory contradict each other');
  const from = localName + nameBytes + zip.readUInt16LE(local + 28);
  const content = unpacked(zip.subarray(from, from + packed!), method, bytes!);
  if (content.length !== bytes || crc32(content) !== crc) throw new Error('an entry is damaged');
  return { name, content, next: nameEnd + extra! + comment! };
}

function unpacked(packed: Buffer, method: number, bytes: number): Buffer {
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw new Error('an entry is packed in a way that no store uses');
  return inflateRawSync(packed, { maxOutputLength: Math.max(1, bytes) });
}
