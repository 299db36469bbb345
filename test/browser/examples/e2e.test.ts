import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import puppeteer, { type Browser, type WebWorker } from 'puppeteer-core';
import type { SealwrightTest } from '../../../extension/test-zip/background.ts';
import { freePort } from '../../servers/server.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { serve, type TestServer } from '../server.ts';

/*
 * The test zip: the project of examples/e2e as a stranger runs it, with the packages that its package.json pins, and
 * what the calls of a test do in the browser.
 */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const TOOLS = ['playwright', 'playwright-core', 'puppeteer-core'];

(BROWSERS.includes('chromium') ? describe : describe.skip)(
  'the test zip, in chromium',
  function () {
    this.timeout(180_000);

    describe('in the project of examples/e2e', () => {
      let folder: string;

      before(() => {
        folder = mkdtempSync(join(tmpdir(), 'sealwright-e2e-'));
        cpSync('examples/e2e', folder, { recursive: true });
        mkdirSync(join(folder, 'node_modules'));
        for (const name of TOOLS)
          symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
      });
      after(() => rmSync(folder, { recursive: true, force: true }));

      async function run(...words: string[]): Promise<string> {
        const env = {
          ...process.env,
          ...{
            CHROMIUM,
            NO_SANDBOX: '1',
            SEALWRIGHT_TEST: resolve('dist/test'),
            PORT: String(await freePort()),
          },
        };
        const { status, stdout, stderr } = spawnSync(process.execPath, words, {
          cwd: folder,
          env,
          encoding: 'utf8',
        });
        expect(status, stdout + stderr).to.equal(0);
        return stdout;
      }

      it('has the packages that are installed here', () => {
        const { devDependencies } = JSON.parse(
          readFileSync(join(folder, 'package.json'), 'utf8'),
        ) as {
          devDependencies: Record<string, string>;
        };
        for (const [name, version] of Object.entries(devDependencies)) {
          const installed = JSON.parse(
            readFileSync(`node_modules/${name}/package.json`, 'utf8'),
          ) as { version: string };
          expect(installed.version, name).to.equal(version);
        }
      });

      it('runs by Playwright', async () => {
        expect(await run('node_modules/playwright/cli.js', 'test', '--reporter=line')).to.include(
          '4 passed',
        );
      });

      it('runs by Puppeteer', async () => {
        expect(await run('--test', '--test-reporter=tap', 'puppeteer.test.mjs')).to.include(
          '# pass 1',
        );
      });

      it('runs what docs/e2e.md shows of both', async () => {
        const [byPlaywright, byPuppeteer] = [
          ...readFileSync('docs/e2e.md', 'utf8').matchAll(/^```js\n([^]*?)^```/gm),
        ].map(([, code]) =>
          code!
            .replace("'sealwright-test'", 'process.env.SEALWRIGHT_TEST')
            .replace("from 'puppeteer'", "from 'puppeteer-core'")
            .replace("channel: 'chromium',", '$& executablePath: process.env.CHROMIUM,')
            .replace(
              'pipe: true,',
              "$& executablePath: process.env.CHROMIUM, args: ['--no-sandbox'],",
            ),
        );
        const opened = "await page.goto('http://localhost:' + process.env.PORT);";
        const found = "await page.waitForFunction(() => 'sealwright' in globalThis);";
        writeFileSync(
          join(folder, 'documents.spec.mjs'),
          `${byPlaywright}\ntest('documents', async ({ page }) => { ${opened} ${found} });`,
        );
        const playwright = [
          'node_modules/playwright/cli.js',
          'test',
          'documents',
          '--reporter=line',
        ];
        expect(await run(...playwright)).to.include('1 passed');
        writeFileSync(
          join(folder, 'documents.mjs'),
          `${byPuppeteer}\nconst all = await worker.evaluate(() => sealwrightTest.prompts());
          console.log('prompts:', all.length);\nawait browser.close();`,
        );
        expect(await run('documents.mjs')).to.include('prompts: 0');
      });
    });

    describe('answers prompts by script', () => {
      type Global = typeof globalThis & { readonly sealwrightTest: SealwrightTest };
      let browser: Browser;
      let server: TestServer;
      let user: WebWorker;

      before(async () => {
        server = await serve('test/browser/fixtures');
        browser = await puppeteer.launch({
          executablePath: CHROMIUM,
          pipe: true,
          enableExtensions: [resolve('dist/test')],
          args: ['--no-sandbox'],
        });
        const target = await browser.waitForTarget((one) =>
          one.url().endsWith('/test-background.js'),
        );
        user = (await target.worker())!;
        // The browser tells of the worker before its script has run.
        while (!(await user.evaluate(() => 'sealwrightTest' in globalThis))) continue;
        await user.evaluate(() => (globalThis as unknown as Global).sealwrightTest.createVault());
      });
      after(async () => {
        await browser.close();
        await server.close();
      });

      /** A page of a site that asks, and what it got: `ok`, or the code of the error. */
      async function asked(origin: string): Promise<string> {
        const page = await browser.newPage();
        await page.goto(`${origin}/blank.html`);
        await page.waitForFunction(() => 'sealwright' in globalThis);
        const said = await page.evaluate(() =>
          (
            globalThis as unknown as { sealwright: { connect(request: object): Promise<unknown> } }
          ).sealwright
            .connect({ purpose: 'To test', capabilities: ['seal'] })
            .then(
              () => 'ok',
              (error: unknown) => (error as { code: string }).code,
            ),
        );
        await page.close();
        return said;
      }

      it('denies, closes and allows, and opens no window for it', async () => {
        const answers = (each: 'allow' | 'deny' | 'close') =>
          user.evaluate((said) => (globalThis as Global).sealwrightTest.answers(said), each);
        const before = browser.targets().filter((one) => one.type() === 'page').length;
        // A site that was refused has to wait before it may ask again.
        const sites = {
          deny: server.origin,
          close: server.origin.replace('localhost', '127.0.0.1'),
          allow: server.origin.replace('localhost', 'a.localhost'),
        };
        for (const each of ['deny', 'close', 'allow'] as const) {
          await answers(each);
          expect(await asked(sites[each]), each).to.equal(
            each === 'allow' ? 'ok' : 'USER_REJECTED',
          );
        }
        const prompts = await user.evaluate(() => (globalThis as Global).sealwrightTest.prompts());
        expect(prompts.map(({ origin, purpose }) => [origin, purpose])).to.deep.equal(
          Object.values(sites).map((origin) => [origin, 'To test']),
        );
        const targets = browser.targets();
        expect(targets.some((one) => one.url().includes('prompt.html'))).to.equal(false);
        expect(targets.filter((one) => one.type() === 'page')).to.have.length(before);
      });

      it('shows the band on a page of a site and on those of the extension', async () => {
        const home = new URL('/', user.url()).href;
        for (const url of [
          `${server.origin}/blank.html`,
          `${home}popup.html`,
          `${home}manager.html`,
        ]) {
          const page = await browser.newPage();
          await page.goto(url);
          const band = await page.evaluate(() => {
            const { content, backgroundColor } = getComputedStyle(
              document.documentElement,
              '::after',
            );
            return [content, backgroundColor];
          });
          expect(band, url).to.deep.equal([
            '"Sealwright TEST: this copy protects nothing"',
            'rgb(176, 0, 32)',
          ]);
          await page.close();
        }
      });
    });
  },
);
