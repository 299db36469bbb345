import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

// The npm package's built file lacks CTR and CBC; the sources it carries have them.
const FILES = ['sjcl', 'aes', 'bitArray', 'codecString', 'codecHex', 'ccm', 'gcm', 'cbc', 'ctr'];
const ENABLE_CTR = `sjcl.beware["CTR mode is dangerous because it doesn't protect message integrity."]();`;

/** Joins sjcl's own core files into one ES module and returns its path. */
export function writeSjclModule(): string {
  const core = FILES.map((name) => readFileSync(`node_modules/sjcl/core/${name}.js`, 'utf8'));
  const path = resolve('.cache/bench/sjcl.mjs');
  mkdirSync(resolve('.cache/bench'), { recursive: true });
  writeFileSync(path, [...core, ENABLE_CTR, 'export default sjcl;'].join('\n'));
  return path;
}
