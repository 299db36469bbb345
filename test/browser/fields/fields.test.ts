import { expect } from 'chai';
import type { FieldSessionKind } from '../../../src/rpc/methods/ui-fields.ts';
import { chromiumFirst, inAll } from '../../support/depth.ts';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { storedBytes } from '../in-page/attacks/stored-bytes.ts';
import * as fieldSteps from '../field-steps.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { PASSPHRASE, unlockVault } from '../steps.ts';

/*
 * Fields of a site that was not enabled. No driver reaches the browser's own menus, so the windows are
 * opened by the popup, which goes the same way from `ui.beginVisit` on; what menus and keys make
 * of a click is held by test/extension/platform/fields/field-triggers.test.ts.
 */

/** In the page. */
declare const seen: readonly string[];
declare const closedField: HTMLTextAreaElement;

const SECRET = 'Meet me at the old mill';

/** Comes back when the vault has what was written. Runs in a window of the extension. */
async function draftsKept(): Promise<void> {
  interface Global {
    readonly storage: { readonly session: { get(keys: null): Promise<object> } };
  }
  const { browser: one, chrome: two } = globalThis as unknown as Record<string, Global | undefined>;
  const { session } = (one ?? two)!.storage;
  const isDraft = ([name, text]: [string, unknown]) =>
    name.startsWith('ui.sealed-text ') && text !== '';
  while (Object.entries(await session.get(null)).some(isDraft)) {
    await new Promise((resume) => setTimeout(resume, 20));
  }
}

interface MemoryArea {
  get(keys: null): Promise<object>;
}

/** What storage.session holds. Runs in a window of Firefox's extension, as the next one does. */
async function sessionBytes(): Promise<string> {
  const { browser } = globalThis as unknown as {
    readonly browser: { readonly storage: { readonly session: MemoryArea } };
  };
  return JSON.stringify(await browser.storage.session.get(null));
}

/** Comes back when the browser's permission for a site has been given back. */
async function permissionGone(pattern: string): Promise<void> {
  const { browser } = globalThis as unknown as {
    readonly browser: { readonly permissions: { contains(one: object): Promise<boolean> } };
  };
  while (await browser.permissions.contains({ origins: [pattern] })) {
    await new Promise((resume) => setTimeout(resume, 20));
  }
}

for (const browser of BROWSERS) {
  const alike = chromiumFirst(browser);
  let scene: Scene;
  let site: Tab;

  const focus = (selector: string) =>
    site.evaluate((wanted) => {
      (document.querySelector(wanted) as HTMLElement).focus();
    }, selector);

  const fieldSession = (kind: FieldSessionKind, about = site) =>
    fieldSteps.fieldSession(scene.session, about, kind);
  const closed = (window: Tab) => fieldSteps.closed(scene.session, window);

  const valueOf = (selector: string) =>
    site.evaluate((wanted) => {
      const field = document.querySelector(wanted) as HTMLInputElement;
      return field.localName === 'div' ? field.innerText : field.value;
    }, selector);

  const write = async (selector: string, words: string): Promise<Tab> => {
    await focus(selector);
    const window = await fieldSteps.write(scene.session, site, words);
    await window.click('#seal-insert');
    return window;
  };

  /** The sealed text of what is written in the window about a field. */
  const sealedOf = async (words: string): Promise<string> => {
    const window = await write('#line', words);
    await window.waitFor('#sealed-text');
    const sealed = await fieldSteps.sealedIn(window);
    await closed(window);
    return sealed;
  };

  /** The user wrote more to a field that a form gave back sealed. */
  const openNested = async (): Promise<void> => {
    const outer = await sealedOf(`${await sealedOf('Meet me')} at the old mill`);
    await site.evaluate((text) => {
      document.querySelector('#texts')!.textContent = text;
      (document.activeElement as HTMLElement).blur();
    }, outer);
    const all = await fieldSession('open');
    const inner = '.opened ~ ul .opened';
    await all.waitFor(inner);
    const found = await all.evaluate(
      (one) => [...document.querySelectorAll(one)].map(({ textContent }) => textContent),
      inner,
    );
    expect(found).to.include('Meet me');
    await all.click('#done');
    await fieldSteps.allClosed(scene.session);
    await site.evaluate(() => (document.querySelector('#texts')!.textContent = ''));
  };

  describe(`fields of pages, in ${browser}`, function () {
    this.timeout(60_000);

    before(async () => {
      // No site may be reached but by the act itself.
      scene = await openVaultScene(browser, { allowedHosts: [] });
      site = await scene.session.newTab(`${scene.server.origin}/fields.html`);
    });

    after(() => closeScene(scene));

    it('puts into a field what was written elsewhere, sealed; the page sees nothing else', async () => {
      for (const field of ['#line', '#area', '#editable']) {
        const window = await write(field, SECRET);
        await window.waitFor('#sealed-inserted');
        await closed(window);
        expect(await valueOf(field), field).to.match(/^swt1[a-z2-9]{200,}0$/);
      }
      const heard = await site.evaluate(() => [...seen, document.documentElement.outerHTML]);
      expect(heard.join('\n')).to.include('swt1').and.not.include('mill');
    });

    alike('leads on where no site is enabled', async () => {
      const { session } = scene;
      const manager = await session.newTab(session.extensionUrl('manager.html#sites'));
      await manager.click('#sites-none-on');
      await manager.waitFor('#nav-guide[aria-current]');
      await manager.waitFor('#guide > li:nth-child(3) .scene');
      expect(await manager.text('#guide')).to.include('choose “Enable on this site”');
      await manager.close();
    });

    alike('begins in the text, and closes at Escape', async () => {
      await focus('#line');
      const window = await fieldSession('write');
      await window.waitUntil(() => document.activeElement?.id === 'compose');
      // The window goes with the key, before automation lets go of it.
      await window.press('Escape').catch(() => undefined);
      await fieldSteps.allClosed(scene.session);
    });

    alike('shows texts in the order of the page, and closes by its button', async () => {
      // After all fields, which hold sealed texts by now.
      await site.evaluate(() => {
        document.querySelector('#texts')!.textContent = 'sw1.AAAA';
        (document.activeElement as HTMLElement).blur();
      });
      const all = await fieldSession('open');
      await all.waitFor('.not-opened');
      const kinds = await all.evaluate(() =>
        [...document.querySelectorAll('#opened > li')].map(({ className }) => className),
      );
      expect(kinds).to.have.length.above(2);
      expect(kinds.indexOf('not-opened')).to.equal(kinds.length - 1);
      await all.click('#done');
      await fieldSteps.allClosed(scene.session);
      await site.evaluate(() => (document.querySelector('#texts')!.textContent = ''));
    });

    alike('opens the sealed text in a sealed text, as a form gives it back', openNested);

    it('reaches fields in closed shadow trees', async () => {
      await site.evaluate(() => closedField.focus());
      const window = await fieldSteps.write(scene.session, site, SECRET);
      await window.click('#seal-insert');
      await window.waitFor('#sealed-inserted');
      await closed(window);
      expect(await site.evaluate(() => closedField.value)).to.match(/^swt1/);
    });

    it('opens what a field holds, in its own window and as text, with key and site', async () => {
      await focus('#area');
      const window = await fieldSession('open');
      await window.waitFor('.opened');
      expect(await window.text('.opened')).to.equal(SECRET);
      expect(await window.text('.provenance'))
        .to.include('Sealed texts')
        .and.include('localhost');
      await closed(window);
    });

    it('edits what a field holds sealed, and puts it back there', async () => {
      await focus('#area');
      const before = await valueOf('#area');
      const written = () => document.querySelector<HTMLTextAreaElement>('#compose')!.value;
      let window = await fieldSession('open');
      await fieldSteps.editOpened(window);
      await window.waitUntil(() => document.activeElement?.id === 'compose');
      expect(await window.evaluate(written)).to.equal(SECRET);
      await window.type('#compose', ' at nine');
      await window.evaluate(draftsKept);
      // What was changed is there at the next edit of this text.
      await closed(window);
      await focus('#area');
      window = await fieldSession('open');
      await window.waitFor('.opened');
      expect(await window.text('.opened')).to.equal(SECRET);
      await fieldSteps.editOpened(window);
      expect(await window.evaluate(written)).to.equal(`${SECRET} at nine`);
      await window.click('#seal-insert');
      await window.waitFor('#sealed-inserted');
      await closed(window);
      const after = await valueOf('#area');
      expect(after)
        .to.match(/^swt1[a-z2-9]{200,}0$/)
        .and.not.equal(before);
      expect((await site.evaluate(() => [...seen])).join('\n')).to.not.include('mill');
    });

    inAll('edits nothing that the field did not hold, and keeps what was written', async () => {
      await focus('#area');
      const before = await valueOf('#area');
      let window = await fieldSession('open');
      await fieldSteps.editOpened(window);
      await window.type('#compose', ' sharp');
      await site.evaluate(() => {
        document.querySelector<HTMLTextAreaElement>('#area')!.value = 'another text';
      });
      await window.click('#seal-insert');
      await window.waitFor('#sealed-not-inserted');
      expect(await fieldSteps.sealedIn(window)).to.match(/^swt1/);
      expect(await valueOf('#area')).to.equal('another text');
      await window.evaluate(draftsKept);
      await closed(window);
      await focus('#area');
      window = await fieldSession('write');
      await window.waitUntil(
        () =>
          document.querySelector<HTMLTextAreaElement>('#compose')?.value ===
          'Meet me at the old mill at nine sharp',
      );
      // The draft goes when it is used, and the field is as it was for the tests that follow.
      await window.click('#seal-insert');
      await window.waitFor('#sealed-inserted');
      await closed(window);
      await site.evaluate((sealed) => {
        document.querySelector<HTMLTextAreaElement>('#area')!.value = sealed;
      }, before);
    });

    inAll('opens the first five of many texts by itself, and the others at a press', async () => {
      const armored = await valueOf('#area');
      const other = await scene.session.newTab(`${scene.server.otherOrigin}/fields.html`);
      await other.evaluate((sealed) => {
        const texts = Array.from({ length: 12 }, () => {
          const text = document.createElement('p');
          text.textContent = sealed;
          return text;
        });
        document.body.replaceChildren(...texts);
      }, armored);
      const window = await fieldSession('open', other);
      await window.waitUntil(() => document.querySelectorAll('.opened').length === 5);
      expect(await window.text('.open-more')).to.include('7');
      await window.click('.open-more');
      await window.waitUntil(() => document.querySelectorAll('.opened').length === 12);
      expect(await window.evaluate(() => document.querySelectorAll('.open-more').length)).to.equal(
        0,
      );
      await closed(window);
      await other.close();
    });

    alike(
      'opens everything of a page, also on another site, and takes active content as text',
      async () => {
        const evil = '<img src=x onerror=alert(1)> \u202Etxt';
        await site.evaluate(() => document.querySelector<HTMLInputElement>('#line')!.select());
        const writing = await write('#line', evil);
        await writing.waitFor('#sealed-inserted');
        await closed(writing);
        const armored = await valueOf('#line');
        const other = await scene.session.newTab(`${scene.server.otherOrigin}/fields.html`);
        await other.evaluate((sealed) => {
          const [one, two] = [sealed.slice(0, 90), sealed.slice(90)];
          document.querySelector('#texts')!.innerHTML =
            `<b>${one}</b><br>\n <i>${two}</i>, he said`;
          document.querySelector<HTMLInputElement>('#line')!.value = sealed;
          (document.activeElement as HTMLElement).blur();
        }, armored);
        const window = await fieldSession('open', other);
        await window.waitFor('.opened');
        expect(await window.evaluate(() => document.querySelectorAll('.opened').length)).to.equal(
          1,
        );
        const shown = await window.evaluate(() => {
          const nodes = [...document.querySelector('.opened')!.childNodes];
          return nodes.map((node) => [node.nodeType, node.nodeValue]);
        });
        expect(shown).to.deep.equal([[3, evil.replace('\u202E', '⟨U+202E⟩')]]);
        await closed(window);
        await other.close();
      },
    );

    alike('seals in its place what is in a field, and says what the page could do', async () => {
      await site.evaluate(() => {
        const area = document.querySelector<HTMLTextAreaElement>('#area')!;
        area.value = 'typed in the page';
        area.focus();
      });
      const window = await fieldSession('seal');
      await window.waitFor('#seal-warning');
      const held = () => document.querySelector<HTMLTextAreaElement>('#compose')!.value;
      expect(await window.evaluate(held)).to.equal('typed in the page');
      await window.click('#seal-insert');
      await window.waitFor('#sealed-inserted');
      await closed(window);
      expect(await valueOf('#area')).to.match(/^swt1[a-z2-9]+0$/);
    });

    alike('keeps a draft over a closed window and a restart, behind the lock', async () => {
      await focus('#line');
      let window = await fieldSession('write');
      await window.type('#compose', 'A draft');
      await window.evaluate(draftsKept);
      await closed(window);
      // What is only in memory ends here, as with the browser.
      await scene.session.reloadExtension();
      await focus('#line');
      const popup = await scene.session.openPopupFor(site);
      await popup.type('#passphrase', PASSPHRASE);
      await popup.click('#unlock');
      await popup.waitFor('#site-state');
      await popup.click('#field-write');
      window = await scene.session.waitForTab('fields-window.html');
      await popup.close().catch(() => undefined);
      await window.waitUntil(
        () => document.querySelector<HTMLTextAreaElement>('#compose')?.value === 'A draft',
      );
      await closed(window);
    });

    alike('never touches passwords, payments and one-time codes', async () => {
      for (const field of ['#password', '#card', '#code']) {
        const before = await valueOf(field);
        await focus(field);
        const window = await fieldSession('seal');
        await window.waitFor('#protected');
        expect(await window.evaluate(() => document.body.innerText)).to.not.include(before);
        await closed(window);
        expect(await valueOf(field)).to.equal(before);
      }
    });

    inAll('says what a field cannot hold, and offers to copy it', async () => {
      for (const field of ['#short', '#readonly']) {
        const before = await valueOf(field);
        const window = await write(field, 'more than that');
        await window.waitFor('#sealed-not-inserted');
        expect(await fieldSteps.sealedIn(window)).to.match(/^swt1/);
        expect(await window.text('.actions .button-primary')).to.equal('Copy');
        await closed(window);
        expect(await valueOf(field)).to.equal(before);
      }
    });

    it('left nothing in the page that it could find', async () => {
      const traces = await site.evaluate(() => [
        'sealwright' in globalThis,
        'sealwrightFields' in globalThis,
        document.querySelectorAll('[class*=sealwright], [id*=sealwright]').length,
      ]);
      expect(traces).to.deep.equal([false, false, 0]);
    });

    // The popup of a private window is out of reach of Chromium's protocol.
    if (browser !== 'firefox') return;

    alike(
      'leaves no trace of a private window on disk, also of a frame that it may ask for',
      async () => {
        const { session, server } = scene;
        const { host, port } = {
          host: 'private-frame-66b2.localhost',
          port: new URL(server.origin).port,
        };
        const page = await session.newPrivateTab(`${server.origin}/fields.html?private`);
        await unlockVault(session); // the extension has been reloaded
        await page.evaluate((src) => {
          const frame = document.createElement('iframe');
          frame.src = src;
          document.body.prepend(frame);
        }, `http://${host}:${port}/fields.html`);
        const frame = await page.frame(host);
        await frame.click('#line');
        const own = await session.newTab(session.extensionUrl('manager.html'));
        const window = await fieldSession('write', page);
        await window.waitFor('#allow-frame');
        expect(await own.evaluate(sessionBytes), 'in memory').to.include(host);
        expect(await own.evaluate(storedBytes), 'on disk').to.not.include(host);
        await session.willAllow(`http://${host}/*`);
        await window.click('#allow-frame[aria-disabled="false"]');
        await window.waitUntil(() => document.querySelector('#allow-frame') === null);
        expect(await own.evaluate(storedBytes), 'on disk').to.not.include(host);
        await closed(window);
        await own.evaluate(permissionGone, `http://${host}/*`);
        expect(await own.evaluate(storedBytes), 'afterwards').to.not.include(host);
      },
    );
  });
}
