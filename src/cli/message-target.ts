/* Outputs for an opened message. No part of it is visible before `publish`. */
import { isUtf8 } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { link, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { CommandError, EXIT, codeOf } from './exit-codes.ts';
import { fileError, printable, printableLine } from './input.ts';

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
 * Collects the message in memory and prints it. To a terminal it goes as text that cannot control it, and what
 * is not text only if `force`.
 *
 * @throws CommandError from `write` beyond `maxBytes`, from `publish` for what is not text
 */
export function printTarget(printer: Printer, maxBytes: number, force: boolean): MessageTarget {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  return {
    write: (part) => {
      bytes += part.length;
      parts.push(part);
      if (bytes <= maxBytes) return Promise.resolve();
      const words = 'A message this large needs --out FILE';
      return Promise.reject(new CommandError(EXIT.usage, words));
    },
    publish: (messageBytes) => {
      const message = Buffer.concat(parts).subarray(0, messageBytes);
      if (!printer.isTerminal) return printer.print(message);
      if (!force && !isUtf8(message)) throw notForTerminals();
      return printer.print(printable(message.toString('utf8')));
    },
    discard: () => Promise.resolve(),
  };
}

function notForTerminals(): CommandError {
  const words = 'The message is not text: write it with --out FILE, or print it with --force';
  return new CommandError(EXIT.usage, words);
}

/** Prints each part at once: for what is not secret, and proves by itself that it is whole. */
export function passingTarget(printer: Printer): MessageTarget {
  return {
    write: (part) => printer.print(part),
    publish: () => Promise.resolve(),
    discard: () => Promise.resolve(),
  };
}

/** Signals by which users and terminals end a command; SIGKILL cannot be handled. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Temporary files that hold a part of a message. */
const unfinished = new Set<string>();

function removeAtSignals(temporary: string): void {
  if (unfinished.size === 0) for (const signal of ENDING) process.on(signal, removeAndRaise);
  unfinished.add(temporary);
}

function leaveToSignals(temporary: string): void {
  unfinished.delete(temporary);
  if (unfinished.size === 0) for (const signal of ENDING) process.off(signal, removeAndRaise);
}

/** The process then ends by the signal, as it would have without the handler. */
function removeAndRaise(signal: NodeJS.Signals): void {
  for (const temporary of unfinished) {
    try {
      rmSync(temporary, { force: true });
    } catch {
      // A file that cannot be removed must not keep the process alive.
    }
  }
  for (const each of ENDING) process.off(each, removeAndRaise);
  process.kill(process.pid, signal);
}

/**
 * The name of a temporary file says which process of which machine writes it: "<out>.<machine>.<process>.<random>.partial".
 * So a later run removes what one has left that was killed, and nothing of one that still writes.
 */
const temporaryOf = (out: string): string =>
  `${out}.${machine()}.${process.pid}.${randomUUID()}.partial`;

/** A digest of the machine's name, 8 hex digits: a shared folder does not get the name. */
const machine = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Removes the temporary files of `out` whose processes have ended: by SIGKILL, a crash or a loss of power. */
async function removeLeft(out: string): Promise<void> {
  const [folder, target] = [dirname(out), basename(out)];
  const names = await readdir(folder).catch(() => []); // a missing folder is an error when the file is made
  for (const name of names.filter((each) => each.startsWith(target))) {
    const [, of, id] = LEFT.exec(name.slice(target.length)) ?? [];
    if (of === machine() && !isRunning(Number(id))) await rm(join(folder, name), { force: true });
  }
}

const LEFT = /^\.([0-9a-f]{8})\.(\d{1,10})\.[0-9a-f-]{36}\.partial$/;

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/**
 * Writes to a temporary file beside `out`. It is removed at the end, also after errors and by the signals above, or, of a run
 * that was killed, by the next one.
 *
 * @param mode 0600 for what its owner alone may read
 * @throws CommandError when `out` exists, unless `force`; its words name `out` and not the temporary file
 */
export async function fileTarget(
  out: string,
  force: boolean,
  mode: 0o600 | 0o666,
): Promise<MessageTarget> {
  const inWords = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw fileError(error, out);
    }
  };
  if (!force && (await inWords(() => exists(out)))) throw alreadyExists(out);
  await inWords(() => removeLeft(out));
  const temporary = temporaryOf(out);
  removeAtSignals(temporary);
  const file = await create(temporary, out, mode).catch((error: unknown) => {
    leaveToSignals(temporary);
    throw error;
  });
  return {
    write: (part) => inWords(() => writeAll(file, part)),
    publish: (messageBytes) =>
      inWords(async () => {
        await file.truncate(messageBytes);
        await file.sync();
        await (force ? rename(temporary, out) : placeNew(temporary, out));
      }),
    async discard() {
      await file.close();
      await rm(temporary, { force: true });
      leaveToSignals(temporary);
    },
  };
}

async function create(temporary: string, out: string, mode: number): Promise<FileHandle> {
  try {
    return await open(temporary, 'wx', mode);
  } catch (error) {
    const isNoFolder = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
    if (isNoFolder) {
      throw new CommandError(EXIT.file, `There is no folder ${printableLine(dirname(out))}`);
    }
    throw fileError(error, out);
  }
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
  return new CommandError(
    EXIT.file,
    `${printableLine(out)} exists already: give --force to overwrite it`,
  );
}

/** Writes a whole text, with the arguments and the errors of `fileTarget`. */
export async function writeFileText(
  text: string,
  ...where: Parameters<typeof fileTarget>
): Promise<void> {
  const target = await fileTarget(...where);
  try {
    const bytes = Buffer.from(text);
    await target.write(bytes);
    await target.publish(bytes.length);
  } finally {
    await target.discard();
  }
}
