import { resolve } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { writeUnrolledModule } from './aes/unrolled-source.ts';
import { writeOpenpgpModule } from './peers/openpgp-source.ts';
import { writeSjclModule } from './peers/sjcl-source.ts';

/*
 * Everything that is timed is bundled first, in Node as in browsers, peers and our engines alike:
 * that is how applications run it, and a loader that compiles modules one by one (tsx) halves the
 * speed of some kernels, of ours more than of peers that come as one file.
 */

/**
 * @param rows the module of a suite's rows
 * @param outfile ends in .mjs
 */
export async function bundleForNode(rows: string, outfile: string): Promise<void> {
  await build({
    ...shared(rows, 'serveProcess', './bench/in-process.ts'),
    outfile,
    platform: 'node',
    // Some peers are CommonJS and ask for Node's own modules.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
    alias: aliases(),
  });
}

/** @param rows the module of a suite's rows */
export async function bundleForBrowser(rows: string, outfile: string): Promise<void> {
  await build({
    ...shared(rows, 'serveWorker', './bench/in-worker.ts'),
    outfile,
    platform: 'browser',
    alias: { ...aliases(), ...BROWSERIFIED },
    define: { global: 'globalThis' },
    inject: [resolve('bench/peers/browser-globals.ts')],
  });
}

/** The script of the engine wasm-threads, which looks for it beside the bundle that it is in. */
export async function bundleThreadsWorker(folder: string): Promise<void> {
  const entryPoints = ['src/engine/threads/worker.ts'];
  const outfile = `${folder}/threads-worker.js`;
  await build({ entryPoints, outfile, bundle: true, format: 'esm', target: 'es2022' });
}

function shared(rows: string, serve: string, server: string): BuildOptions {
  return {
    stdin: {
      contents: `
        import { rows } from './${rows}';
        import { ${serve} } from '${server}';
        ${serve}(rows);`,
      resolveDir: '.',
    },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    mainFields: ['browser', 'module', 'main'],
    logLevel: 'error',
  };
}

/** Modules that the bench makes, and nothing in place of Node's crypto for those who fall back on it. */
const aliases = () => ({
  'sjcl-joined': writeSjclModule(),
  'openpgp-ocb': writeOpenpgpModule(),
  'unrolled-rounds': writeUnrolledModule(),
  crypto: resolve('bench/peers/no-crypto.ts'),
});

/** browserify's libraries expect Node's modules; these are the packages that it gives them. */
const BROWSERIFIED = {
  buffer: resolve('node_modules/buffer/index.js'),
  stream: resolve('node_modules/stream-browserify/index.js'),
};
