/* Reads key files, "sealwright-key/1" (docs/format.md section 11). */
import { readFile } from 'node:fs/promises';
import { parseKeyFile } from '../format/wire/key-file.ts';
import type { KeyFile } from '../format/wire/key-file.ts';
import { CommandError, EXIT } from './exit-codes.ts';

/** Reads a key file. @throws CommandError; its message contains nothing from the file */
export async function readKeyFile(path: string): Promise<KeyFile> {
  const text = await readFile(path, 'utf8');
  try {
    return parseKeyFile(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(EXIT.badInput, `${path}: ${error.message}`);
  }
}
