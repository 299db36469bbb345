/*
 * Reads a sealed message from disk, binary or armored. A binary file is read in parts, so that 32 GiB
 * need no more memory than a small file. An armored file (64 MiB at most) is read whole.
 */
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { ARMOR_TEXT_LENGTH_MAX, ARMOR_PREFIX, unarmor } from '../format/wire/armor.ts';
import { PREFIX_BYTES_MAX } from '../format/wire/envelope.ts';
import { EnvelopeError } from '../format/errors.ts';

/** A sealed message with random access. */
export interface SealedFile {
  /** The beginning of the message: at least everything before its first chunk. */
  readonly head: Uint8Array;
  readonly totalBytes: number;
  /** @returns the bytes from `offset` on: `lengthBytes`, or fewer at the end */
  read(offset: number, lengthBytes: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Opens a sealed file. @throws EnvelopeError for armor that is not valid, or too large */
export async function openSealedFile(path: string): Promise<SealedFile> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const head = await readAt(file, 0, PREFIX_BYTES_MAX);
    if (isArmored(head)) return await wholeText(file, size);
    const read = (offset: number, lengthBytes: number) => readAt(file, offset, lengthBytes);
    return { head, totalBytes: size, read, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function isArmored(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, ARMOR_PREFIX.length)).toString('latin1') === ARMOR_PREFIX;
}

/** Removes one line break at the end, which editors and shells add, and nothing else. */
async function wholeText(file: FileHandle, size: number): Promise<SealedFile> {
  if (size > ARMOR_TEXT_LENGTH_MAX + 2) {
    throw new EnvelopeError('TOO_LARGE', `An armored text of ${size} bytes is too large`);
  }
  const text = Buffer.from(await readAt(file, 0, size)).toString('latin1');
  await file.close();
  const sealed = unarmor(text.replace(/\r?\n$/, ''));
  return {
    head: sealed,
    totalBytes: sealed.length,
    read: (offset, lengthBytes) => Promise.resolve(sealed.subarray(offset, offset + lengthBytes)),
    close: () => Promise.resolve(),
  };
}

/** Repeats reads, because one read may return fewer bytes than requested. */
async function readAt(file: FileHandle, offset: number, lengthBytes: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(lengthBytes);
  let filled = 0;
  while (filled < lengthBytes) {
    const { bytesRead } = await file.read(bytes, filled, lengthBytes - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
