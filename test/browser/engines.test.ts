import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import type { Plugin } from 'esbuild';
import { build } from 'esbuild';
import { makeWasm } from '../../scripts/make-wasm.ts';
import { vectorsFolder } from '../support/vectors.ts';
import type { Tab } from './drivers/driver.ts';
import { BROWSERS, launch } from './drivers/launch.ts';
import { serve } from './server.ts';

/*
 * The same mocha files that hold the engines in Node, run inside each browser: its WebCrypto is
 * another implementation, its JavaScript engine another compiler.
 */

/** Of this process: the other browser's tests may run beside it. */
const FOLDER = mkdtempSync(join(tmpdir(), 'sealwright-engines-'));
const NODE = resolve('test/browser/in-page/node-modules.ts');

/** Suites that load the WebAssembly modules fetch them here. */
const LOADER_IN_PAGE: Plugin = {
  name: 'loader-in-page',
  setup: (bundler) =>
    bundler.onResolve({ filter: /support\/wasm\.ts$/ }, () => ({
      path: resolve('test/browser/in-page/wasm.ts'),
    })),
};

const PAGE = `<!doctype html>
<meta charset="utf-8" />
<title>conformance</title>
<div id="mocha"></div>
<script src="mocha.js"></script>
<script>mocha.setup({ ui: 'bdd', timeout: 120000, reporter: 'json' });</script>
<script type="module" src="suites/engines/bundle.js"></script>
<script type="module">
  globalThis.report = undefined;
  mocha.run().on('end', function () {
    globalThis.report = this.stats;
  }).on('fail', (test, error) => failures.push(test.fullTitle() + ': ' + error.message));
</script>`;

interface InPage {
  report?: { passes: number; failures: number; pending: number };
  failures: string[];
}

async function buildPage(): Promise<void> {
  mkdirSync(`${FOLDER}/shared`, { recursive: true });
  const vectors = vectorsFolder();
  if (vectors !== undefined) {
    symlinkSync(resolve(vectors), `${FOLDER}/shared/vectors`);
    const classical = resolve(vectors, '../classical');
    if (existsSync(classical)) symlinkSync(classical, `${FOLDER}/shared/classical`);
  }
  await makeWasm(`${FOLDER}/wasm`);
  copyFileSync('node_modules/mocha/mocha.js', `${FOLDER}/mocha.js`);
  writeFileSync(
    `${FOLDER}/index.html`,
    PAGE.replace('<script type="module" src', '<script>globalThis.failures = [];</script>$&'),
  );
  await build({
    entryPoints: ['test/browser/in-page/entry.ts'],
    // Two folders deep, as test/support/vectors.ts is: it finds the checkout from there.
    outfile: `${FOLDER}/suites/engines/bundle.js`,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    alias: { 'node:fs': NODE, 'node:url': NODE, buffer: resolve('node_modules/buffer/index.js') },
    inject: [NODE],
    plugins: [LOADER_IN_PAGE],
    define: { global: 'globalThis' },
    logLevel: 'error',
  });
}

async function outcome(tab: Tab): Promise<{ report: InPage['report']; failures: string[] }> {
  await tab.waitUntil(() => (globalThis as unknown as InPage).report !== undefined, {
    timeoutMs: 560_000,
  });
  return await tab.evaluate(() => {
    const { report, failures } = globalThis as unknown as InPage;
    return { report, failures };
  });
}

describe('the engines', () => {
  before(buildPage);
  after(() => rmSync(FOLDER, { recursive: true }));

  for (const browser of BROWSERS) {
    it(`hold the conformance suites inside ${browser}`, async function () {
      this.timeout(600_000);
      const server = await serve(FOLDER, '.');
      const session = await launch(browser);
      try {
        const tab = await session.newTab(`${server.origin}/index.html`);
        const { report, failures } = await outcome(tab);
        console.log(`      ${report!.passes} tests passed inside ${session.version}`);
        expect(failures).to.deep.equal([]);
        expect(report!.passes).to.be.greaterThan(50);
      } finally {
        await session.close();
        await server.close();
      }
    });
  }
});
