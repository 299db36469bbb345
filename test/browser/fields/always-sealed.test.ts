import { expect } from 'chai';
import { chromiumFirst } from '../../support/depth.ts';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import * as fieldSteps from '../field-steps.ts';
import type { Scene } from '../scene.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import { lockVault, PASSPHRASE } from '../steps.ts';

/*
 * Fields that their user marked as always sealed, on a page that sends them in every way there is. What
 * counts is what the page's own script had in hand when it sent (`sent`).
 */

/** In the page. */
declare const sent: (readonly [way: string, text: string])[];
declare const closedField: HTMLTextAreaElement;

const SECRET = 'Meet me at the old mill';
const SEALED = /^swt1[a-z2-9]{200,}0$/;

function openRow(id: string): void {
  const summary = document.getElementById(id)!;
  if (!(summary.parentElement as HTMLDetailsElement).open) summary.click();
}

for (const browser of BROWSERS) {
  const alike = chromiumFirst(browser);
  describe(`fields that are always sealed, in ${browser}`, () => {
    let scene: Scene;
    let site: Tab;
    /** Beside `message`. */
    const alsoMarked = new Set<string>();

    before(async () => {
      ({ site, ...scene } = await openSharedSiteScene(browser));
      await site.goto(`${scene.server.origin}/guarded.html`);
    });

    after(() => closeSharedSiteScene({ ...scene, site }));

    /** In the window about it, by its user. @param then in that window */
    const mark = async (selector: string, then?: (window: Tab) => Promise<void>): Promise<void> => {
      await site.click(selector);
      await fieldSteps.mark(scene.session, site, then);
    };

    const markAlso = async (...names: readonly string[]): Promise<void> => {
      for (const name of names) {
        await mark(`[name=${name}]`);
        alsoMarked.add(name);
      }
    };

    const fresh = () => site.goto(`${scene.server.origin}/guarded.html`);

    const valueOf = (selector: string) =>
      site.evaluate((one) => document.querySelector<HTMLInputElement>(one)!.value, selector);

    /** What has left in this way, once something has. */
    const sentBy = async (way: string): Promise<string> => {
      await site.waitUntil((wanted) => sent.some(([one]) => one === wanted), {}, way);
      return site.evaluate((wanted) => sent.find(([one]) => one === wanted)![1], way);
    };

    const everySent = () => site.evaluate(() => sent.map(([, text]) => text).join());

    it('are marked in the window about one, which reloads the open pages then', async () => {
      await site.goto(`${scene.server.origin}/guarded.html?watched`);
      await site.evaluate(() => void Object.assign(globalThis, { isOld: true }));
      await mark('[name=message]', async (window) => {
        await window.click('#reload-pages');
        await window.waitFor('#pages-reloaded');
      });
      await site.waitUntil(() => !('isOld' in globalThis) && document.readyState === 'complete');
      await site.type('[name=message]', SECRET);
      await site.click('#send');
      expect(await sentBy('submit')).to.match(SEALED);
      // Not even the listeners on the window, which were older than the guard.
      expect(await everySent()).to.not.include('mill');
    });

    alike('are never editors of the page, and the window says so', async () => {
      await fresh();
      for (const editor of ['#editor', '#drawn']) {
        await site.click(editor);
        const window = await fieldSteps.fieldSession(scene.session, site, 'write');
        await window.waitFor('#never-sealed');
        expect(await window.evaluate(() => document.querySelector('#always-seal'))).to.equal(null);
        await fieldSteps.closed(scene.session, window);
      }
    });

    it('leave sealed by a form that is submitted, and open again', async () => {
      await fresh();
      await site.type('[name=message]', SECRET);
      await site.type('[name=other]', 'in clear');
      await site.click('#send');
      expect(await sentBy('submit')).to.match(SEALED);
      expect(await sentBy('form')).to.match(SEALED);
      expect(await everySent()).to.not.include('mill');
      expect(await valueOf('[name=other]')).to.equal('in clear');
      await site.click('[name=message]');
      const window = await fieldSteps.fieldSession(scene.session, site, 'open');
      await window.waitFor('.opened');
      expect(await window.text('.opened')).to.equal(SECRET);
      await fieldSteps.closed(scene.session, window);
    });

    for (const [way, how] of [
      ['fetch', 'by a script that hears the press'],
      ['form', 'by form.submit(), which makes no event'],
    ] as const) {
      it(`leave sealed ${how}`, async () => {
        await fresh();
        await site.type('[name=message]', SECRET);
        await site.click(way === 'form' ? '#call' : '#fetch');
        expect(await sentBy(way)).to.match(SEALED);
        expect(await everySent()).to.not.include('mill');
      });
    }

    alike('leave sealed by requestSubmit, while they have the focus', async () => {
      await fresh();
      await site.type('[name=message]', SECRET);
      await site.evaluate(() => document.querySelector('form')!.requestSubmit());
      expect(await sentBy('submit')).to.match(SEALED);
      expect(await everySent()).to.not.include('mill');
    });

    it('leave sealed while the page loads, before it is known which fields are marked', async () => {
      await site.goto(`${scene.server.origin}/guarded.html?at-once`);
      expect(await sentBy('submit')).to.match(SEALED);
      expect(await sentBy('form')).to.match(SEALED);
      expect(await everySent()).to.not.include('mill');
    });

    it('leave sealed from a page that document.open() wrote, which still finds the extension', async () => {
      await site.goto(`${scene.server.origin}/rewritten.html`);
      await site.waitFor('#fetch');
      await site.waitUntil(() => 'closedField' in globalThis);
      await site.type('[name=message]', SECRET);
      await site.click('#fetch');
      expect(await sentBy('fetch')).to.match(SEALED);
      await site.click('#send');
      expect(await sentBy('submit')).to.match(SEALED);
      expect(await everySent()).to.not.include('mill');
      const found = await site.evaluate(() => {
        let count = 0;
        addEventListener('sealwright:announce', () => count++);
        dispatchEvent(new Event('sealwright:request'));
        return count;
      });
      expect(found).to.equal(1);
    });

    it('are sealed when they are left, and go on with their text', async () => {
      await fresh();
      await site.type('[name=message]', SECRET);
      await site.click('[name=subject]');
      await site.waitUntil(() =>
        document.querySelector<HTMLInputElement>('[name=message]')!.value.startsWith('swt1'),
      );
      await site.type('[name=message]', ' at noon');
      await site.click('#send');
      expect(await sentBy('submit')).to.match(SEALED);
      expect(await everySent()).to.not.include('noon');
      await site.click('[name=message]');
      const window = await fieldSteps.fieldSession(scene.session, site, 'open');
      await window.waitFor('.opened');
      expect(await window.text('.opened')).to.equal(`${SECRET} at noon`);
      await fieldSteps.closed(scene.session, window);
    });

    alike('leave sealed from closed shadow trees', async () => {
      await fresh();
      await site.evaluate((text) => {
        closedField.value = text;
      }, SECRET);
      const [x, y] = await site.evaluate(() => {
        document.querySelector('#closed')!.scrollIntoView();
        const box = closedField.nextElementSibling!.getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2] as const;
      });
      await site.clickAt(x, y);
      expect(await sentBy('closed')).to.match(SEALED);
    });

    it('are known by their label where the page counts their ids through all that it has shown', async () => {
      const draw = (id: string) =>
        site.evaluate((one) => {
          const field = '<textarea rows="3"></textarea>';
          document.querySelector('#counted')?.remove();
          document.body.insertAdjacentHTML(
            'afterbegin',
            `<p id="counted"><label for="${one}">Diary</label>${field}</p>`,
          );
          document.querySelector('#counted textarea')!.id = one;
        }, id);
      await fresh();
      await draw('diary-field-2');
      await mark('#diary-field-2');
      await fresh();
      for (const id of ['diary-field-2', 'diary-field-5']) {
        await draw(id);
        await site.type(`#${id}`, SECRET);
        await site.waitUntil(
          (one) => document.querySelector<HTMLTextAreaElement>(`#${one}`)!.value !== '',
          {},
          id,
        );
        expect(await valueOf(`#${id}`)).to.match(SEALED);
      }
    });

    alike(
      'send at Enter where a line is sent by it; where lines are written, it is a line',
      async () => {
        await markAlso('chat', 'notes');
        await fresh();
        await site.type('[name=chat]', SECRET);
        await site.press('Enter');
        expect(await sentBy('chat')).to.match(SEALED);
        await site.type('[name=notes]', SECRET);
        await site.press('Enter');
        await site.typeAtFocus('more');
        await site.click('[name=chat]');
        await site.waitUntil(() =>
          document.querySelector<HTMLTextAreaElement>('[name=notes]')!.value.startsWith('swt1'),
        );
        expect(await site.evaluate(() => sent.some(([way]) => way === 'notes'))).to.equal(false);
        expect(await everySent()).to.not.include('mill');
      },
    );

    alike(
      'stop a form that cannot hold a sealed text, or whose page does not keep it',
      async () => {
        await markAlso('short', 'stubborn');
        for (const [name, reason] of [
          ['short', 'too-long'],
          ['stubborn', 'refused'],
        ] as const) {
          await fresh();
          await site.evaluate((one) => {
            document.querySelector<HTMLInputElement>(`[name=${one}]`)!.value = 'a secret';
          }, name);
          await site.click('#send');
          const window = await scene.session.waitForTab('fields-window.html');
          await window.waitFor(`#stopped-${reason}`);
          await fieldSteps.closed(scene.session, window);
          expect(await site.evaluate(() => sent)).to.deep.equal([]);
        }
      },
    );

    it('stop a form while the vault is locked, and say so; then it can be sent', async () => {
      await lockVault(scene.session);
      await fresh();
      await site.type('[name=other]', 'in clear');
      await site.type('[name=message]', SECRET);
      await site.click('#send');
      const window = await scene.session.waitForTab('fields-window.html');
      await window.waitFor('#stopped');
      expect(await site.evaluate(() => sent)).to.deep.equal([]);
      expect(await valueOf('[name=message]')).to.equal('');
      await window.type('#passphrase', PASSPHRASE);
      await window.click('#unlock');
      await window.waitFor('#stopped-locked');
      await fieldSteps.closed(scene.session, window);
      await site.click('#send');
      expect(await sentBy('submit')).to.match(SEALED);
      // Whether the field is one of them could not be said then.
      expect(await sentBy('other')).to.equal('in clear');
    });

    it('are listed in the manager with what else is settled for their site, and end there', async () => {
      const manager = await scene.session.newTab(scene.session.extensionUrl('manager.html#sites'));
      await manager.waitFor('#sites summary');
      // Files that share the browser have other sites, and may have this one in other containers.
      const rows = await manager.evaluate((host) => {
        const summaries = [...document.querySelectorAll('#sites summary')];
        const own = summaries.filter(({ textContent }) => textContent.includes(host));
        own.forEach((row, i) => (row.id = `guarded-site-${i}`));
        return own.length;
      }, new URL(scene.server.origin).hostname);
      for (let i = 0; i < rows; i++) {
        // Without a pointer: what comes into an open row, in several steps, moves the next one away from under it. A row
        // with something to tell, such as a grant of another file's page that a decoy has frozen, is open by itself.
        await manager.evaluate(openRow, `guarded-site-${i}`);
        await manager.waitFor(`#guarded-site-${i} ~ .site-fields`);
      }
      const remover = 'details[open] .site-fields [aria-label^="Remove: "]';
      await manager.waitFor(remover);
      const labels = () =>
        manager.evaluate(
          (all) =>
            [...document.querySelectorAll(all)].map((button) => button.getAttribute('aria-label')!),
          remover,
        );
      // By its name, or as a file that shares the browser has a label for a field of this name.
      expect((await labels()).join()).to.match(/Remove: (message|A message)/);
      if (alsoMarked.has('chat')) expect(await labels()).to.include('Remove: Chat');
      // All of them: none stays for the files that share the browser.
      for (let left = (await labels()).length; left > 0; left--) {
        await manager.click(remover);
        await manager.waitUntil(
          (all, before) => document.querySelectorAll(all).length < before,
          {},
          remover,
          left,
        );
      }
      await manager.close();
      await fresh();
      await site.type('[name=message]', SECRET);
      await site.click('#send');
      expect(await sentBy('submit')).to.equal(SECRET);
    });
  });
}
