import { expect } from 'chai';
import { pageOf } from '../drivers/chromium-tab.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { pageFunction } from '../drivers/page-function.ts';
import { chooseAction, confirmPassphrase, createVault, openPopup } from '../steps.ts';

/** Screens of the manager with what each asks for, and something to press below the answer. */
const LISTS = {
  keys: [['ui.keys'], '#advanced-keys > summary'],
  contacts: [['ui.contacts', 'ui.ownSharingKeys'], '#add-contact'],
  backup: [['ui.backupTimes', 'ui.slots'], '#advanced-backup > summary'],
} as const;

interface Steered {
  /** Calls of these methods reach the background under a name that it does not have. */
  failing: readonly string[];
  /** Whether the screen has made one of the calls that wait. */
  holds(): boolean;
  /** Sends the calls that were held. */
  letGo(): void;
}

/** Runs before the scripts of a page: its calls of these methods wait until they are let go, or fail from then on. */
function steerCalls(methods: readonly string[]): void {
  interface Port {
    postMessage(message: unknown): void;
  }
  interface Runtime {
    connect(...list: unknown[]): Port;
  }
  const { runtime } = (globalThis as unknown as { chrome: { runtime: Runtime } }).chrome;
  const page = globalThis as unknown as Steered;
  const held: (() => void)[] = [];
  const connect = runtime.connect.bind(runtime);
  runtime.connect = (...list) => {
    const port = connect(...list);
    const post = port.postMessage.bind(port);
    port.postMessage = (message) => {
      const text = JSON.stringify(message);
      const names = (name: string) => text.includes(`"${name}"`);
      const failing = page.failing.filter(names);
      if (failing.length > 0) {
        post(
          JSON.parse(failing.reduce((sent, name) => sent.replaceAll(`"${name}"`, '"no"'), text)),
        );
      } else if (methods.some(names)) held.push(() => post(message));
      else post(message);
    };
    return port;
  };
  page.failing = [];
  page.holds = () => held.length > 0;
  page.letGo = () => held.forEach((send) => send());
}

/** Opens a screen of the manager with `steerCalls` in it. */
async function steeredScreen(
  session: BrowserSession,
  screen: string,
  held: readonly string[] = [],
): Promise<Tab> {
  const tab = await session.newTab();
  const args = JSON.stringify(JSON.stringify([held]));
  await pageOf(tab).evaluateOnNewDocument(`(${pageFunction(steerCalls)})(${args})`);
  await tab.goto(session.extensionUrl(`manager.html#${screen}`));
  return tab;
}

/** From now on, and for what the page reads as when its window gets the focus. */
async function fail(tab: Tab, methods: readonly string[]): Promise<void> {
  await tab.evaluate((list) => {
    (globalThis as unknown as Steered).failing = list;
    window.dispatchEvent(new Event('focus'));
  }, methods);
}

/** What a user could press in the screen. */
const pressable = (): string[] =>
  [...document.querySelectorAll('main :is(button, input, select, summary)')]
    .filter((one) => one.checkVisibility())
    .map((one) => one.outerHTML.slice(0, 80));

for (const browser of BROWSERS) {
  describe(`keys in ${browser}`, () => {
    let session: BrowserSession;

    before(async () => {
      session = await launch(browser);
      await createVault(session);
    });
    after(() => session.close());

    async function openKeys(): Promise<Tab> {
      const manager = await session.newTab(session.extensionUrl('manager.html#keys'));
      await manager.waitFor('#keys');
      return manager;
    }

    it('keep a form that was open when its tab was closed', async () => {
      const manager = await openKeys();
      await manager.type('#new-key-label', 'Letters');
      await manager.click('#create-key');
      await manager.click('#keys li:nth-child(2) .button');
      await manager.type('#edit-note', 'Written to Ada');
      await manager.click('.tone-option[data-tone="purple"] input');
      await manager.close();
      const again = await openKeys();
      await again.waitUntil(
        () => document.querySelector<HTMLTextAreaElement>('#edit-note')?.value === 'Written to Ada',
      );
      await again.click('#save-key');
      await again.waitFor('#keys .key-note');
      expect(await again.text('#keys .key-note')).to.equal('Written to Ada');
      await again.close();
      const popup = await openPopup(session);
      await popup.click('#nav-keys');
      await popup.waitFor('#keys .tone-dot[data-tone="purple"]');
      await popup.close();
    });

    it('have a menu of further actions, which the keyboard alone works', async () => {
      const manager = await openKeys();
      await manager.click('#new-key-signing');
      await manager.type('#new-key-label', 'Seal of the house');
      await manager.click('#create-key');
      const row = '#keys > li:nth-child(3)';
      await manager.waitFor(`${row} .show-public-key`);
      const at = async (place: string) => {
        await manager.waitUntil(
          (selector) => document.activeElement?.matches(selector) === true,
          {},
          place,
        );
      };
      const button = `${row} [aria-haspopup="menu"]`;
      const menuIs = (expanded: boolean) =>
        manager.waitFor(`${button}[aria-expanded="${expanded}"]`);
      await manager.evaluate(
        (selector) => document.querySelector<HTMLElement>(selector)!.focus(),
        button,
      );
      await manager.press('ArrowUp');
      await menuIs(true);
      await at('[data-action="archive"]');
      await manager.press('ArrowDown');
      await at('[data-action="edit"]');
      await manager.press('End');
      await at('[data-action="archive"]');
      await manager.press('Home');
      await at('[data-action="edit"]');
      await manager.typeAtFocus('a');
      await at('[data-action="archive"]');
      await manager.press('Escape');
      await menuIs(false);
      await at(button);
      await manager.press('Enter');
      await at('[data-action="edit"]');
      await manager.press('Tab');
      await menuIs(false);
      // The safe answer takes the focus, and gives it back to the menu's button.
      await chooseAction(manager, row, 'archive');
      await at('.confirm button');
      await manager.press('Enter');
      await at(button);
      await manager.press('Enter');
      await at('[data-action="edit"]');
      await manager.press('Enter');
      await at('#edit-label');
      await manager.type('#edit-note', 'مفتاح البيت');
      await manager.click('#save-key');
      await at(button);
      const inside = await manager.evaluate((selector) => {
        const note = document.querySelector(selector)!;
        const words = document.createRange();
        words.selectNodeContents(note);
        return words.getBoundingClientRect().left - note.getBoundingClientRect().left;
      }, `${row} .key-note`);
      expect(inside, 'from the start of the line to the note').to.be.within(0, 16);
      await chooseAction(manager, row, 'archive');
      await manager.click('#keys .confirm .button-danger');
      await manager.waitFor('#archive');
      await chooseAction(manager, '#archive', 'delete');
      await confirmPassphrase(manager);
      await manager.waitUntil(() => document.querySelector('#archive') === null, {
        timeoutMs: 30_000,
      });
      await manager.close();
    });

    it('go into the archive first, and from there for ever', async () => {
      const manager = await openKeys();
      await chooseAction(manager, '#keys', 'archive');
      await manager.click('#keys .confirm .button-danger');
      await manager.waitFor('#archive');
      await manager.waitUntil(() => document.querySelectorAll('#keys > li').length === 1);
      await chooseAction(manager, '#archive', 'delete');
      await confirmPassphrase(manager);
      await manager.waitUntil(() => document.querySelector('#archive') === null, {
        timeoutMs: 30_000,
      });
      await manager.close();
    });

    // Firefox's driver has no scripts that run before a page's.
    if (browser !== 'chromium') return;

    for (const [screen, [methods, below]] of Object.entries(LISTS)) {
      it(`show nothing to press in “${screen}” that moves when an answer comes`, async () => {
        const tab = await steeredScreen(session, screen, methods);
        await tab.waitFor('main .loading');
        await tab.waitUntil(() => (globalThis as unknown as Steered).holds());
        expect(await tab.evaluate(pressable)).to.deep.equal([]);
        await tab.evaluate(() => (globalThis as unknown as Steered).letGo());
        await tab.waitFor(below);
        await tab.close();
      });
    }

    it('and other forms keep what was typed where the screen cannot be read anew', async () => {
      const tab = await steeredScreen(session, 'security');
      await tab.type('#new-passphrase', 'half of a new pass');
      await fail(tab, ['ui.slots', 'ui.state']);
      await tab.waitFor('.banner-error');
      const value = () => document.querySelector<HTMLInputElement>('#new-passphrase')?.value;
      expect(await tab.evaluate(value)).to.equal('half of a new pass');
      await fail(tab, []);
      await tab.waitUntil(() => document.querySelector('.banner-error') === null);
      expect(await tab.evaluate(value)).to.equal('half of a new pass');
      await tab.close();
    });
  });
}
