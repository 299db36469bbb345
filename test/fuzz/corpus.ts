/*
 * Inputs in files: test/fuzz/corpus/<target>.txt has those that reach code which the seeds do not
 * reach, test/fuzz/found/<target>.txt those that once showed a defect. One line is one input in
 * Base64; lines with "#" say what it was.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const EMPTY = '(empty)';

/** Where the inputs of a target are. */
export const corpusFile = (target: string): string => `test/fuzz/corpus/${target}.txt`;
/** Where the inputs are that once showed a defect. */
export const foundFile = (target: string): string => `test/fuzz/found/${target}.txt`;

/** The inputs in a file; none if it does not exist. */
export function readInputs(file: string): Uint8Array[] {
  return linesOf(file)
    .filter((line) => !line.startsWith('#'))
    .map((line) => new Uint8Array(Buffer.from(line === EMPTY ? '' : line, 'base64')));
}

/** Replaces the inputs in a file; without any, it is removed. */
export function writeInputs(file: string, inputs: readonly Uint8Array[]): void {
  if (inputs.length === 0) rmSync(file, { force: true });
  else write(file, inputs.map(lineOf).sort());
}

/** Adds an input, unless the file has it. */
export function addInput(file: string, input: Uint8Array, comment: string): void {
  const lines = linesOf(file);
  const line = lineOf(input);
  if (!lines.includes(line)) write(file, [...lines, `# ${comment.replaceAll(/\s+/g, ' ')}`, line]);
}

const lineOf = (input: Uint8Array): string => Buffer.from(input).toString('base64') || EMPTY;

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

function write(file: string, lines: readonly string[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
}
