/*
 * Reads a zip, an xpi or a CRX, strictly. Readers of zips differ in what they look at first (the directory, the local
 * headers, a zip64 record, a comment), so that one file can hold another package for each of them. What browsers, stores
 * and tools could read in two ways is refused here, if need be more than that.
 */
import { crc32, inflateRawSync } from 'node:zlib';
import type { InflateRaw } from 'node:zlib';
import { CommandError, EXIT } from '../exit-codes.ts';
import { nameOf } from '../input.ts';

/** Of all files of an archive or folder together: the extension has a tenth of it. */
export const MAX_BYTES = 2 ** 28;

const ENTRY = { signature: 0x04034b50, bytes: 30 };
const DIRECTORY_ENTRY = { signature: 0x02014b50, bytes: 46 };
const DESCRIPTOR = { signature: 0x08074b50, bytes: 16 };
const END = { signature: 0x06054b50, bytes: 22 };
const ZIP64_END = { signature: 0x06064b50 };
const ZIP64_LOCATOR = { signature: 0x07064b50 };
/** Readers look for the end record so far from the end: behind it there may be a comment of 64 KiB. */
const TAIL_BYTES = END.bytes + 0xffff;
const STORED = 0;
const DEFLATED = 8;
/** Version 2.0 has folders and Deflate; zip64 is 4.5. */
const MAX_VERSION = 20;
const HAS_DESCRIPTOR = 1 << 3;
/** What a flag may say: how well Deflate compresses, that a descriptor follows, that the name is UTF-8. */
const FLAGS = 0b110 | HAS_DESCRIPTOR | (1 << 11);
/** What the tools of stores add, and no reader takes a name, a size or content from: a time, owners, "this is a JAR". */
const EXTRA_FIELDS: ReadonlySet<number> = new Set([0x5455, 0x7875, 0xcafe]);
/** In the upper half of an entry's attributes: the file type of Unix. */
const UNIX_TYPE = { mask: 0o170000, file: 0o100000, folder: 0o040000 };
/** In the lower half, of DOS: a label of a volume, a folder. */
const DOS_TYPE = { label: 0x08, folder: 0x10 };
/** The extension has a hundredth of the entries, and a fifth of the length of a name. */
const MAX_ENTRIES = 10_000;
const MAX_NAME_BYTES = 256;
/**
 * A name in a path of a package. It does not end in a dot or blank, which Windows drops; readers change backslashes,
 * colons and what follows a semicolon; beyond ASCII, they differ in the encoding and in which names are equal.
 */
const PLAIN_NAME = /^[^\0\\:;\x80-\xff]*[^\0\\:;\x80-\xff. ]$/;

/** The files of an archive by path. @throws CommandError with exit code 3 for what is not such an archive */
export function readArchive(bytes: Buffer, path: string): ReadonlyMap<string, Uint8Array> {
  try {
    return filesOf(withoutCrxHeader(bytes));
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
  const zipAt = 12 + bytes.readUInt32LE(8);
  if (zipAt > bytes.length) throw new Error('its header is longer than the file');
  // A reader of zips passes over what it does not know, up to the first signature.
  if (hasRecord(bytes.subarray(0, zipAt), ENTRY, DIRECTORY_ENTRY, END, ZIP64_END, ZIP64_LOCATOR)) {
    throw new Error('its header has a record of a zip');
  }
  return bytes.subarray(zipAt);
}

function hasRecord(bytes: Buffer, ...records: readonly { signature: number }[]): boolean {
  return records.some(({ signature }) => {
    const pattern = Buffer.alloc(4);
    pattern.writeUInt32LE(signature);
    return bytes.includes(pattern);
  });
}

/** The entries tile the file: each begins where the one before it ends, and the directory behind the last. */
function filesOf(zip: Buffer): ReadonlyMap<string, Uint8Array> {
  const { count, directoryAt, end } = endOf(zip);
  const files = new Map<string, Uint8Array>();
  const paths = new Map<string, string>();
  let [at, localAt, room] = [directoryAt, 0, MAX_BYTES];
  for (let i = 0; i < count; i++) {
    const entry = directoryEntry(zip.subarray(0, end), at);
    if (entry.localAt !== localAt) throw new Error('there is a gap before an entry, or an overlap');
    if (entry.bytes > room) throw new Error('it is too large');
    const { content, next } = contentOf(zip.subarray(0, directoryAt), entry);
    addPath(paths, entry.name);
    if (files.has(entry.name)) throw new Error('two entries have one name');
    if (!entry.name.endsWith('/')) files.set(entry.name, content);
    else if (content.length > 0) throw new Error('a folder has content');
    room -= content.length;
    [at, localAt] = [entry.next, next];
  }
  if (at !== end) throw new Error('its directory has another length');
  if (localAt !== directoryAt) throw new Error('there is a gap before its directory');
  return files;
}

function endOf(zip: Buffer) {
  const end = zip.length - END.bytes;
  if (end < 0 || zip.readUInt32LE(end) !== END.signature || zip.readUInt16LE(end + 20) !== 0) {
    throw new Error('it does not end as a zip without a comment');
  }
  const tail = zip.subarray(Math.max(0, zip.length - TAIL_BYTES), end);
  if (hasRecord(tail, END, ZIP64_END, ZIP64_LOCATOR)) {
    throw new Error('it has a second end record, or one of zip64');
  }
  const [disk, diskOfDirectory, onDisk, count] = [4, 6, 8, 10].map((offset) =>
    zip.readUInt16LE(end + offset),
  );
  if (disk !== 0 || diskOfDirectory !== 0 || onDisk !== count) {
    throw new Error('it is a part of several');
  }
  if (count! > MAX_ENTRIES) throw new Error('it has too many entries');
  const [directoryBytes, directoryAt] = [zip.readUInt32LE(end + 12), zip.readUInt32LE(end + 16)];
  if (directoryAt + directoryBytes !== end) throw new Error('its directory is not at its end');
  return { count: count!, directoryAt, end };
}

/** What the directory says of an entry. `header` is its part that the local header repeats, from the version on. */
interface DirectoryEntry {
  readonly header: Buffer;
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly localAt: number;
  /** Where the next one begins. */
  readonly next: number;
}

/** @param zip up to the end of the directory */
function directoryEntry(zip: Buffer, at: number): DirectoryEntry {
  if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY.signature) {
    throw new Error('its directory ends early');
  }
  const [version, flags, method] = [6, 8, 10].map((offset) => zip.readUInt16LE(at + offset));
  const [crc, packedBytes, bytes] = [16, 20, 24].map((offset) => zip.readUInt32LE(at + offset));
  const [nameBytes, extraBytes, comment, disk] = [28, 30, 32, 34].map((offset) =>
    zip.readUInt16LE(at + offset),
  );
  if (version! > MAX_VERSION) throw new Error('an entry is of a later version of zip');
  if ((flags! & ~FLAGS) !== 0) throw new Error('an entry is encrypted, or patches another');
  if (comment !== 0) throw new Error('an entry has a comment');
  if (disk !== 0) throw new Error('an entry is in another part');
  if (nameBytes! > MAX_NAME_BYTES) throw new Error('an entry has too long a name');
  const nameAt = at + DIRECTORY_ENTRY.bytes;
  const extraAt = nameAt + nameBytes!;
  const next = extraAt + extraBytes!;
  const name = zip.toString('latin1', nameAt, extraAt);
  requireKnownFields(zip, extraAt, next);
  requireType(name, zip.readUInt32LE(at + 38));
  const localAt = zip.readUInt32LE(at + 42);
  const header = zip.subarray(at + 6, at + 30);
  return {
    header,
    name,
    flags: flags!,
    method: method!,
    crc: crc!,
    packedBytes: packedBytes!,
    bytes: bytes!,
    localAt,
    next,
  };
}

/** @throws Error unless an entry is a file or a folder to those who read its name and to those who read its attributes */
function requireType(name: string, attributes: number): void {
  const isFolder = name.endsWith('/');
  const unix = (attributes >>> 16) & UNIX_TYPE.mask;
  const isUnixType = unix === 0 || unix === (isFolder ? UNIX_TYPE.folder : UNIX_TYPE.file);
  const other = isFolder ? DOS_TYPE.label : DOS_TYPE.label | DOS_TYPE.folder;
  if (!isUnixType || (attributes & other) !== 0) {
    throw new Error('an entry is neither a file nor a folder, or both');
  }
}

/** @throws Error unless extra fields fill the bytes, all known */
function requireKnownFields(zip: Buffer, from: number, to: number): void {
  let at = from;
  while (at < to) {
    if (at + 4 > to) throw new Error('an entry has an extra field that is cut off');
    if (!EXTRA_FIELDS.has(zip.readUInt16LE(at))) throw new Error('an entry has an unknown field');
    at += 4 + zip.readUInt16LE(at + 2);
  }
  if (at !== to || to > zip.length) throw new Error('an entry has an extra field that is cut off');
}

/** @param zip up to the directory */
function contentOf(zip: Buffer, entry: DirectoryEntry): { content: Buffer; next: number } {
  const { header, name, flags, method, crc, packedBytes, bytes, localAt } = entry;
  const hasDescriptor = (flags & HAS_DESCRIPTOR) !== 0;
  // With a descriptor, the digest and the sizes follow the content: before it they are 0, which no reader takes for them.
  const expected = hasDescriptor
    ? Buffer.concat([header.subarray(0, 10), Buffer.alloc(12), header.subarray(22)])
    : header;
  const nameAt = localAt + ENTRY.bytes;
  const isSame =
    zip.readUInt32LE(localAt) === ENTRY.signature &&
    zip.subarray(localAt + 4, nameAt - 2).equals(expected) &&
    zip.toString('latin1', nameAt, nameAt + name.length) === name;
  if (!isSame) throw new Error('an entry and the directory contradict each other');
  const extraAt = nameAt + name.length;
  const from = extraAt + zip.readUInt16LE(nameAt - 2);
  requireKnownFields(zip, extraAt, from);
  const to = from + packedBytes;
  if (to > zip.length) throw new Error('an entry is cut off');
  const content = unpacked(zip.subarray(from, to), method, bytes);
  if (content.length !== bytes || crc32(content) !== crc) throw new Error('an entry is damaged');
  if (!hasDescriptor) return { content, next: to };
  // Only Deflate says itself where it ends.
  const isDescribed =
    method === DEFLATED &&
    zip.readUInt32LE(to) === DESCRIPTOR.signature &&
    zip.subarray(to + 4, to + DESCRIPTOR.bytes).equals(header.subarray(10, 22));
  if (!isDescribed) throw new Error('an entry and its descriptor contradict each other');
  return { content, next: to + DESCRIPTOR.bytes };
}

function unpacked(packed: Buffer, method: number, bytes: number): Buffer {
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw new Error('an entry is packed in a way that no store uses');
  // The types do not know what `info` gives.
  const { buffer, engine } = inflateRawSync(packed, {
    maxOutputLength: Math.max(1, bytes),
    info: true,
  }) as unknown as { readonly buffer: Buffer; readonly engine: InflateRaw };
  if (engine.bytesWritten !== packed.length) throw new Error('an entry has bytes after its end');
  return buffer;
}

/**
 * Adds a path and the folders above it.
 *
 * @param paths by what is equal where case does not count, and whether it is a folder or a file
 * @throws Error if readers or file systems could take two entries for one
 */
function addPath(paths: Map<string, string>, name: string): void {
  const path = name.replace(/\/$/, '');
  if (!path.split('/').every((part) => PLAIN_NAME.test(part))) {
    throw new Error('the path of an entry leaves the archive, or systems read it differently');
  }
  const add = (spelled: string) => {
    const key = spelled.replace(/\/$/, '').toLowerCase();
    const known = paths.get(key) ?? spelled;
    if (known !== spelled) throw new Error('two entries have names that some systems take for one');
    paths.set(key, spelled);
  };
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    add(name.slice(0, at + 1));
  }
  add(name);
}
