import { expect } from 'chai';
import type { BrowserSession } from './drivers/driver.ts';
import { BROWSERS, launch } from './drivers/launch.ts';
import { serve, type TestServer } from './server.ts';
import { bytes, connect, createVault, openEnabledSite, refusal, succeed } from './steps.ts';

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
      await (await createVault(session)).close();
    });

    after(async () => {
      await session.close();
      await server.close();
    });

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

  describe(`frames and strict pages, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;

    before(async () => {
      [session, server] = await Promise.all([launch(browser), serve('test/browser/fixtures')]);
      await (await createVault(session)).close();
    });

    after(async () => {
      await session.close();
      await server.close();
    });

    it('a page with CSP default-src none seals and opens like any other', async () => {
      const site = await openEnabledSite(session, `${server.origin}/blank.html?csp=none`);
      await connect(session, site);
      const sealed = await succeed(site, 'seal', bytes(4, 5, 6));
      expect(await succeed(site, 'open', sealed)).to.deep.equal(bytes(4, 5, 6));
      await site.close();
    });

    it('a page that the server sandboxes has no API', async () => {
      const site = await session.newTab(`${server.origin}/blank.html?csp=sandbox`);
      expect(await site.evaluate(() => 'sealwright' in globalThis)).to.equal(false);
      await site.close();
    });

    it('sandboxed and opaque frames have no API; cross-site frames have no answer', async () => {
      // The other site is enabled too: what refuses its frame is that it stands in this page.
      await (await openEnabledSite(session, `${server.otherOrigin}/blank.html`)).close();
      const site = await openEnabledSite(session, `${server.origin}/frames.html`);
      await site.waitUntil(() => {
        const { results } = globalThis as unknown as { results: object };
        return Object.keys(results).length === 5;
      });
      const results = await site.evaluate(
        () => (globalThis as unknown as { results: Record<string, string> }).results,
      );
      expect(results).to.deep.equal({
        'same-origin': 'answered',
        sandboxed: 'none',
        'sandboxed-srcdoc': 'none',
        data: 'none',
        'cross-origin': 'NOT_GRANTED',
      });
      await site.close();
    });

    it('a page that poisons its built-ins harms its own calls only', async () => {
      const site = await openEnabledSite(session, `${server.origin}/blank.html?poison`);
      const other = await openEnabledSite(session, `${server.otherOrigin}/blank.html`);
      await connect(session, other);
      const sealed = await succeed(other, 'seal', bytes(1));
      await site.evaluate(() => {
        Promise.prototype.then = () => {
          throw new Error('poisoned');
        };
      });
      await site
        .evaluate(() => {
          const target = Array.prototype as unknown as Record<PropertyKey, unknown>;
          target[Symbol.iterator] = () => ({ next: () => ({ done: true }) });
          Object.prototype.toString = () => 'poisoned';
          JSON.stringify = () => '{"result":"poisoned"}';
        })
        .catch(() => undefined);
      expect(await succeed(other, 'open', sealed)).to.deep.equal(bytes(1));
      await site.close();
      await other.close();
    });

    it('forged, replayed and malformed messages on the page’s window change nothing', async () => {
      const site = await openEnabledSite(session, `${server.origin}/blank.html?forge`);
      const before = await succeed(site, 'grants');
      await site.evaluate(() => {
        for (let i = 0; i < 2000; i++) {
          const { port1 } = new MessageChannel();
          const words = ['hello', 'sealwright', 'request', 'response', 'port', 'ui.unlock'];
          postMessage({ type: words[i % 6], sealwright: words[i % 5], id: i }, '*', [port1]);
          postMessage([words[i % 6], i], location.origin);
          dispatchEvent(
            new MessageEvent('message', { data: { method: 'ui.keys' }, source: window }),
          );
        }
      });
      expect(await succeed(site, 'grants')).to.deep.equal(before);
      expect(await refusal(site, 'ui.keys')).to.equal('TypeError');
      await site.close();
    });
  });
}
