import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { build } from 'esbuild';
import type { BrowserSession } from './drivers/driver.ts';
import { BROWSERS, launch } from './drivers/launch.ts';
import { closeScene } from './scene.ts';
import { serve, type TestServer } from './server.ts';
import { createVault, openEnabledSite } from './steps.ts';

interface Outcome {
  readonly result: string;
  readonly calls: number;
}
declare const libraries: () => Promise<Record<'jose' | 'hpke' | 'x509', Outcome>>;

/** The sample of docs/subtle.md. */
const SAMPLE = /```js\n(import [^]*? from 'jose';[^]*?)```/.exec(
  readFileSync('docs/subtle.md', 'utf8'),
)![1]!;

/* Libraries that know nothing of Sealwright, with keys that live in it. */
for (const browser of BROWSERS) {
  describe(`libraries over sealwright.subtle, in ${browser}`, function () {
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-libraries-'));
    let session: BrowserSession;
    let server: TestServer;

    before(async () => {
      writeFileSync(
        join(folder, 'index.html'),
        '<!doctype html><meta charset="utf-8"><title>libraries</title>',
      );
      await build({
        entryPoints: ['test/browser/in-page/subtle-libraries.ts'],
        outfile: join(folder, 'libraries.js'),
        bundle: true,
        format: 'esm',
        logLevel: 'error',
      });
      await build({
        stdin: { contents: `${SAMPLE}\nglobalThis.sample = payload.scope;`, resolveDir: '.' },
        outfile: join(folder, 'sample.js'),
        bundle: true,
        format: 'esm',
        logLevel: 'error',
      });
      [session, server] = await Promise.all([launch(browser), serve(folder)]);
      await createVault(session);
    });

    after(async () => {
      await closeScene({ session, server });
      rmSync(folder, { recursive: true });
    });

    it('jose signs and encrypts, HPKE seals, x509 issues a certificate', async () => {
      const site = await openEnabledSite(session, `${server.origin}/index.html`);
      const outcomes = await site.evaluate(async () => {
        const script = document.createElement('script');
        Object.assign(script, { type: 'module', src: 'libraries.js' });
        const loaded = new Promise((resolve) => script.addEventListener('load', resolve));
        document.head.append(script);
        await loaded;
        return libraries();
      });
      const results = Object.entries(outcomes).map(([name, { result }]) => [name, result]);
      expect(Object.fromEntries(results)).to.deep.equal({
        jose: 'notes hello',
        hpke: 'hello',
        x509: 'CN=Sealwright true',
      });
      for (const [name, { calls }] of Object.entries(outcomes)) {
        expect(calls, name).to.be.greaterThan(3);
      }
    });

    it('jose works as docs/subtle.md says', async () => {
      const site = await openEnabledSite(session, `${server.origin}/index.html`);
      await site.evaluate(() => {
        const script = document.createElement('script');
        Object.assign(script, { type: 'module', src: 'sample.js' });
        document.head.append(script);
      });
      await site.waitUntil(() => 'sample' in globalThis, { timeoutMs: 30_000 });
      expect(await site.evaluate(() => (globalThis as { sample?: string }).sample)).to.equal(
        'notes',
      );
    });
  });
}
