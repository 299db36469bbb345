import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

// The npm package's built file lacks CTR, CBC, big numbers and more; the sources it carries have
// them. In the order in which they build on each other.
const CORE = ['sjcl', 'aes', 'bitArray', 'codecString', 'codecHex', 'codecBytes'];
const MODES = ['ccm', 'gcm', 'cbc', 'ctr'];
const HASHES = ['sha1', 'sha256', 'sha512', 'hmac', 'pbkdf2'];
const NUMBERS = ['random', 'bn'];

// What the library asks of those who use these modes.
const BEWARE = ['CTR', 'CBC']
  .map((mode) => `${mode} mode is dangerous because it doesn't protect message integrity.`)
  .map((warning) => `sjcl.beware[${JSON.stringify(warning)}]();`);

/** Joins sjcl's own core files into one ES module and returns its path. */
export function writeSjclModule(): string {
  const core = [...CORE, ...MODES, ...HASHES, ...NUMBERS].map((name) =>
    readFileSync(`node_modules/sjcl/core/${name}.js`, 'utf8'),
  );
  const path = resolve('.cache/bench/sjcl.mjs');
  mkdirSync(resolve('.cache/bench'), { recursive: true });
  // Its generator of random numbers asks Node for entropy through `require`, which bundles lack.
  writeFileSync(path, ['let require;', ...core, ...BEWARE, 'export default sjcl;'].join('\n'));
  return path;
}
