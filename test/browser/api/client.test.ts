import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { build } from 'esbuild';
import type * as Client from '../../../src/client/library.ts';
import type { Sealwright } from '../../../src/client/library.ts';
import { BROWSERS } from '../drivers/launch.ts';
import type { Tab } from '../drivers/driver.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import type { Scene } from '../scene.ts';
import { connect } from '../steps.ts';

declare const client: typeof Client;
declare const sealwright: Sealwright;

/** The app of docs/client.md, "From an empty project". */
const SAMPLE = readFileSync('docs/client.md', 'utf8')
  .split('## From an empty project')[1]!
  .match(/```js\n([^]*?)```/)![1]!;

/** Its example of React, rendered as on a server and hydrated once Sealwright has answered. */
const HYDRATED = `
${readFileSync('docs/client.md', 'utf8').match(/```jsx\n([^]*?)```/)![1]!}
import { createElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
const place = Object.assign(document.createElement('div'), { id: 'react', innerHTML: renderToString(<Connection />) });
const seen = (globalThis.seen = [place.textContent]);
let root;
watch.subscribe(({ name }) => {
  if (name !== 'ready' || root) return;
  root = hydrateRoot(place, <Connection />, { onRecoverableError: (error) => seen.push(String(error)) });
  document.body.append(place);
});`;

/* The npm client in a page of an enabled site. */
for (const browser of BROWSERS) {
  describe(`the client in a page, in ${browser}`, function () {
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-client-'));
    let scene: Scene & { readonly site: Tab };

    before(async () => {
      await build({
        entryPoints: ['src/client/library.ts'],
        outfile: join(folder, 'client.js'),
        bundle: true,
        format: 'iife',
        globalName: 'client',
        logLevel: 'error',
      });
      await build({
        stdin: { contents: SAMPLE, resolveDir: '.' },
        outfile: join(folder, 'sample.js'),
        bundle: true,
        format: 'esm',
        logLevel: 'error',
      });
      await build({
        stdin: { contents: HYDRATED, resolveDir: '.', loader: 'jsx' },
        outfile: join(folder, 'hydrated.js'),
        bundle: true,
        format: 'esm',
        jsxFactory: 'createElement',
        logLevel: 'error',
      });
      scene = await openSharedSiteScene(browser, folder);
      await connect(scene.session, scene.site);
      await scene.site.evaluate(async () => {
        const script = document.createElement('script');
        script.src = '/client.js';
        const loaded = new Promise((resolve) => script.addEventListener('load', resolve));
        document.head.append(script);
        await loaded;
      });
    });
    after(async () => {
      await closeSharedSiteScene(scene);
      rmSync(folder, { recursive: true });
    });

    it('says by every method of an opened response that it was changed or cut off', async () => {
      const outcomes = await scene.site.evaluate(async () => {
        const sealed = await sealwright.seal(new Uint8Array(40_000).fill(7));
        const spoilt = {
          changed: sealed.with(-1, sealed.at(-1)! ^ 1),
          cut: sealed.slice(0, -20),
        };
        const codes: Record<string, unknown> = {};
        for (const [name, bytes] of Object.entries(spoilt)) {
          for (const read of ['arrayBuffer', 'blob', 'text', 'json'] as const) {
            const url = URL.createObjectURL(new Blob([bytes]));
            const response = client.openedResponse(sealwright, await fetch(url));
            codes[`${name} ${read}`] = await response[read]().then(
              () => 'opened',
              (error: unknown) => (error as { code?: unknown }).code,
            );
          }
        }
        return codes;
      });
      expect(Object.keys(outcomes)).to.have.length(8);
      for (const [name, code] of Object.entries(outcomes)) {
        expect(code, name).to.equal('AUTH_FAILED');
      }
    });

    it('is enough for the app of docs/client.md', async () => {
      const { site } = scene;
      await site.evaluate(() => {
        const app = Object.assign(document.createElement('div'), { id: 'app' });
        const script = document.createElement('script');
        Object.assign(script, { type: 'module', src: '/sample.js' });
        document.body.append(app, script);
      });
      await site.waitFor('#app button');
      // The grant that the scene has covers what the app asks for.
      await site.click('#app button');
      await site.waitUntil(
        () => document.querySelector('#app p')!.textContent.endsWith('you get Meet me at nine'),
        { timeoutMs: 30_000 },
      );
      expect(await site.text('#app p')).to.match(/^The server gets sw1\.[\w-]+, you get /);
    });

    it('gives the state to React, which hydrates what a server rendered without a difference', async () => {
      const { site } = scene;
      await site.evaluate(() => {
        const script = document.createElement('script');
        document.body.append(Object.assign(script, { type: 'module', src: '/hydrated.js' }));
      });
      await site.waitUntil(
        () => document.querySelector('#react')?.textContent === 'Connected to Sealwright. ',
        { timeoutMs: 30_000 },
      );
      const seen = await site.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
      expect(seen).to.deep.equal(['Looking for Sealwright … ']);
    });

    it('opens a response, and a clone of it', async () => {
      const texts = await scene.site.evaluate(async () => {
        const sealed = await sealwright.seal('{"text":"Meet me at nine"}');
        const url = URL.createObjectURL(new Blob([sealed]));
        const response = client.openedResponse(sealwright, await fetch(url));
        const copy = response.clone();
        return [await response.json(), await copy.text(), response.bodyUsed] as unknown[];
      });
      const text = '{"text":"Meet me at nine"}';
      expect(texts).to.deep.equal([JSON.parse(text), text, true]);
    });

    it('says that an answer of a server is not sealed', async () => {
      const errors = await scene.site.evaluate(async () => {
        const refusal = async (path: string) => {
          const response = await fetch(path);
          try {
            client.openedResponse(sealwright, response);
            return 'opened';
          } catch (error) {
            const { code, message } = error as { code: string; message: string };
            return `${code} ${message}`;
          }
        };
        return [await refusal('/missing.sealed'), await refusal('/no-content')];
      });
      expect(errors).to.deep.equal([
        'BAD_RESPONSE The server answered 404',
        'BAD_RESPONSE The server answered 204 without a body',
      ]);
    });
  });
}
