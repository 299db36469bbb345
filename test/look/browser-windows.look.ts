import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Tab } from '../browser/drivers/driver.ts';
import { BROWSERS } from '../browser/drivers/launch.ts';
import { PATIENCE_MS, poll } from '../browser/drivers/page-function.ts';
import { closeScene, openVaultScene, type Scene } from '../browser/scene.ts';
import { confirmPassphrase } from '../browser/steps.ts';
import { layoutFaults } from '../support/views/layout-faults.ts';
import {
  clickScreen,
  hasWindow,
  opening,
  pressKeys,
  takePicture,
  typeText,
  waitForWindow,
} from './desktop.ts';
import { picturePath } from './pictures.ts';

/*
 * What belongs to the browser and not to a page: the toolbar's popup, the question about a permission, the
 * dialogs that print and choose a file. By real keys and clicks, which no automation protocol gives.
 */

interface Api {
  readonly extension: { getViews(filter: object): readonly (Window & typeof globalThis)[] };
  readonly permissions: { contains(what: object): Promise<boolean> };
}

/** In the manager, which is of one process with the popup. */
interface Helpers {
  popup(): (Window & typeof globalThis) | undefined;
  layoutFaults: typeof layoutFaults;
}
declare const look: Helpers;

const HELPERS = `globalThis.look = {
  popup: () => (globalThis.browser ?? chrome).extension.getViews({ type: 'popup' })[0],
  layoutFaults: ((__name) => ${layoutFaults.toString()})((value) => value),
}`;

for (const browser of BROWSERS) {
  describe(`what the browser itself shows, in ${browser}`, function () {
    this.timeout(180_000);
    let scene: Scene;
    let site: Tab;
    let manager: Tab;
    let folder: string;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sealwright-look-'));
      scene = await openVaultScene(browser, { headless: false, allowedHosts: [] });
      const { session, server } = scene;
      manager = await session.newTab(session.extensionUrl('manager.html#files'));
      await manager.waitFor('#open-file');
      await manager.inject(HELPERS);
      site = await session.newTab(`${server.origin}/fields.html`);
    });
    after(async () => {
      await closeScene(scene);
      await rm(folder, { recursive: true });
    });

    const picture = (what: string) =>
      takePicture(picturePath({ browser, view: 'browser', how: what }));

    /** Brings a page to the front, where keys reach it. */
    const show = (tab: string) => scene.session.waitForTab(tab);

    /** Until the toolbar's popup shows the element. */
    const popupShows = (selector: string) =>
      manager.waitUntil(
        (wanted) => {
          const found = look.popup()?.document.querySelector(wanted);
          return (found?.getClientRects().length ?? 0) > 0;
        },
        {},
        selector,
      );

    /** The middle of an element of the popup, on the screen. */
    const inPopup = (selector: string) =>
      manager.evaluate((wanted) => {
        const popup = look.popup()!;
        const { left, top, width, height } = popup.document
          .querySelector(wanted)!
          .getBoundingClientRect();
        // Firefox's name of the place of what is inside the window.
        const { mozInnerScreenX: x, mozInnerScreenY: y } = popup as unknown as Record<
          string,
          number | undefined
        >;
        return {
          x: (x ?? popup.screenX) + left + width / 2,
          y: (y ?? popup.screenY) + top + height / 2,
        };
      }, selector);

    /** The middle of an element of the tab in front, on the screen. */
    const inTab = (tab: Tab, selector: string) =>
      tab.evaluate((wanted) => {
        const element = document.querySelector(wanted)!;
        element.scrollIntoView({ block: 'center', behavior: 'instant' });
        const { left, top, width, height } = element.getBoundingClientRect();
        const { mozInnerScreenX: x, mozInnerScreenY: y } = window as unknown as Record<
          string,
          number | undefined
        >;
        const above = window.outerHeight - window.innerHeight;
        return {
          x: (x ?? window.screenX) + left + width / 2,
          y: (y ?? window.screenY + above) + top + height / 2,
        };
      }, selector);

    const openPopup = async () => {
      await show(scene.server.origin);
      pressKeys('alt+shift+k');
      await popupShows('#nav-site');
    };

    it('opens the popup by its keys, and all of it is in reach', async () => {
      await openPopup();
      for (const tab of ['site', 'sites', 'keys', 'more']) {
        clickScreen(await inPopup(`#nav-${tab}`));
        await popupShows(`#nav-${tab}[aria-current]`);
        await popupShows('#view-title');
        expect(await manager.evaluate(() => look.layoutFaults(look.popup())), tab).to.deep.equal(
          [],
        );
        picture(`popup ${tab}`);
      }
      clickScreen(await inPopup('#nav-site'));
      pressKeys('Escape');
      await manager.waitUntil(() => look.popup() === undefined);
    });

    const isAllowed = () =>
      manager.evaluate(() => {
        const { browser: one, chrome: two } = globalThis as unknown as Record<
          string,
          Api | undefined
        >;
        return (one ?? two)!.permissions.contains({ origins: ['http://localhost/*'] });
      });

    it('asks the user for the permission, and enables the site', async () => {
      await openPopup();
      await popupShows('#enable-site');
      const button = await inPopup('#enable-site');
      await opening(() => clickScreen(button));
      await allow();
      await site.waitUntil(() => 'sealwright' in globalThis);
    });

    /** Answers the browser's own question with yes. */
    const allow = async () => {
      picture('permission');
      if (browser === 'firefox') pressKeys('alt+a');
      else pressKeys('Tab', 'Return');
      await poll('the permission', PATIENCE_MS, async () =>
        (await isAllowed()) ? true : undefined,
      );
    };

    it('gives the file that was chosen in its dialog', async () => {
      const path = join(folder, 'holiday.txt');
      await writeFile(path, 'Seen in its own dialog');
      await show('manager.html');
      clickScreen(await inTab(manager, '#seal-file'));
      const dialog = browser === 'firefox' ? 'File Upload' : 'Open File';
      await waitForWindow(dialog);
      picture('file dialog');
      // The field for a path comes with its first character, and proposes how the path goes on.
      await opening(() => typeText('/'));
      await opening(() => typeText(path.slice(1)));
      pressKeys('End');
      // Return may take the proposal alone, and then what is chosen in the list.
      await poll('the dialog to close', PATIENCE_MS, async () => {
        pressKeys('alt+o');
        await new Promise((resume) => setTimeout(resume, 500));
        return hasWindow(dialog) ? undefined : true;
      });
      picture('file chosen');
      await manager.waitUntil(
        () =>
          document.querySelector<HTMLInputElement>('#seal-file')?.files?.[0]?.name ===
          'holiday.txt',
      );
    });

    it('prints the recovery code', async () => {
      const backup = await scene.session.newTab(scene.session.extensionUrl('manager.html#backup'));
      await backup.click('#make-recovery-code');
      await confirmPassphrase(backup);
      await backup.waitFor('#recovery-sheet');
      await backup.evaluate(() => {
        addEventListener('afterprint', () => (document.title = 'printed'));
      });
      // By a real click: automation does not come back from one before the dialog is closed.
      const button = await inTab(backup, '#print-recovery-sheet');
      await opening(() => clickScreen(button));
      picture('print dialog');
      pressKeys('Escape');
      await backup.waitUntil(() => document.title === 'printed');
      await backup.close();
    });
  });
}
