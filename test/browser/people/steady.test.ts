import { expect } from 'chai';
import { SCREEN_NAMES } from '../../../extension/manager/screens.ts';
import { SCREENS } from '../../../extension/popup/navigation.tsx';
import { generateIdentity } from '../../../src/library/sharing.ts';
import { pageOf } from '../drivers/chromium-tab.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { pageFunction } from '../drivers/page-function.ts';
import { closed, fieldSession, write } from '../field-steps.ts';
import { closeScene, openSiteScene, type Scene } from '../scene.ts';
import {
  answerPrompt,
  bytes,
  call,
  connect,
  createVault,
  fill,
  lockVault,
  SEAL_AND_OPEN,
  succeed,
  unlockVault,
} from '../steps.ts';
import { goToScreen } from '../views.ts';
import { PairingScreen } from './pairing-screen.ts';

/*
 * What can be pressed stays where it is while the rest of a page arrives: a press that was meant for one button may not
 * meet another.
 */

type PageWithHeld = typeof globalThis & { held: Node[]; release: () => void };

/** Runs in a page: scripts that it adds are not loaded before `release` is called. */
function holdScripts(): void {
  const page = globalThis as PageWithHeld;
  page.held = [];
  const append = document.head.appendChild.bind(document.head);
  document.head.appendChild = <T extends Node>(node: T): T => {
    if (!(node instanceof HTMLScriptElement)) return append(node);
    page.held.push(node);
    return node;
  };
  page.release = () => page.held.splice(0).forEach(append);
}

const placesOf = (tab: Tab, selector: string): Promise<string[]> =>
  tab.evaluate((wanted) => {
    return [...document.querySelectorAll(wanted)].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return `${element.id}: ${[x, y + scrollY, width, height].map(Math.round).join(' ')}`;
    });
  }, selector);

type SlowPage = typeof globalThis & {
  chrome: { runtime: { connect: (...how: never[]) => SlowPort } };
  moved: string[];
  isQuiet: boolean;
};

interface SlowPort {
  readonly onMessage: { addListener: (listener: (message: unknown) => void) => void };
}

/** Of messages that have come together: which one arrives first. */
type Order = 'first' | 'last';

/**
 * Runs in a page before its scripts: each message of the background arrives when the page has been drawn without a
 * change, and what can be pressed is looked at in each frame. `moved` names what did not stay where it was.
 */
function arriveSlowly(order: Order): void {
  const page = globalThis as SlowPage;
  const waiting: (() => void)[] = [];
  const places = new Map<Element, string>();
  page.moved = [];
  page.isQuiet = false;
  let quiet = 0;
  new MutationObserver(() => {
    quiet = 0;
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const { runtime } = page.chrome;
  const connect = runtime.connect.bind(runtime);
  runtime.connect = (...how) => {
    const port = connect(...how);
    const add = port.onMessage.addListener.bind(port.onMessage);
    port.onMessage.addListener = (listener) =>
      add((message) => waiting.push(() => listener(message)));
    return port;
  };
  const look = () => {
    const shown = document.querySelectorAll('button, a[href], input, select, textarea, summary');
    for (const element of shown) {
      const { x, y } = element.getBoundingClientRect();
      if (!element.checkVisibility() || element.closest('[aria-disabled="true"]')) continue;
      const now = [x + scrollX, y + scrollY].map(Math.round).join();
      const last = places.get(element);
      if (last !== undefined && last !== now) {
        page.moved.push(`${element.outerHTML.slice(0, 120)}: ${last} to ${now}`);
      }
      places.set(element, now);
    }
    quiet++;
    if (quiet > 3) {
      const arrival = order === 'first' ? waiting.shift() : waiting.pop();
      if (arrival) {
        quiet = 0;
        arrival();
      }
    }
    page.isQuiet = quiet > 20 && waiting.length === 0;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

type Size = readonly [width: number, height: number];
/** The names of a picture's symbols need two lines, as they do in a popup in other languages. */
const NARROW: Size = [200, 600];

/** A page of the extension, opened as by a slow machine. */
async function slowTab(
  scene: Scene,
  url: string,
  order: Order = 'first',
  size?: Size,
): Promise<Tab> {
  const tab = await scene.session.newTab();
  if (size) await tab.setViewport(...size);
  const args = JSON.stringify(JSON.stringify([order]));
  await pageOf(tab).evaluateOnNewDocument(`(${pageFunction(arriveSlowly)})(${args})`);
  await tab.goto(url);
  return tab;
}

/** What has moved in a slow page once all has come. Closes it. */
async function movedAtLast(tab: Tab): Promise<string[]> {
  await tab.waitUntil(() => (globalThis as SlowPage).isQuiet);
  const moved = await tab.evaluate(() => (globalThis as SlowPage).moved);
  await tab.close();
  return moved;
}

/** What moves in a page as it opens. The background may answer in any order. */
async function movedIn(scene: Scene, url: string, ready: string, size?: Size): Promise<string[]> {
  const moved: string[] = [];
  for (const order of ['first', 'last'] as const) {
    const tab = await slowTab(scene, url, order, size);
    await tab.waitFor(ready);
    moved.push(...(await movedAtLast(tab)));
  }
  return moved;
}

for (const browser of BROWSERS) {
  describe(`what can be pressed, in ${browser}`, () => {
    let scene: Scene & { readonly site: Tab };
    before(async () => {
      scene = await openSiteScene(browser);
    });
    after(() => closeScene(scene));

    for (const width of [320, 1024]) {
      it(`does not move when the words of a contact come, at ${width} px`, async () => {
        const { session } = scene;
        const tab = await session.newTab(session.extensionUrl('manager.html#contacts'));
        await tab.setViewport(width, 640);
        await tab.evaluate(holdScripts);
        const { publicKey } = await generateIdentity();
        await tab.type('#contact-name', `Bob ${width}`);
        await fill(tab, '#contact-key', publicKey);
        await tab.click('#add-contact');
        await tab.waitFor('[id^="differ-"]');
        await tab.waitUntil(() => (globalThis as PageWithHeld).held.length > 0);
        const before = await placesOf(tab, '[id^="compare-"] button');
        expect(before).to.have.length.above(1);
        await tab.evaluate(() => (globalThis as PageWithHeld).release());
        await tab.waitFor('.words[aria-busy="false"]');
        expect(await placesOf(tab, '[id^="compare-"] button')).to.deep.equal(before);
        await tab.close();
      });
    }

    // Firefox's protocol runs nothing in a page of an extension before its scripts.
    if (browser !== 'chromium') return;

    for (const screen of SCREEN_NAMES) {
      it(`does not move while the manager's ${screen} opens slowly`, async () => {
        const url = scene.session.extensionUrl(`manager.html#${screen}`);
        expect(await movedIn(scene, url, `#nav-${screen}[aria-current]`)).to.deep.equal([]);
      });
    }

    it('does not move when a picture comes, and the names of its symbols need two lines', async () => {
      const { session } = scene;
      const manager = session.extensionUrl('manager.html#home');
      expect(await movedIn(scene, manager, '.large-links', NARROW)).to.deep.equal([]);
      await lockVault(session);
      expect(await movedIn(scene, manager, '#unlock', NARROW)).to.deep.equal([]);
      await unlockVault(session);
    });

    it('does not move while the prompt opens slowly', async () => {
      const asked = call(scene.site, 'connect', SEAL_AND_OPEN);
      const prompt = await scene.session.waitForTab('prompt.html');
      expect(await movedIn(scene, await prompt.url(), '#allow')).to.deep.equal([]);
      await answerPrompt(scene.session, 'deny');
      await asked;
    });

    for (const screen of Object.keys(SCREENS)) {
      it(`does not move while the popup's ${screen} opens slowly`, async () => {
        const { session, site } = scene;
        // About the site as in a tab of its own, and with the button that shows the manager, as in a popup.
        const about = `popup.html?tab=${await idOf(session, await site.url())}`;
        for (const url of [about, 'popup.html'].map((page) => session.extensionUrl(page))) {
          const popup = await session.newTab(url);
          await goToScreen(popup, screen);
          await popup.close();
          expect(await movedIn(scene, url, '#view-title'), url).to.deep.equal([]);
        }
      });
    }

    it('does not move while the windows about fields open slowly', async () => {
      const { session, server } = scene;
      const site = await session.newTab(`${server.origin}/fields.html`);
      await site.click('textarea');
      const writing = await write(session, site, 'See you at the old mill');
      expect(await movedIn(scene, await writing.url(), '#seal-insert')).to.deep.equal([]);
      await writing.click('#seal-insert');
      await writing.waitFor('#sealed-inserted');
      await closed(session, writing);
      const opening = await fieldSession(session, site, 'open');
      expect(await movedIn(scene, await opening.url(), '.opened')).to.deep.equal([]);
      await closed(session, opening);
      await site.close();
    });

    it('does not move while the activity of a site that is used opens slowly', async () => {
      const { session, site } = scene;
      await connect(session, site);
      await succeed(site, 'seal', bytes(1, 2, 3));
      const url = session.extensionUrl('manager.html#activity');
      expect(await movedIn(scene, url, '#usage')).to.deep.equal([]);
    });

    it('does not move once the answer for another device has come, below the list that grows', async () => {
      const other = await launch(browser);
      try {
        await createVault(other);
        const to = await PairingScreen.of(other);
        await to.click('#device-request-copy');
        const url = scene.session.extensionUrl('manager.html#devices');
        const from = new PairingScreen(await slowTab(scene, url));
        await from.paste('#device-request', await to.copied());
        await from.chooseWords(await to.ownWords());
        await from.confirm();
        await from.members(2);
        await from.tab.waitFor('#device-answer-save');
        const moved = await movedAtLast(from.tab);
        expect(moved.filter((one) => one.includes('device-answer-save'))).to.deep.equal([]);
      } finally {
        await other.close();
      }
    });
  });
}

/** The number that the browser gives to the tab with this address. */
async function idOf(session: BrowserSession, url: string): Promise<number> {
  interface Tabs {
    query(filter: object): Promise<{ id: number; url?: string }[]>;
  }
  const own = await session.newTab(session.extensionUrl('popup.html'));
  const id = await own.evaluate(async (wanted) => {
    const { chrome } = globalThis as unknown as { chrome: { tabs: Tabs } };
    return (await chrome.tabs.query({})).find((tab) => tab.url === wanted)!.id;
  }, url);
  await own.close();
  return id;
}
