/*
 * Reads files, standard input and pipes, all in the same way: from the beginning, in pieces. Says how their names, and
 * other texts that someone else may have made, are shown.
 */
import { createReadStream } from 'node:fs';
import { concat } from '../crypto/bytes.ts';
import { CommandError, EXIT, codeOf } from './exit-codes.ts';

/** The name of standard input, and of standard output. */
export const STANDARD = '-';

/** Where `-` is read from. */
export type StandardInput = () => AsyncIterable<Uint8Array>;

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

/** How files are called in messages. A name may have escape sequences and line feeds. */
export function nameOf(path: string): string {
  return path === STANDARD ? 'Standard input' : printableLine(path);
}

/** The pieces of a file. @throws CommandError with exit code 4 */
export async function* piecesOf(
  path: string,
  standardInput: StandardInput,
): AsyncGenerator<Uint8Array, undefined> {
  try {
    yield* path === STANDARD ? standardInput() : createReadStream(path, { highWaterMark: 2 ** 18 });
  } catch (error) {
    throw fileError(error, path);
  }
}

/**
 * All bytes of a file.
 *
 * @throws CommandError with exit code 4 for a file that cannot be read; of `tooLarge` beyond so many bytes
 */
export async function wholeFile(
  path: string,
  maxBytes: number,
  standardInput: StandardInput,
  tooLarge: (words: string) => Error = (words) => new CommandError(EXIT.badInput, words),
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of piecesOf(path, standardInput)) {
    bytes += piece.length;
    if (bytes > maxBytes) throw tooLarge(`${nameOf(path)} is too large`);
    pieces.push(piece);
  }
  return concat(...pieces);
}

/** The text of a small file. @throws CommandError */
export async function textFile(path: string, standardInput: StandardInput): Promise<string> {
  return new TextDecoder().decode(await wholeFile(path, 2 ** 20, standardInput));
}

const WORDS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no file ${path}`,
  ENOTDIR: (path) => `There is no file ${path}: a part of its path is not a folder`,
  EISDIR: (path) => `${path} is a folder`,
  EACCES: (path) => `You are not allowed to use ${path}`,
  EPERM: (path) => `You are not allowed to use ${path}`,
  EROFS: (path) => `${path} is on a disk that cannot be written`,
  ENOSPC: (path) => `There is no room left for ${path}`,
};

/** A system error in plain words; every other error as it is. @param path as the user gave it */
export function fileError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || codeOf(error) === '') return error;
  const words = WORDS[codeOf(error)]?.(nameOf(path));
  return new CommandError(EXIT.file, words ?? `Cannot use ${nameOf(path)} (${codeOf(error)})`);
}
