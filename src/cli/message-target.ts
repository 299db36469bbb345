/* Outputs for an opened message. No part of it is visible before `publish`. */
import { randomUUID } from 'node:crypto';
import { link, lstat, open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { CommandError, EXIT } from './exit-codes.ts';

/** Where the command prints. */
export interface Printer {
  print(content: Uint8Array | string): Promise<void>;
  /** Whether a terminal shows what is printed, and would follow escape sequences in it. */
  readonly isTerminal: boolean;
}

/** An output that collects a message and publishes it when it has verified. */
export interface MessageTarget {
  write(part: Uint8Array): Promise<void>;
  /** @param messageBytes length of the message; bytes after it are padding */
  publish(messageBytes: number): Promise<void>;
  /** Must be called at the end, also after errors. */
  discard(): Promise<void>;
}

/**
 * A text for a terminal: control and format characters, which could move the cursor, set the title or
 * reorder what is shown, become U+FFFD. Tabs and line feeds stay, and CR LF becomes LF.
 */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/(?![\t\n\u200c\u200d])\p{C}/gu, '\uFFFD');
}

/** The same in one line. */
export function printableLine(text: string): string {
  return text.replace(/\p{C}/gu, '\uFFFD');
}

/** Collects the message in memory and prints it; to a terminal, as text that cannot control it. */
export function printTarget(printer: Printer): MessageTarget {
  const parts: Uint8Array[] = [];
  return {
    write: (part) => Promise.resolve(void parts.push(part)),
    publish: (messageBytes) => {
      const message = Buffer.concat(parts).subarray(0, messageBytes);
      return printer.print(printer.isTerminal ? printable(message.toString('utf8')) : message);
    },
    discard: () => Promise.resolve(),
  };
}

/**
 * Writes to a temporary file beside `out` that only the owner can read (0600). It is removed at the
 * end, also after errors.
 *
 * @throws CommandError when `out` exists, unless `force`
 */
export async function fileTarget(out: string, force: boolean): Promise<MessageTarget> {
  if (!force && (await exists(out))) throw alreadyExists(out);
  const temporary = `${out}.${randomUUID()}.partial`;
  const file = await open(temporary, 'wx', 0o600);
  return {
    write: (part) => writeAll(file, part),
    async publish(messageBytes) {
      await file.truncate(messageBytes);
      await file.sync();
      await (force ? rename(temporary, out) : placeNew(temporary, out));
    },
    async discard() {
      await file.close();
      await rm(temporary, { force: true });
    },
  };
}

async function writeAll(file: FileHandle, part: Uint8Array): Promise<void> {
  for (let at = 0; at < part.length;) {
    at += (await file.write(part, at, part.length - at)).bytesWritten;
  }
}

/** Links and does not rename, because a link fails if the name exists by then. */
async function placeNew(temporary: string, out: string): Promise<void> {
  try {
    await link(temporary, out);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw alreadyExists(out);
    // Some file systems (FAT, some network file systems) have no links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP'].includes(codeOf(error))) throw error;
    await rename(temporary, out);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function alreadyExists(out: string): CommandError {
  return new CommandError(EXIT.file, `${out} exists already: give --force to overwrite it`);
}

/** The code of a system error, or an empty text. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
