import { expect } from 'chai';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import * as fieldSteps from '../field-steps.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { enableSite, lockVault, unlockVault } from '../steps.ts';

/*
 * An always-sealed field in one document of a site, and a press in another one that sends its text: frames
 * of every kind that have the page's origin, their parents and siblings, popups and openers.
 */

/** In the page (fixtures/framed.js). */
declare const sent: [kind: string, text: string][];
declare const fieldIn: (kind: string) => HTMLTextAreaElement;
declare const windows: Readonly<Record<string, Window>>;
declare const sendByFrame: (kind: string, of: string) => void;

const SECRET = 'Meet me at the old mill';
const SEALED = /^swt1[a-z2-9]{216,}0$/;
const KINDS = ['written', 'filled', 'srcdoc', 'src', 'blob', 'nested'] as const;

for (const browser of BROWSERS) {
  describe(`an always-sealed field in another document of its site, in ${browser}`, function () {
    this.timeout(60_000);
    let scene: Scene;
    let site: Tab;

    before(async () => {
      scene = await openVaultScene(browser);
      site = await scene.session.newTab(`${scene.server.origin}/framed.html`);
      await enableSite(scene.session, site);
      await site.click('[name=message]');
      await fieldSteps.mark(scene.session, site);
    });

    after(() => closeScene(scene));

    const fresh = async () => {
      await site.goto(`${scene.server.origin}/framed.html?${crypto.randomUUID()}`);
      await site.waitUntil(
        (kinds) => kinds.every((kind) => windows[kind]?.document.querySelector('textarea')),
        {},
        KINDS,
      );
    };

    const typeIn = async (kind: string): Promise<void> => {
      await site.evaluate((one) => {
        windows[one]?.focus();
        fieldIn(one).focus();
      }, kind);
      await site.waitUntil(
        (one) => (windows[one] ?? window).document.activeElement?.localName === 'sealwright-editor',
        {},
        kind,
      );
      await site.typeAtFocus(SECRET);
    };

    /** What the page has sent, once it has. */
    const sentOnce = async (): Promise<string> => {
      await site.waitUntil(() => sent.length > 0);
      return site.evaluate(() => sent.map(([, text]) => text).join());
    };

    for (const kind of KINDS) {
      it(`is sealed in a frame (${kind}) before the page around it hears a press`, async () => {
        await fresh();
        await typeIn(kind);
        await site.click(`#send-${kind}`);
        expect(await sentOnce()).to.match(SEALED);
      });

      it(`is sealed in a frame (${kind}) when it is left`, async () => {
        await fresh();
        await typeIn(kind);
        await site.click('#elsewhere');
        await site.waitUntil((one) => fieldIn(one).value.startsWith('swt1'), {}, kind);
      });
    }

    it('is sealed in a page before one of its frames hears a press, and before a sibling of its frame', async () => {
      for (const of of ['page', 'written']) {
        await fresh();
        await site.evaluate((one) => sendByFrame('src', one), of);
        await typeIn(of);
        await (await site.frame('framed-field.html')).click('button');
        expect(await sentOnce(), of).to.match(SEALED);
      }
    });

    it('is sealed in a popup before its opener hears a press, and the other way', async () => {
      await fresh();
      await site.click('#open-popup');
      const popup = await scene.session.waitForTab('framed-field.html#popup');
      await popup.type('textarea', SECRET);
      await site.click('#send-popup');
      expect(await sentOnce()).to.match(SEALED);

      await site.evaluate(() => sendByFrame('popup', 'page'));
      await site.evaluate(() => void sent.splice(0));
      await site.type('[name=message]', SECRET);
      await popup.click('button');
      expect(await sentOnce()).to.match(SEALED);
      await popup.close();
    });

    it('is held in a frame while the vault is locked, also where a framework wrote its default value', async () => {
      await lockVault(scene.session);
      await fresh();
      await site.evaluate(() => {
        const field = fieldIn('src');
        field.addEventListener('input', () => (field.defaultValue = field.value));
      });
      await typeIn('src');
      await site.click('#send-src');
      const window = await scene.session.waitForTab('fields-window.html');
      await fieldSteps.closed(scene.session, window);
      expect(await site.evaluate(() => sent)).to.deep.equal([]);
      await unlockVault(scene.session);
      await site.click('#send-src');
      expect(await sentOnce()).to.match(SEALED);
    });

    it('stays as it is while its user writes, when a form of another document submits itself', async () => {
      await fresh();
      await typeIn('src');
      await site.evaluate(() => {
        const form = document.body.appendChild(document.createElement('form'));
        form.addEventListener('submit', (event) => {
          event.preventDefault();
          sent.push(['own form', '']);
        });
        form.requestSubmit();
      });
      await site.waitUntil(() => sent.length > 0);
      expect(await site.evaluate(() => fieldIn('src').value)).to.equal('');
    });
  });
}
