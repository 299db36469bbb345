import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import type { TestServer } from '../server.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import { connect, openSitePopup, refusal, showIn, succeed } from '../steps.ts';
import { layoutFaults } from '../../support/views/layout-faults.ts';

interface Api {
  seal(plaintext: Uint8Array, options?: object): Promise<Uint8Array>;
  open(sealed: Uint8Array): Promise<Uint8Array>;
  sealBlob(plaintext: Blob, options?: object): Promise<Blob>;
  openBlob(sealed: Blob): Promise<Blob>;
  openMany(items: Uint8Array[]): Promise<{ ok: boolean }[]>;
  sealStream(options?: object): TransformStream<Uint8Array, Uint8Array>;
  openStream(): TransformStream<Uint8Array, Uint8Array>;
}
/** In a page, as its own functions see it. */
declare const sealwright: Api;

const LET_GO_ON = '.grant .banner .actions > button:nth-of-type(1)';
const FOR_AN_HOUR = '.grant .banner .actions > button:nth-of-type(2)';
const STOP = '.grant .banner .confirm-opener button';

/* What a site's own code never opens: to open it stops all opening until the user answers. */
for (const browser of BROWSERS) {
  describe(`decoys, in ${browser}`, function () {
    this.timeout(120_000);
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;
    let note: object;
    let decoy: object;

    before(async () => {
      ({ session, server, site } = await openSharedSiteScene(browser));
      await connect(session, site);
      note = (await succeed(site, 'seal', 'a note')) as object;
      decoy = (await succeed(site, 'seal', 'a lure', { decoy: true })) as object;
    });

    after(() => closeSharedSiteScene({ server, site }));

    /** In the popup, once it shows that opening is stopped. */
    const answer = async (work: (popup: Tab) => Promise<void>) => {
      const popup = await openSitePopup(session, site);
      await popup.waitFor('.grant .banner');
      await work(popup);
      await popup.waitUntil(() => document.querySelector('.grant .banner') === null);
      await popup.close();
    };

    it('freeze what opens, also when the background has died, and nothing that seals', async () => {
      expect(await refusal(site, 'open', note)).to.equal('none');
      expect(await refusal(site, 'open', decoy)).to.equal('FROZEN');
      expect(await refusal(site, 'open', note)).to.equal('FROZEN');
      await session.killBackground();
      expect(await refusal(site, 'open', note)).to.equal('FROZEN');
      expect(await refusal(site, 'seal', 'more')).to.equal('none');
    });

    it('are answered in the popup: let it go on', async () => {
      await answer(async (popup) => {
        expect(await popup.text('.grant .banner')).to.contain('opened a decoy');
        await popup.click(LET_GO_ON);
      });
      expect(await refusal(site, 'open', note)).to.equal('none');
    });

    it('are answered in the popup: for an hour', async () => {
      expect(await refusal(site, 'open', decoy)).to.equal('FROZEN');
      await answer((popup) => popup.click(FOR_AN_HOUR));
      expect(await refusal(site, 'open', note)).to.equal('none');
      const popup = await openSitePopup(session, site);
      await popup.waitFor('.grant');
      expect(await popup.text('.grant')).to.contain('opening stops again in 1 hour');
      await popup.close();
    });

    /** Each starts everything that opens, with a decoy in the middle, in one way or another. */
    for (const way of ['open', 'openMany', 'openBlob', 'openStream'] as const) {
      it(`leave nothing to calls in flight, where ${way} meets one`, async () => {
        const told = await site.evaluate(async (how) => {
          const megabytes = new Blob([new Uint8Array(6_000_000)]);
          const own = await sealwright.sealBlob(megabytes);
          const [short, lure, large] = await Promise.all([
            sealwright.seal(new Uint8Array(16)),
            sealwright.seal(new Uint8Array(16), { decoy: true }),
            sealwright.sealBlob(megabytes, { decoy: true }),
          ]);
          let isFrozen = false;
          let late = 0;
          const watched = async (work: Promise<unknown>) => {
            try {
              await work;
              if (isFrozen) late++;
              return 'ok';
            } catch (error) {
              return (error as { code: string }).code;
            }
          };
          const stream = async (sealed: Blob) => {
            const opened = sealed.stream().pipeThrough(sealwright.openStream());
            for (const reader = opened.getReader(); ;) {
              const { done } = await reader.read();
              if (isFrozen && !done) late++;
              if (done) return;
            }
          };
          const many = async (items: Uint8Array[]) => {
            const results = await sealwright.openMany(items);
            if (results.some(({ ok }) => ok)) return;
            throw Object.assign(new Error('none'), { code: 'FROZEN' });
          };
          const decoys = {
            open: () => sealwright.open(lure),
            openMany: () => many([short, lure, short]),
            openBlob: () => sealwright.openBlob(large),
            openStream: () => stream(large),
          };
          const start = () => [
            ...Array.from({ length: 20 }, () => watched(sealwright.open(short))),
            watched(many(Array.from({ length: 50 }, () => short))),
            watched(sealwright.openBlob(own)),
            watched(stream(own)),
          ];
          const before = start();
          const decoy = await watched(decoys[how]());
          isFrozen = true;
          const after = await Promise.all(start());
          await Promise.all(before);
          return { decoy, late, after: [...new Set(after)] };
        }, way);
        expect(told).to.deep.equal({ decoy: 'FROZEN', late: 0, after: ['FROZEN'] });
        await answer((popup) => popup.click(LET_GO_ON));
      });
    }

    it('are answered in the popup: stop it', async () => {
      expect(await refusal(site, 'open', decoy)).to.equal('FROZEN');
      const popup = await openSitePopup(session, site);
      await popup.click(STOP);
      await popup.click('.grant .button-danger');
      await popup.waitUntil(() => document.querySelector('.grant') === null);
      await popup.close();
      expect(await refusal(site, 'open', note)).to.equal('NOT_GRANTED');
    });

    it('are told in the list of sites, in the log, and in the popup’s first line', async () => {
      await connect(session, site);
      expect(await refusal(site, 'open', decoy)).to.equal('FROZEN');
      const popup = await openSitePopup(session, site);
      await showIn(popup, { language: 'ar', theme: 'dark' });
      expect(await popup.evaluate(layoutFaults)).to.deep.equal([]);
      await showIn(popup, { language: 'auto', theme: 'system' });
      await popup.evaluate(() => localStorage.removeItem('preferences'));
      await popup.click('#open-frozen');
      await popup.waitFor('.site-card .grant .banner');
      await popup.close();
      const sites = await session.newTab(session.extensionUrl('manager.html#sites'));
      await sites.waitFor('.site-card .grant .banner');
      await sites.setViewport(320, 640);
      await showIn(sites, { language: 'de', theme: 'dark' });
      expect(await sites.evaluate(layoutFaults)).to.deep.equal([]);
      await showIn(sites, { language: 'auto', theme: 'system' });
      await sites.close();
      const manager = await session.newTab(session.extensionUrl('manager.html#activity'));
      await manager.waitFor('.activity');
      expect(await manager.text('main')).to.match(/opening stopped: a decoy was opened/i);
      await manager.close();
    });
  });
}
