import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * OpenPGP.js keeps its OCB and its Twofish to itself: its file as npm has it, with two more exports.
 *
 * @returns the path of that module
 */
export function writeOpenpgpModule(): string {
  const source = readFileSync('node_modules/openpgp/dist/openpgp.mjs', 'utf8');
  for (const declaration of ['async function OCB(cipher, key)', 'function TF(key)']) {
    if (!source.includes(declaration)) throw new Error(`openpgp has no ${declaration}`);
  }
  const path = resolve('.cache/bench/openpgp.mjs');
  mkdirSync(resolve('.cache/bench'), { recursive: true });
  writeFileSync(path, `${source}\nexport { OCB as ocbMode, TF as Twofish };\n`);
  return path;
}
