import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { serve, type TestServer } from '../server.ts';
import { choose, connect, createVault, openEnabledSite, refusal, succeed } from '../steps.ts';

const CONTEXT = { context: 'note 7' };
const SELECT = '.moved-data select';

for (const browser of BROWSERS) {
  describe(`an app that moves to another address in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let oldSite: Tab;
    let newSite: Tab;
    let sealed: string;

    before(async () => {
      session = await launch(browser);
      server = await serve('test/browser/fixtures');
      await createVault(session);
      oldSite = await openEnabledSite(session, `${server.origin}/blank.html`);
      await connect(session, oldSite);
      sealed = (await succeed(oldSite, 'sealText', 'Meet me at nine', CONTEXT)) as string;
      newSite = await openEnabledSite(session, `${server.otherOrigin}/blank.html`);
      await connect(session, newSite);
    });
    after(async () => {
      await session.close();
      await server.close();
    });

    const openText = () => succeed(newSite, 'openText', sealed, CONTEXT);
    const hears = (site: Tab): Promise<void> =>
      site.evaluate(() => {
        type Page = typeof globalThis & { sealwright: EventTarget; changes: number };
        const page = globalThis as Page;
        page.changes = 0;
        page.sealwright.addEventListener('grantchange', () => (page.changes += 1));
      });
    const heard = (site: Tab, count: number): Promise<void> =>
      site.waitUntil(
        (wanted) => (globalThis as unknown as { changes: number }).changes === wanted,
        {},
        count,
      );

    /** The manager, at the settings of the new address. */
    async function openSettings(): Promise<Tab> {
      const manager = await session.newTab(session.extensionUrl('manager.html#sites'));
      await manager.waitFor('#sites summary');
      await manager.evaluate((host) => {
        const rows = [...document.querySelectorAll<HTMLElement>('#sites summary')];
        rows.find(({ textContent }) => textContent.includes(host))!.click();
      }, '127.0.0.1');
      await manager.waitFor('.moved-data');
      return manager;
    }

    it('opens nothing at the new one, which learns no more than of a key on another device', async () => {
      const told = await newSite.evaluate(
        async (text, options) => {
          type Api = { openText(...words: unknown[]): Promise<string> };
          const { sealwright } = globalThis as unknown as { sealwright: Api };
          try {
            return { code: await sealwright.openText(text, options), message: '', data: [] };
          } catch (error) {
            const { code, message, data } = error as Error & { code: string; data: object };
            return { code, message, data: Object.keys(data) };
          }
        },
        sealed,
        CONTEXT,
      );
      expect(told.code).to.equal('NEEDS_KEY');
      expect(told.message).to.match(/of another address, on another device, or not granted/);
      expect(told.data).to.deep.equal(['headerKeyId']);
    });

    it('shows both names, and what is at stake, before the user lets it', async () => {
      await hears(newSite);
      const manager = await openSettings();
      await choose(manager, SELECT, server.origin);
      await manager.waitFor('.moved-data .origin');
      const names = await manager.evaluate(() =>
        Array.from(
          document.querySelectorAll('.moved-data .origin-name'),
          ({ textContent }) => textContent,
        ),
      );
      expect(names).to.deep.equal([server.origin, server.otherOrigin]);
      expect(await manager.text('.moved-data .banner-warning')).to.include(
        'belong to the same people',
      );
      expect(await refusal(newSite, 'openText', sealed, CONTEXT)).to.equal('NEEDS_KEY');
      await manager.click('.moved-data .confirm-opener button');
      await manager.waitFor('.moved-data .button-danger');
      await manager.click('.moved-data .button-danger');
      await manager.waitFor('.moved-data .rows');
      await manager.close();
      await heard(newSite, 1);
      expect(await openText()).to.equal('Meet me at nine');
    });

    it('brings its rows over, with their own keys from then on', async () => {
      const outcome = await newSite.evaluate(async (text: string) => {
        type Api = Record<
          'open' | 'rewrap' | 'seal' | 'inspect',
          (...words: unknown[]) => Promise<never>
        >;
        const { sealwright } = globalThis as unknown as { sealwright: Api };
        const bytes = Uint8Array.from(
          atob(text.slice(4).replaceAll('-', '+').replaceAll('_', '/')),
          (one) => one.charCodeAt(0),
        );
        const moved: Uint8Array = await sealwright.rewrap(bytes, { context: 'note 7' });
        const fresh = await sealwright.seal('x');
        const idOf = async (message: unknown) =>
          ((await sealwright.inspect(message)) as { headerKeyId: string }).headerKeyId;
        const opened: Uint8Array = await sealwright.open(moved, { context: 'note 7' });
        return {
          text: new TextDecoder().decode(opened),
          isOwn: (await idOf(moved)) === (await idOf(fresh)),
        };
      }, sealed);
      expect(outcome).to.deep.equal({ text: 'Meet me at nine', isOwn: true });
    });

    it('is taken back by one press, and is in the log of both', async () => {
      const manager = await openSettings();
      await manager.click('.moved-data .rows button');
      await manager.waitUntil(() => document.querySelector('.moved-data .rows') === null);
      await heard(newSite, 2);
      expect(await refusal(newSite, 'openText', sealed, CONTEXT)).to.equal('NEEDS_KEY');
      await manager.close();
      for (const site of [server.origin, server.otherOrigin]) {
        const log = await session.newTab(
          session.extensionUrl(`manager.html#activity?site=${encodeURIComponent(site)}`),
        );
        await log.waitUntil(
          (words) => words.every((one) => document.body.textContent.includes(one)),
          {},
          ['data of another address allowed', 'data of another address taken back'],
        );
        await log.close();
      }
    });
  });
}
