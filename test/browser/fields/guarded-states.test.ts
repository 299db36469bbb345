import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { pageOf } from '../drivers/chromium-tab.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import * as fieldSteps from '../field-steps.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { enableSite, lockVault, unlockVault } from '../steps.ts';

/*
 * A text that was typed into a marked field stays in its editor or, sealed, in the page or in the browser's
 * history, while the document, the element or the extension ends. Whatever way it comes back, and however the
 * page sends it then, the page's script never has it in hand.
 */

/** In the page. */
declare const sent: (readonly [way: string, text: string])[];

const FIELD = '[name=message]';
const SECRET = 'Meet me at the old mill';
/** Until the page has heard of a press, in both browsers. */
const SETTLED_MS = 300;

/** Until Chromium has recorded the texts of a page's fields for its session. */
const RECORDED_MS = 2_000;

/** How often a state is made, until the browser has kept what it needs: a document, or the text of a field. */
const TRIES = 3;
/** Until a copied tab has the texts of its fields. */
const COPIED_MS = 10_000;

/** Until the browser has written its session to the disk. */
const SAVED_MS = 12_000;
/** Until the scripts of a new version are in the pages that are open. */
const UPDATED_MS = 4_000;
/** Until the guard of an ended extension asks again. */
const ASKED_AGAIN_MS = 1_500;
/** How long a page can send at an update. Firefox removes the listeners of the old version. */
const UNGUARDED_MS = { chromium: 0, firefox: 5_000 } as const;

/** How a page gets the text to send. The first leaves the focus in the field. */
const WAYS: Readonly<Record<string, (site: Tab) => Promise<void>>> = {
  'pointerup and mouseup': (site) => site.click('#toolbar'),
  requestSubmit: (site) => site.evaluate(() => document.querySelector('form')!.requestSubmit()),
  'change and blur': async (site) => {
    await site.click(FIELD);
    await site.click('[name=subject]');
  },
  submit: (site) => site.click('#send'),
  click: (site) => site.click('#fetch'),
  'form.submit()': (site) => site.click('#call'),
};

interface Place {
  readonly scene: Scene;
  readonly site: Tab;
}

interface State {
  /** Settings of the page (fixtures/guarded.js). */
  readonly page?: string;
  /**
   * What happens once the text was typed.
   *
   * @param typeAnew makes the page and its text once more, in this tab
   * @returns the tab that has it
   */
  readonly come: (place: Place, typeAnew: (site: Tab) => Promise<void>) => Promise<Tab>;
  /** Whether the browser gives the field's sealed text back. Where not, there is nothing to keep. */
  readonly keepsText: (browser: string) => boolean;
  /** Ends the document, and with it the text of an editor that could not be sealed. */
  readonly isEnd?: true;
}

async function leaveAndReturn({ scene, site }: Place): Promise<Tab> {
  await site.goto(`${scene.server.origin}/blank.html`);
  await site.evaluate(() => {
    setTimeout(() => history.back()); // after the answer
  });
  await site.waitUntil(
    () => location.pathname === '/guarded.html' && document.readyState === 'complete',
  );
  return site;
}

async function duplicate({ scene, site }: Place): Promise<Tab> {
  await wait(RECORDED_MS);
  const manager = await scene.session.newTab(scene.session.extensionUrl('manager.html'));
  await manager.evaluate(async () => {
    const { tabs } = (globalThis as unknown as { chrome: { tabs: Tabs } }).chrome;
    const [tab] = await tabs.query({ url: 'http://localhost/guarded.html*' });
    await tabs.duplicate(tab!.id);
  });
  await manager.close();
  await site.close();
  return scene.session.waitForTab('guarded.html');
}

interface Tabs {
  query(filter: object): Promise<{ id: number }[]>;
  duplicate(id: number): Promise<void>;
}

const ALWAYS = () => true;

/** A browser may drop any document of its history, and the texts of a tab, as it likes: then there is no such state yet. */
function untilKept(
  come: (place: Place) => Promise<Tab>,
  isKept: (site: Tab) => Promise<boolean>,
): State['come'] {
  return async ({ scene, site }, typeAnew) => {
    for (let left = TRIES; left > 0; left--) {
      site = await come({ scene, site });
      if (await isKept(site)) return site;
      await typeAnew(site);
    }
    throw new Error(`The browser kept nothing, ${TRIES} times`);
  };
}

/** How the text comes back. */
const STATES: Readonly<Record<string, State>> = {
  'is shown again by the history, the document with it': {
    come: untilKept(leaveAndReturn, (site) => site.evaluate(() => 'isSame' in globalThis)),
    keepsText: ALWAYS,
  },
  'is restored by the history into a new document': {
    page: 'unload',
    come: async (place) => {
      const site = await leaveAndReturn(place);
      expect(await site.evaluate(() => 'isSame' in globalThis), 'the same document').to.equal(
        false,
      );
      return site;
    },
    keepsText: ALWAYS,
    isEnd: true,
  },
  'stays when the page is reloaded': {
    come: async ({ site }) => {
      await site.reload();
      return site;
    },
    keepsText: (browser) => browser === 'firefox',
    isEnd: true,
  },
  'is in a copy of its element': {
    come: async ({ site }) => {
      await site.evaluate((selector) => {
        const field = document.querySelector<HTMLTextAreaElement>(selector)!;
        const copy = field.cloneNode(true) as HTMLTextAreaElement;
        copy.value = field.value;
        field.replaceWith(copy);
      }, FIELD);
      return site;
    },
    keepsText: ALWAYS,
  },
  'is the default value of an element that a framework has drawn anew': {
    page: 'synced',
    come: async ({ site }) => {
      await site.evaluate((selector) => {
        const field = document.querySelector<HTMLTextAreaElement>(selector)!;
        const drawn = document.createElement('textarea');
        drawn.name = field.name;
        drawn.defaultValue = field.value;
        field.replaceWith(drawn);
      }, FIELD);
      return site;
    },
    keepsText: ALWAYS,
  },
  'is copied with its tab': {
    come: untilKept(duplicate, (site) =>
      site
        .waitUntil(
          (one) => Boolean(document.querySelector<HTMLTextAreaElement>(one)?.value),
          { timeoutMs: COPIED_MS },
          FIELD,
        )
        .then(ALWAYS, () => false),
    ),
    keepsText: ALWAYS,
    isEnd: true,
  },
};

/**
 * The ways that a state is tried with while the vault is open: two, from a state to the next by one further, and all in
 * `npm run nightly`. What the guard knows of a field does not depend on the way, nor what it does at a way on how the
 * text came; while the vault is locked, each state is tried in every way.
 */
function waysOf(state: string): [way: string, act: (site: Tab) => Promise<void>][] {
  const ways = Object.entries(WAYS);
  if (IS_NIGHTLY) return ways;
  const first = Object.keys(STATES).indexOf(state);
  return [first, first + 1].map((at) => ways[at % ways.length]!);
}

/** At an address of its own: at the same one, Firefox puts the text of the page before into the fields. */
async function typedIn({ scene, site }: Place, query = ''): Promise<void> {
  await site.goto(`${scene.server.origin}/guarded.html?watched&${query}&${crypto.randomUUID()}`);
  await site.evaluate(() => void Object.assign(globalThis, { isSame: true }));
  await site.type(FIELD, SECRET);
}

const wait = (ms: number) => new Promise((resume) => setTimeout(resume, ms));
const settle = () => wait(SETTLED_MS);

const refreshed = (site: Tab) =>
  site.waitUntil(
    (one) => document.querySelector<HTMLTextAreaElement>(one)!.value.startsWith('swt1'),
    {},
    FIELD,
  );

/** Files of a profile that hold a text as it is. The cache is left out: a script of the fixture has the text. */
async function filesWith(profile: string, text: string): Promise<string[]> {
  const forms = [Buffer.from(text), Buffer.from(text, 'utf16le')];
  const found: string[] = [];
  for (const entry of await readdir(profile, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isRead = entry.isFile() && !path.includes('/Cache/');
    const content = isRead ? await readFile(path) : Buffer.alloc(0);
    if (forms.some((form) => content.includes(form))) found.push(path);
  }
  return found;
}

const textIn = (site: Tab) =>
  site.evaluate((one) => document.querySelector<HTMLTextAreaElement>(one)!.value, FIELD);

/** In which events the page had the text in hand, and now has none of them in memory. */
const takeLeaks = (site: Tab) =>
  site.evaluate(() =>
    sent
      .splice(0)
      .filter(([, text]) => text.includes('mill'))
      .map(([event]) => event),
  );

/** The window that says why a form was not sent, if there is one. */
async function closeStopped(session: BrowserSession): Promise<void> {
  while ((await session.countTabs('fields-window.html')) > 0) {
    const window = await session.waitForTab('fields-window.html');
    await fieldSteps.closed(session, window);
  }
}

/** The ways in which the page had the text in hand. */
type Leaks = Record<string, readonly string[]>;

/** While nothing can be sealed: each way on the same page, whose editor keeps the text. */
async function leaksWhileHeld({ scene, site }: Place): Promise<Leaks> {
  const leaks: Leaks = {};
  expect(await textIn(site)).to.equal('');
  await takeLeaks(site);
  for (const [way, act] of Object.entries(WAYS)) {
    await act(site);
    await settle();
    leaks[way] = await takeLeaks(site);
  }
  expect(await textIn(site)).to.equal('');
  expect(await scene.session.countTabs('fields-window.html'), 'a window that says why').to.equal(1);
  await closeStopped(scene.session);
  return leaks;
}

/** Answers the next dialog of the browser. */
function answerOnce(site: Tab, isYes: boolean): void {
  pageOf(site).once('dialog', (dialog) => void (isYes ? dialog.accept() : dialog.dismiss()));
}

const noneOf = (ways: readonly (readonly [way: string, ...unknown[]])[]): Leaks =>
  Object.fromEntries(ways.map(([way]) => [way, []]));
const none = noneOf(Object.entries(WAYS));

/** In the window about it, by its user. */
async function mark({ scene, site }: Place): Promise<void> {
  await site.click(FIELD);
  await fieldSteps.mark(scene.session, site);
}

for (const browser of BROWSERS) {
  describe(`the text of an always-sealed field, in ${browser}`, function () {
    this.timeout(120_000);
    let scene: Scene;
    let site: Tab;

    before(async () => {
      scene = await openVaultScene(browser, { backForwardCache: true });
      site = await scene.session.newTab(`${scene.server.origin}/guarded.html`);
      await enableSite(scene.session, site);
      await mark({ scene, site });
    });

    after(() => closeScene(scene));

    it('reaches the page in each of these ways where the site is not enabled', async () => {
      const other = await scene.session.newTab(`${scene.server.otherOrigin}/guarded.html?watched`);
      for (const [way, act] of Object.entries(WAYS)) {
        await other.reload();
        await other.type(FIELD, SECRET);
        await act(other);
        await settle();
        expect(await takeLeaks(other), way).to.not.deep.equal([]);
      }
      await other.close();
    });

    for (const [how, { page, come, keepsText, isEnd }] of Object.entries(STATES)) {
      if (!keepsText(browser)) continue;

      it(`${how}: is sealed`, async () => {
        const leaks: Leaks = {};
        for (const [way, act] of waysOf(how)) {
          const type = async (tab: Tab) => {
            await typedIn({ scene, site: tab }, page);
            await refreshed(tab);
          };
          await type(site);
          site = await come({ scene, site }, type);
          await takeLeaks(site);
          await act(site);
          await site.waitUntil(() => sent.length > 0);
          await settle();
          leaks[way] = await takeLeaks(site);
        }
        expect(leaks).to.deep.equal(noneOf(waysOf(how)));
      });

      it(`${how}, while the vault is locked: is held`, async () => {
        await lockVault(scene.session);
        const type = (tab: Tab) => typedIn({ scene, site: tab }, page);
        await type(site);
        if (!isEnd) site = await come({ scene, site }, type);
        const leaks = await leaksWhileHeld({ scene, site });
        expect(leaks).to.deep.equal(none);
        await unlockVault(scene.session);
        if (isEnd) return;
        await site.click('#send');
        await site.waitUntil(() => sent.some(([, text]) => text.startsWith('swt1')));
        expect(await takeLeaks(site)).to.deep.equal([]);
      });
    }

    it('is held after an update of the extension, which locks the vault', async () => {
      for (const page of ['', 'synced']) {
        await lockVault(scene.session); // an open vault would seal it before the update
        await typedIn({ scene, site }, page);
        await scene.session.reloadExtension();
        await wait(UPDATED_MS);
        const leaks = await leaksWhileHeld({ scene, site });
        await unlockVault(scene.session);
        expect(leaks, page).to.deep.equal(none);
      }
    });

    it('is sent during an update for as short a time as docs/fields.md says', async () => {
      await lockVault(scene.session); // an open vault would seal it before the update
      await typedIn({ scene, site });
      await site.evaluate(() => {
        const times: number[] = [];
        const form = document.querySelector('form')!;
        form.addEventListener('submit', (event) => {
          event.preventDefault();
          times.push(performance.now());
        });
        Object.assign(globalThis, { times, timer: setInterval(() => form.requestSubmit(), 5) });
      });
      await scene.session.reloadExtension();
      await wait(2 * UPDATED_MS);
      const times = await site.evaluate(() => {
        const own = globalThis as unknown as { times: number[]; timer: number };
        clearInterval(own.timer);
        return own.times;
      });
      const unguarded = times.length === 0 ? 0 : times.at(-1)! - times[0]!;
      expect(unguarded).to.be.at.most(UNGUARDED_MS[browser]);
      await closeStopped(scene.session);
      await unlockVault(scene.session);
    });

    it('is sent once the extension is switched off in Chromium, after a question; else it stays', async () => {
      await lockVault(scene.session);
      await typedIn({ scene, site });
      await scene.session.switchExtension(false);
      if (browser === 'chromium') answerOnce(site, false);
      await takeLeaks(site);
      await site.click('#send');
      await wait(ASKED_AGAIN_MS);
      if (browser === 'chromium') {
        expect(await takeLeaks(site)).to.deep.equal([]);
        answerOnce(site, true);
        await site.click('#send');
        await settle();
        expect(await takeLeaks(site)).to.include('submit');
      } else {
        expect(await takeLeaks(site)).to.deep.equal([]);
      }
    });
  });

  // Firefox restores no tabs while it is automated.
  if (browser === 'firefox') continue;

  describe(`the text of an always-sealed field, in ${browser} after a crash`, function () {
    this.timeout(120_000);
    let scene: Scene;

    after(() => closeScene(scene));

    it('is sealed in the restored tab', async () => {
      scene = await openVaultScene(browser);
      const site = await scene.session.newTab(`${scene.server.origin}/guarded.html`);
      await enableSite(scene.session, site);
      await mark({ scene, site });
      await typedIn({ scene, site });
      await wait(SAVED_MS);
      const profile = await scene.session.crash();
      expect(await filesWith(profile, SECRET)).to.deep.equal([]);
      const session = await launch(browser, {
        profile,
        switches: {
          chromium: ['--restore-last-session', '--hide-crash-restore-bubble'],
          firefox: {},
        },
      });
      scene = { ...scene, session };
      const restored = await session.waitForTab('guarded.html');
      // Here the extension comes after the tabs: the driver installs it in a browser that runs.
      await wait(UPDATED_MS);
      expect(await textIn(restored)).to.match(/^swt1/);
      await restored.click('#send');
      await restored.waitUntil(() => sent.length > 0);
      expect(await takeLeaks(restored)).to.deep.equal([]);
    });
  });
}
