import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * OpenPGP.js keeps its OCB to itself: its file as npm has it, with one more export.
 *
 * @returns the path of that module
 */
export function writeOpenpgpModule(): string {
  const source = readFileSync('node_modules/openpgp/dist/openpgp.mjs', 'utf8');
  if (!source.includes('async function OCB(cipher, key)')) {
    throw new Error('openpgp has another OCB than the bench knows');
  }
  const path = resolve('.cache/bench/openpgp.mjs');
  mkdirSync(resolve('.cache/bench'), { recursive: true });
  writeFileSync(path, `${source}\nexport { OCB as ocbMode };\n`);
  return path;
}
