import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import type { Plugin } from 'esbuild';
import { build } from 'esbuild';
import { PACKAGES, testDataFolder, type TestData } from '../../../scripts/test-data.mjs';
import { makeWasm } from '../../../scripts/make-wasm.ts';
import type { BrowserName, LaunchOptions, Tab } from '../drivers/driver.ts';
import { launch } from '../drivers/launch.ts';
import { serve } from '../server.ts';

const NODE = resolve('test/browser/in-page/node-modules.ts');

/** Suites that load the WebAssembly modules fetch them here. */
const LOADER_IN_PAGE: Plugin = {
  name: 'loader-in-page',
  setup: (bundler) =>
    bundler.onResolve({ filter: /support\/wasm\.ts$/ }, () => ({
      path: resolve('test/browser/in-page/wasm.ts'),
    })),
};
/** Where the packages of vectors are, for test/support/vectors.ts. */
const TEST_DATA_IN_PAGE: Plugin = {
  name: 'test-data-in-page',
  setup: (bundler) =>
    bundler.onResolve({ filter: /scripts\/test-data\.mjs$/ }, () => ({ path: NODE })),
};

const PAGE = `<!doctype html>
<meta charset="utf-8" />
<title>conformance</title>
<div id="mocha"></div>
<script src="mocha.js"></script>
<script>mocha.setup({ ui: 'bdd', timeout: 120000, reporter: 'json' });</script>
<script type="module">
  const failures = (globalThis.failures = []);
  const end = (stats) => { globalThis.report = stats; };
  // Awaited: suites wait for their engines before they describe themselves.
  const described = import('./suites/engines/bundle.js');
  described.then(() => {
    mocha.run().on('end', function () {
      end(this.stats);
    }).on('fail', (test, error) => failures.push(test.fullTitle() + ': ' + error.message));
  }, (error) => {
    failures.push(String(error));
    end({ passes: 0, failures: 1, pending: 0 });
  });
</script>`;

interface InPage {
  report?: { passes: number; failures: number; pending: number };
  failures: string[];
}

async function buildPage(folder: string, entry: string): Promise<void> {
  for (const name of Object.keys(PACKAGES) as TestData[]) {
    const data = testDataFolder(name);
    if (data !== undefined) symlinkSync(data, `${folder}/${name}`);
  }
  await makeWasm(`${folder}/wasm`);
  copyFileSync('node_modules/mocha/mocha.js', `${folder}/mocha.js`);
  writeFileSync(`${folder}/index.html`, PAGE);
  await build({
    entryPoints: [entry],
    // Two folders deep, as test/support/vectors.ts is: it finds the checkout from there.
    outfile: `${folder}/suites/engines/bundle.js`,
    bundle: true,
    // Suites describe themselves by being imported, whatever package.json says of the library's modules.
    ignoreAnnotations: true,
    format: 'esm',
    target: 'es2022',
    alias: { 'node:fs': NODE, 'node:url': NODE, buffer: resolve('node_modules/buffer/index.js') },
    inject: [NODE],
    plugins: [LOADER_IN_PAGE, TEST_DATA_IN_PAGE],
    define: { global: 'globalThis' },
    // The library's modules, which these suites load by test/support/wasm.ts.
    external: ['wasm:*'],
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

/** A page with suites for mocha, in a folder of this process. */
export class SuitesInPage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sealwright-suites-'));

  /** @param entry the file that imports the suites */
  build(entry: string): Promise<void> {
    return buildPage(this.#folder, entry);
  }

  /** Runs them all, and expects that more than `least` tests pass and none fails. */
  run(browser: BrowserName, least: number, options: Partial<LaunchOptions> = {}): Promise<void> {
    return this.inPage(
      browser,
      async (tab, version) => {
        const { report, failures } = await outcome(tab);
        console.log(`      ${report!.passes} tests passed inside ${version}`);
        expect(failures).to.deep.equal([]);
        expect(report!.passes).to.be.greaterThan(least);
      },
      options,
    );
  }

  /** Gives a file to the page. */
  write(name: string, text: string): void {
    writeFileSync(`${this.#folder}/${name}`, text);
  }

  /** Does anything with the page, whose entry has been loaded or is being loaded. */
  async inPage(
    browser: BrowserName,
    work: (tab: Tab, version: string) => Promise<void>,
    options: Partial<LaunchOptions> = {},
  ): Promise<void> {
    const server = await serve(this.#folder, '.');
    const session = await launch(browser, options);
    try {
      await work(await session.newTab(`${server.origin}/index.html`), session.version);
    } finally {
      await session.close();
      await server.close();
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
