import { expect } from 'chai';
import type { Tab } from './drivers/driver.ts';
import { BROWSERS } from './drivers/launch.ts';
import { allClosed, write } from './field-steps.ts';
import { buildGallery, GALLERY } from './gallery/build.ts';
import { FIXTURES } from './gallery/fixtures.ts';
import { closeScene, openVaultScene, type Scene } from './scene.ts';
import { serve, type TestServer } from './server.ts';
import { enableSite } from './steps.ts';

/*
 * The whole way of a sealed text into an editor: from the extension's window, which is in front then,
 * into a page of a site that nobody enabled. Every editor is in gallery.test.ts; here is one of each
 * kind of field.
 */
const EDITORS = ['react-input', 'deep-shadow', 'codemirror', 'monaco', 'lexical', 'draft', 'frame'];

const SECRET = 'Meet me at the old mill';
const BEFORE = 'What was there ';

for (const browser of BROWSERS) {
  describe(`sealed text from the extension's window, in ${browser}`, function () {
    this.timeout(60_000);
    let scene: Scene;
    let gallery: TestServer;

    before(async () => {
      await buildGallery();
      gallery = await serve(GALLERY);
      // The frame's site may be enabled; that of the page never is.
      scene = await openVaultScene(browser, { allowedHosts: ['http://127.0.0.1/*'] });
    });

    after(async () => {
      await closeScene(scene);
      await gallery.close();
    });

    const openEditor = async (name: string, origin: string): Promise<Tab> => {
      const { frame } = FIXTURES.find((one) => one.name === name)!;
      const hash = encodeURIComponent(BEFORE);
      const page = await scene.session.newTab(`${origin}/${name}.html#${hash}`);
      await page.waitUntil(() => 'fixture' in window);
      await (frame === undefined ? page : await page.frame(frame)).click('#editor');
      return page;
    };

    afterEach(() => allClosed(scene.session));

    const titleOf = (name: string): string => FIXTURES.find((one) => one.name === name)!.title;

    /** @returns what the window said in the end, and what the editor holds then */
    const sealInto = async (name: string, button = '#seal-insert', origin = gallery.origin) => {
      const page = await openEditor(name, origin);
      const window = await write(scene.session, page, SECRET);
      const isOnlyCopied = await window.evaluate(() => !document.querySelector('#seal-insert'));
      await window.click(button);
      await window.waitFor('#sealed-text');
      const told = await window.evaluate(() => document.querySelector('.banner')!.id);
      await window.close();
      const held = await page.evaluate(async () => await globalThis.window.fixture.value());
      await page.close();
      return { isOnlyCopied, told, held };
    };

    for (const name of EDITORS) {
      it(`goes into ${titleOf(name)}`, async () => {
        const { told, held } = await sealInto(name);
        expect(told).to.equal('sealed-inserted');
        expect(held.replace(/sw1\.[\w-]{170,}/, '')).to.equal(BEFORE);
      });
    }

    it(`is for the clipboard where it is for ${titleOf('other-frame')}`, async () => {
      // On the other origin's page the frame is of this one, which is never enabled.
      const page = gallery.otherOrigin;
      const { isOnlyCopied, told, held } = await sealInto('other-frame', '#seal-copy', page);
      expect(isOnlyCopied).to.equal(true);
      expect(told).to.equal('sealed-copied');
      expect(held).to.equal(BEFORE);
    });

    it(`goes into ${titleOf('other-frame')} that is enabled`, async () => {
      const other = await scene.session.newTab(`${gallery.otherOrigin}/framed.html`);
      await enableSite(scene.session, other);
      await other.close();
      const { told, held } = await sealInto('other-frame');
      expect(told).to.equal('sealed-inserted');
      expect(held.replace(/sw1\.[\w-]{170,}/, '')).to.equal(BEFORE);
    });
  });
}
