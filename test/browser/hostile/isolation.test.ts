import { expect } from 'chai';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { BrowserSession } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { closeScene, openVaultScene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import {
  bytes,
  connect,
  createVault,
  openEnabledSite,
  openSitePopup,
  refusal,
  SEAL_AND_OPEN,
  succeed,
} from '../steps.ts';

/** Paths of all files of the built extension. */
async function extensionFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

/**
 * Loads each address in every way that a page has.
 *
 * @returns the ways in which one was loaded, and all errors without their addresses. Runs in the page.
 */
async function tryToLoad(addresses: string[]): Promise<{ loaded: string[]; errors: string[] }> {
  const loaded: string[] = [];
  const errors = new Set<string>();
  const failed = (way: string, error: unknown, address: string): void =>
    void errors.add(`${way}: ${String(error).replaceAll(address, '')}`);
  const byElement = (way: string, element: HTMLElement, address: string): Promise<void> =>
    new Promise((resolve) => {
      element.onload = () => {
        loaded.push(`${way} ${address}`);
        resolve();
      };
      element.onerror = (event) => {
        failed(way, event instanceof Event ? event.type : event, address);
        resolve();
      };
      document.head.append(element);
    });
  const tryOne = async (address: string): Promise<void> => {
    for (const mode of ['cors', 'no-cors'] as const) {
      const fetching = fetch(address, { mode, cache: 'no-store' });
      await fetching.then(
        () => loaded.push(`${mode} ${address}`),
        (error: unknown) => failed(mode, error, address),
      );
    }
    await byElement(
      'script',
      Object.assign(document.createElement('script'), { src: address }),
      address,
    );
    await byElement(
      'image',
      Object.assign(document.createElement('img'), { src: address }),
      address,
    );
    const sheet = { rel: 'stylesheet', href: address };
    await byElement('sheet', Object.assign(document.createElement('link'), sheet), address);
  };
  await Promise.all(addresses.map(tryOne));
  return { loaded, errors: [...errors].sort() };
}

/* Who is served, and who does not even see that there is something. */
for (const browser of BROWSERS) {
  describe(`a site that is not enabled, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;

    before(async () => {
      [session, server] = await Promise.all([
        launch(browser, { allowedHosts: [] }),
        serve('test/browser/fixtures'),
      ]);
      await createVault(session);
    });

    after(() => closeScene({ session, server }));

    it('sees nothing at all', async () => {
      const site = await session.newTab(`${server.origin}/blank.html`);
      const seen = await site.evaluate(async (ownPage) => {
        const announced = await new Promise((resolve) => {
          addEventListener('sealwright:announce', () => resolve(true));
          dispatchEvent(new Event('sealwright:request'));
          setTimeout(() => resolve(false), 300);
        });
        const loaded = await fetch(ownPage).then(
          () => true,
          () => false,
        );
        const traces = Object.getOwnPropertyNames(globalThis).filter((name) => /seal/i.test(name));
        return {
          announced,
          loaded,
          traces,
          random: 'random' in crypto,
          marks: document.documentElement.outerHTML.match(/seal/gi),
        };
      }, session.extensionUrl('popup.html'));
      expect(seen).to.deep.equal({
        announced: false,
        loaded: false,
        traces: [],
        random: false,
        marks: null,
      });
    });

    it('has the globals of a document that gets no scripts, and hears no answer to a hello', async () => {
      const site = await session.newTab(`${server.origin}/blank.html`);
      const differences = await site.evaluate(async () => {
        const namesOf = () =>
          Object.entries({ globalThis, document, navigator, crypto, Document, Window })
            .flatMap(([of, object]) =>
              Object.getOwnPropertyNames(object).map((name) => `${of}.${name}`),
            )
            .concat(Object.getOwnPropertyNames(Crypto.prototype))
            .filter((name) => !/^globalThis\.(\d+|heard)$/.test(name));
        const here = namesOf();
        const frame = document.createElement('iframe');
        frame.setAttribute('sandbox', 'allow-scripts');
        frame.srcdoc = `<script>parent.postMessage((${String(namesOf)})(), '*')</script>`;
        const there = new Promise<string[]>((resolve) => {
          const hear = ({ data }: MessageEvent<string[]>) => Array.isArray(data) && resolve(data);
          addEventListener('message', hear, { once: true });
        });
        document.body.append(frame);
        const others = await there;
        frame.remove();
        const heard: unknown[] = [];
        addEventListener('message', ({ data }) => heard.push(data));
        const hello = { sealwright: 'page-hello' };
        postMessage(hello, '*');
        dispatchEvent(new Event('sealwright:request'));
        postMessage('end', '*');
        while (!heard.includes('end')) await new Promise((resume) => setTimeout(resume, 20));
        await new Promise((resume) => setTimeout(resume, 300));
        return {
          names: [
            ...here.filter((name) => !others.includes(name)),
            ...others.filter((name) => !here.includes(name)),
          ],
          heard,
        };
      });
      expect(differences).to.deep.equal({
        names: [],
        heard: [{ sealwright: 'page-hello' }, 'end'],
      });
      await site.close();
    });

    it('loads no file of the extension, and gets the errors of an extension that is not there', async () => {
      const site = await session.newTab(`${server.origin}/blank.html`);
      const files = await extensionFiles(`dist/${browser}`);
      const own = session.extensionUrl('');
      const absent = own.replace(
        /^(.*\/\/)(.*)\/$/,
        (_, start: string, host: string) => `${start}${Array.from(host).reverse().join('')}/`,
      );
      const [found, missing] = [
        await site.evaluate(
          tryToLoad,
          files.map((file) => `${own}${file}`),
        ),
        await site.evaluate(
          tryToLoad,
          files.map((file) => `${absent}${file}`),
        ),
      ];
      expect(files.length).to.be.greaterThan(20);
      expect(found.loaded).to.deep.equal([]);
      expect(found.errors).to.deep.equal(missing.errors);
      expect(found.errors.length).to.be.greaterThan(3);
      await site.close();
    });

    it('cannot frame the extension’s pages', async () => {
      const site = await session.newTab(`${server.origin}/blank.html`);
      for (const page of ['popup.html', 'prompt.html']) {
        const reached = await site.evaluate(async (url) => {
          const frame = document.createElement('iframe');
          frame.src = url;
          document.body.append(frame);
          await new Promise((resume) => setTimeout(resume, 700));
          // What was blocked is an error page or stays blank; neither posts nor has our document.
          return frame.contentWindow?.length ?? 0;
        }, session.extensionUrl(page));
        expect(reached, page).to.equal(0);
        expect(await session.countFrames(session.extensionUrl(page)), page).to.equal(0);
      }
    });
  });

  describe(`an enabled site, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;

    before(async () => {
      ({ session, server } = await openVaultScene(browser));
    });

    after(() => closeScene({ session, server }));

    it('with CSP default-src none seals and opens like any other', async () => {
      const site = await openEnabledSite(session, `${server.origin}/blank.html?csp=none`);
      await connect(session, site);
      const sealed = await succeed(site, 'seal', bytes(4, 5, 6));
      expect(await succeed(site, 'open', sealed)).to.deep.equal(bytes(4, 5, 6));
      await site.close();
    });

    it('gets nothing in its open tabs once the user has turned it off', async () => {
      const site = await openEnabledSite(session, `${server.otherOrigin}/blank.html`);
      await connect(session, site);
      const calls = [
        () => refusal(site, 'status'),
        () => refusal(site, 'random', 8),
        () => refusal(site, 'grants'),
        () => refusal(site, 'seal', bytes(1)),
        () => refusal(site, 'connect', SEAL_AND_OPEN),
      ];
      for (const call of calls.slice(0, -1)) expect(await call()).to.equal('none');
      const popup = await openSitePopup(session, site);
      await popup.click('.disable-site button');
      await popup.click('.disable-site .button-danger');
      await popup.waitFor('#enable-site');
      await popup.close();
      for (const call of calls) expect(await call()).to.equal('UNSUPPORTED');
      expect(await session.countTabs('prompt.html')).to.equal(0);
      await site.close();
    });
  });
}
