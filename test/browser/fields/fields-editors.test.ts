import { expect } from 'chai';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { allClosed, closed, editOpened, fieldSession, write } from '../field-steps.ts';
import { buildGallery, GALLERY } from '../gallery/build.ts';
import { FIXTURES } from '../gallery/fixtures.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import { enableSite } from '../steps.ts';

/*
 * The whole way of a sealed text into an editor: from the extension's window, which is in front then,
 * into a page of a site that was not enabled. Every editor is in gallery.test.ts; here is one of each
 * kind of field, half of them in each browser in `npm test`.
 */
const KINDS = ['react-input', 'deep-shadow', 'codemirror', 'monaco', 'lexical', 'draft', 'frame'];
/** What is sealed in place, opened and edited there; by night all of them. */
const EDITED = ['tiptap', 'codemirror', 'monaco', 'prosemirror', 'quill', 'slate', 'lexical'];

/**
 * Runs in a page of the extension. Comes back when it is let into a site, or no more.
 * @returns how many scripts are registered for sites
 */
async function scriptsOnce(pattern: string, isLetIn: boolean): Promise<number> {
  interface Global {
    readonly permissions: { contains(asked: { origins: string[] }): Promise<boolean> };
    readonly scripting: { getRegisteredContentScripts(): Promise<readonly object[]> };
  }
  const { browser: one, chrome: two } = globalThis as unknown as Record<string, Global | undefined>;
  const { permissions, scripting } = (one ?? two)!;
  while ((await permissions.contains({ origins: [pattern] })) !== isLetIn) {
    await new Promise((resume) => setTimeout(resume, 20));
  }
  return (await scripting.getRegisteredContentScripts()).length;
}

const SECRET = 'Meet me at the old mill';
const BEFORE = 'What was there ';
const SEALED = /swt1[a-z2-9]{200,}0/;
/** Nothing else than a sealed text. */
const WHOLE = /^swt1[a-z2-9]{200,}0$/;

for (const browser of BROWSERS) {
  describe(`sealed text from the extension's window, in ${browser}`, function () {
    this.timeout(60_000);
    const half = browser === 'chromium' ? 0 : 1;
    const editors = KINDS.filter((_, i) => IS_NIGHTLY || i % 2 === half);
    const edited = IS_NIGHTLY ? EDITED : EDITED.slice(0, 2);
    let scene: Scene;
    let gallery: TestServer;

    before(async () => {
      await buildGallery([...editors, ...edited, 'other-frame']);
      gallery = await serve(GALLERY);
      scene = await openVaultScene(browser, { allowedHosts: [] });
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

    for (const name of editors) {
      it(`goes into ${titleOf(name)}`, async () => {
        const { told, held } = await sealInto(name);
        expect(told).to.equal('sealed-inserted');
        expect(held.replace(SEALED, '')).to.equal(BEFORE);
      });
    }

    for (const name of edited) {
      it(`takes the place of what ${titleOf(name)} holds, and is opened and edited there`, async () => {
        const page = await openEditor(name, gallery.origin);
        const held = async () =>
          (await page.evaluate(async () => await globalThis.window.fixture.value())).trim();
        const about = async (kind: 'seal' | 'open'): Promise<Tab> => {
          await page.click('#editor');
          return fieldSession(scene.session, page, kind);
        };
        const inserted = async (window: Tab): Promise<string> => {
          await window.click('#seal-insert');
          await window.waitFor('#sealed-inserted');
          await closed(scene.session, window);
          return held();
        };
        const opened = async (): Promise<readonly [window: Tab, text: string]> => {
          const window = await about('open');
          await window.waitFor('.opened');
          return [window, await window.text('.opened')];
        };

        const before = await inserted(await about('seal'));
        expect(before).to.match(WHOLE);
        const [window, text] = await opened();
        expect(text.trim()).to.equal(BEFORE.trim());
        await editOpened(window);
        await window.type('#compose', SECRET);
        const after = await inserted(window);
        expect(after).to.match(WHOLE).and.not.equal(before);
        const [again, more] = await opened();
        expect(more).to.equal(text + SECRET);
        await closed(scene.session, again);
        await page.close();
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

    const FRAME = 'http://127.0.0.1/*';

    /** A window that was let into the frame for once, whose background has died since. */
    const permittedFrame = async () => {
      const own = await scene.session.newTab(scene.session.extensionUrl('manager.html'));
      const page = await openEditor('other-frame', gallery.origin);
      const window = await write(scene.session, page, SECRET);
      await scene.session.willAllow(FRAME);
      await window.click('#allow-frame[aria-disabled="false"]');
      await window.waitFor('#seal-insert');
      expect(await own.evaluate(scriptsOnce, FRAME, true)).to.equal(0);
      await scene.session.killBackground();
      /** @returns what the editor holds when the permission is gone */
      const afterwards = async (): Promise<string> => {
        expect(await own.evaluate(scriptsOnce, FRAME, false)).to.equal(0);
        const held = await page.evaluate(async () => await globalThis.window.fixture.value());
        await own.close();
        await page.close();
        return held;
      };
      return { window, afterwards };
    };

    it(`goes into ${titleOf('other-frame')} by a permission for once, which goes back`, async () => {
      const { window, afterwards } = await permittedFrame();
      await window.click('#seal-insert');
      await window.waitFor('#sealed-inserted');
      await window.close();
      expect((await afterwards()).replace(SEALED, '')).to.equal(BEFORE);
    });

    it('gives such a permission back when the window is closed', async () => {
      const { window, afterwards } = await permittedFrame();
      await window.close();
      expect(await afterwards()).to.equal(BEFORE);
    });

    it(`goes into ${titleOf('other-frame')} that is enabled`, async () => {
      const other = await scene.session.newTab(`${gallery.otherOrigin}/framed.html`);
      await scene.session.willAllow(FRAME);
      await enableSite(scene.session, other);
      await other.close();
      const { told, held } = await sealInto('other-frame');
      expect(told).to.equal('sealed-inserted');
      expect(held.replace(SEALED, '')).to.equal(BEFORE);
    });
  });
}
