import { resolve } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { writeSjclModule } from './sjcl-source.ts';

/*
 * Everything that is timed is bundled first, in Node as in browsers, peers and our engines alike:
 * that is how applications run it, and a loader that compiles modules one by one (tsx) halves the
 * speed of some kernels, of ours more than of peers that come as one file.
 */

/** For Node's own modules that peers ask for; Node itself has no need of the other packages. */
const NO_CRYPTO = resolve('bench/no-crypto.ts');
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

const shared = (): BuildOptions => ({
  bundle: true,
  format: 'esm',
  target: 'es2022',
  mainFields: ['browser', 'module', 'main'],
  logLevel: 'error',
});

/** @param outfile ends in .mjs */
export async function bundleForNode(entry: string, outfile: string): Promise<void> {
  await build({
    ...shared(),
    entryPoints: [entry],
    outfile,
    platform: 'node',
    banner: { js: REQUIRE },
    alias: { 'sjcl-joined': writeSjclModule(), crypto: NO_CRYPTO },
  });
}

export async function bundleForBrowser(entry: string, outfile: string): Promise<void> {
  await build({
    ...shared(),
    entryPoints: [entry],
    outfile,
    platform: 'browser',
    alias: { 'sjcl-joined': writeSjclModule(), ...BROWSERIFIED, crypto: NO_CRYPTO },
    define: { global: 'globalThis' },
    inject: [resolve('bench/browser-globals.ts')],
  });
}

/** browserify-aes expects Node's modules; these are the packages that browserify gives it. */
const BROWSERIFIED = {
  buffer: resolve('node_modules/buffer/index.js'),
  stream: resolve('node_modules/stream-browserify/index.js'),
};
