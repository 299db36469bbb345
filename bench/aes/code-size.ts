import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';
import { encryptSource, ROUNDS_PER_TURN } from './unrolled-source.ts';
import { unrolledName } from './unrolling-row.ts';
import type { CodeSize } from '../result.ts';

/*
 * The AES core alone: tables (or what computes them), key schedules for three sizes, block
 * encryption and decryption. Ours is the very source that the speed rows run. Of the peers, the
 * smallest set of files that does the same, bundled and minified by the same tools.
 */
const CORES: readonly { name: string; source: string }[] = [
  { name: 'Sealwright js', source: `export { Aes } from './src/crypto/aes/block.ts';` },
  { name: '@noble/ciphers', source: `export { ecb } from '@noble/ciphers/aes.js';` },
  { name: 'aes-js', source: `import a from 'aes-js'; export const { AES } = a;` },
  {
    name: 'browserify-aes',
    source: `import a from 'browserify-aes/aes.js'; export const { AES } = a;`,
  },
  {
    name: 'crypto-js',
    source: `import a from 'crypto-js/aes.js'; export const { encrypt } = a;`,
  },
  { name: 'node-forge', source: `import a from 'node-forge/lib/aes.js'; export default a.aes;` },
];

const SJCL_CORE = ['sjcl', 'aes'].map((name) => `node_modules/sjcl/core/${name}.js`);

export async function measureCodeSize(): Promise<CodeSize[]> {
  const sizes = [];
  for (const { name, source } of CORES) sizes.push(await sizeOf(name, await bundle(source)));
  const sjcl = SJCL_CORE.map((path) => readFileSync(path, 'utf8')).join('\n');
  sizes.push(await sizeOf('sjcl', `${sjcl}\nexport default sjcl;`));
  return sizes;
}

/** The variants of the study of unrolling: the function alone. */
export async function measureUnrolledSize(): Promise<CodeSize[]> {
  const sizes = [];
  for (const rounds of ROUNDS_PER_TURN) {
    sizes.push(await sizeOf(unrolledName(rounds), `export const f = ${encryptSource(rounds)};`));
  }
  return sizes;
}

async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: '.', loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    // Node's own modules are not a peer's code.
    external: ['buffer', 'crypto', 'stream'],
    treeShaking: true,
  });
  return outputFiles[0]!.text;
}

export async function sizeOf(name: string, code: string): Promise<CodeSize> {
  const { code: minified } = await minify(code, {
    module: true,
    toplevel: true,
    compress: { passes: 3, unsafe_math: true },
    mangle: { properties: { regex: /^_|^#/ } },
  });
  const bytes = Buffer.from(minified!);
  return { name, minifiedBytes: bytes.length, brotliBytes: brotliCompressSync(bytes).length };
}
