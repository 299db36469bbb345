import { expect } from 'chai';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserName, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { bytes, connect, openEnabledSite, succeed } from '../steps.ts';

/*
 * Another extension in the same browser (T8 of the threat model), which may read all pages of the sites:
 * what it reaches of this one by messages, ports and addresses, from its content script and its background.
 */

/** What it tries, in each of its worlds. Complete in itself: its source is a part of both of its scripts. */
async function tryToReach(id: string, home: string): Promise<string[]> {
  interface Port {
    postMessage(message: unknown): void;
    readonly onMessage: { addListener(listener: (message: unknown) => void): void };
    readonly onDisconnect: { addListener(listener: () => void): void };
  }
  interface Runtime {
    connect(id: string, how: { name: string }): Port;
    sendMessage(id: string, message: unknown): Promise<unknown>;
    readonly lastError: unknown;
  }
  const world = globalThis as unknown as Record<
    'browser' | 'chrome',
    { runtime: Runtime } | undefined
  >;
  const { runtime } = (world.browser ?? world.chrome)!;
  const request = { v: 1, kind: 'request', id: 'a', method: 'ui.state', params: {} };
  const reached: string[] = [];
  for (const name of ['sealwright', 'popup', '']) {
    await new Promise<void>((closed) => {
      try {
        const port = runtime.connect(id, { name });
        port.onMessage.addListener((message) => reached.push(`port ${JSON.stringify(message)}`));
        port.onDisconnect.addListener(() => {
          Boolean(runtime.lastError); // read, or Chromium reports it
          closed();
        });
        port.postMessage({ v: 1, kind: 'hello', codec: 'clone' });
        port.postMessage(request);
      } catch {
        closed();
      }
    });
  }
  const mark = 'sealwright: open the text at the mark';
  for (const message of [request, mark, 'sealwright: frame of the session x', { kind: 'ping' }]) {
    const answer = await runtime.sendMessage(id, message).catch(() => undefined);
    if (answer !== undefined && answer !== null) reached.push(`message ${JSON.stringify(answer)}`);
  }
  for (const file of ['popup.html', 'page.js', 'content.js', 'manifest.json']) {
    const response = await fetch(`${home}${file}`).catch(() => undefined);
    if (response !== undefined) reached.push(`file ${file}`);
  }
  return reached;
}

/** Its folder. A page of a site asks it by an event, and finds what it came to in an attribute. */
async function makeExtension(browser: BrowserName): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sealwright-second-'));
  const matches = ['http://localhost/*', 'http://127.0.0.1/*'];
  const work = `const __name = (value) => value; ${tryToReach.toString()}`;
  const name = { name: 'Second', version: '1' };
  const scripts = { content_scripts: [{ matches, js: ['content.js'], run_at: 'document_start' }] };
  const manifest =
    browser === 'chromium'
      ? {
          manifest_version: 3,
          ...name,
          ...scripts,
          host_permissions: matches,
          background: { service_worker: 'background.js' },
        }
      : {
          manifest_version: 2,
          ...name,
          ...scripts,
          permissions: matches,
          background: { scripts: ['background.js'] },
          browser_specific_settings: { gecko: { id: 'second@test.invalid' } },
        };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(
    join(folder, 'background.js'),
    `${work}
    (globalThis.browser ?? chrome).runtime.onMessage.addListener((args, sender, answer) => {
      tryToReach(...args).then(answer, (error) => answer([String(error)]));
      return true;
    });`,
  );
  await writeFile(
    join(folder, 'content.js'),
    `${work}
    addEventListener('try', async () => {
      const { dataset } = document.documentElement;
      const args = JSON.parse(dataset.try);
      const inPage = await tryToReach(...args).catch((error) => [String(error)]);
      const inBackground = await (globalThis.browser ?? chrome).runtime.sendMessage(args);
      dataset.tried = JSON.stringify({ inPage, inBackground });
    });`,
  );
  return folder;
}

/** Our id, as other extensions name it. */
async function idOf(browser: BrowserName, { session }: Scene): Promise<string> {
  if (browser === 'chromium') return new URL(session.extensionUrl('')).host;
  const text = await readFile('dist/firefox/manifest.json', 'utf8');
  type Manifest = { browser_specific_settings: { gecko: { id: string } } };
  return (JSON.parse(text) as Manifest).browser_specific_settings.gecko.id;
}

for (const browser of BROWSERS) {
  describe(`a second extension, in ${browser}`, () => {
    let folder: string;
    let scene: Scene;
    let site: Tab;

    before(async () => {
      folder = await makeExtension(browser);
      scene = await openVaultScene(browser, { besides: [folder] });
      site = await openEnabledSite(scene.session, `${scene.server.origin}/blank.html`);
      await connect(scene.session, site);
    });

    after(async () => {
      await closeScene(scene);
      await rm(folder, { recursive: true, force: true });
    });

    it('gets no answer to messages and ports, and no file, in a page and in its background', async () => {
      const home = scene.session.extensionUrl('');
      await site.evaluate(
        (...args) => {
          document.documentElement.dataset.try = JSON.stringify(args);
          dispatchEvent(new Event('try'));
        },
        await idOf(browser, scene),
        home,
      );
      await site.waitUntil(() => document.documentElement.dataset.tried !== undefined);
      const tried = await site.evaluate(() => document.documentElement.dataset.tried!);
      expect(JSON.parse(tried)).to.deep.equal({ inPage: [], inBackground: [] });
      expect(await scene.session.countTabs('fields-window.html')).to.equal(0);
      const sealed = await succeed(site, 'seal', bytes(1, 2));
      expect(await succeed(site, 'open', sealed)).to.deep.equal(bytes(1, 2));
    });
  });
}
