import { expect } from 'chai';
import { ASKED, STARTED } from '../../../extension/fields/auto-seal/site-guards.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { pageOf } from '../drivers/chromium-tab.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import * as fieldSteps from '../field-steps.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { enableSite, fill, lockVault, unlockVault } from '../steps.ts';
import { searchFiles, sessionSaved } from '../stress/search-profile.ts';

/*
 * A text that was typed into a marked field stays in its editor or, sealed, in the page or in the browser's
 * history, while the document, the element or the extension ends. Whatever way it comes back, and however the
 * page sends it then, the page's script never has it in hand. While the vault is locked, a text in an editor ends
 * with its document; what the browser has put into the field itself comes back in clear, and is held.
 */

/** In the page. */
declare const sent: (readonly [way: string, text: string])[];

const FIELD = '[name=message]';
/**
 * Typed into the editor, and put into the field itself. Without any sequence that recurs: Firefox compresses its
 * session, and leaves such texts as they are.
 */
const SECRET = 'Wn6eKc3hTf8uPz1y';
const FILLED = 'Bv4rXs9jMd2oGq7a';
/** Until the page has heard of a press, in both browsers. */
const SETTLED_MS = 300;

/** Until Chromium has recorded the texts of a page's fields for its session. */
const RECORDED_MS = 2_000;

/** How often a state is made, until the browser has kept what it needs: a document, or the text of a field. */
const TRIES = 3;
/** Until a copied tab has the texts of its fields. */
const COPIED_MS = 10_000;

/** More than a page has to send at an update. */
const UPDATED_MS = 8_000;
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
  /** Whether the browser gives the field its text back. Where not, the page has nothing to send. */
  readonly keepsText: (browser: string) => boolean;
  /**
   * Ends the document, and with it the text of an editor that could not be sealed: while the vault is locked, the
   * field itself has a text as well.
   */
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

/** Whether a page is the one that the text was typed in. */
const isSame = (site: Tab) => site.evaluate(() => 'isSame' in globalThis);

/** How the text comes back. */
const STATES: Readonly<Record<string, State>> = {
  'is shown again by the history, the document with it': {
    come: untilKept(leaveAndReturn, isSame),
    keepsText: ALWAYS,
  },
  'is restored by the history into a new document': {
    page: 'unload',
    come: leaveAndReturn,
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

/**
 * At an address of its own: at the same one, Firefox puts the text of the page before into the fields.
 *
 * @param page its settings
 * @param filled what the field holds already, as if the browser had filled it in
 */
async function typedIn({ scene, site }: Place, page: string, filled = ''): Promise<void> {
  await site.goto(`${scene.server.origin}/guarded.html?${page}&${crypto.randomUUID()}`);
  await site.evaluate(() => void Object.assign(globalThis, { isSame: true }));
  if (filled !== '') await fill(site, FIELD, filled);
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

const textIn = (site: Tab) =>
  site.evaluate((one) => document.querySelector<HTMLTextAreaElement>(one)!.value, FIELD);

/** While the text was typed, and came back. */
const BEFORE = 'before';

type Sent = readonly (readonly [way: string, text: string])[];

/** What the page had in hand since the last call, and in which event. */
const takeSent = (site: Tab): Promise<Sent> => site.evaluate(() => sent.splice(0));

/** In which events that was a text of the user. */
const leaksIn = (all: Sent): readonly string[] =>
  all
    .filter(([, text]) => [SECRET, FILLED].some((one) => text.includes(one)))
    .map(([event]) => event);

const takeLeaks = async (site: Tab) => leaksIn(await takeSent(site));

/** The window that says why a form was not sent, or that opens a text, if there is one. */
async function closeStopped(session: BrowserSession): Promise<void> {
  while ((await session.countTabs('fields-window.html')) > 0) {
    const window = await session.waitForTab('fields-window.html');
    await fieldSteps.closed(session, window);
  }
}

/** The vault is open again whatever has failed: the tests after it need it so. */
async function whileLocked<T>(session: BrowserSession, work: () => Promise<T>): Promise<T> {
  await lockVault(session);
  try {
    return await work();
  } finally {
    await unlockVault(session);
  }
}

/** In which events of each way the page had the text in hand. */
type Leaks = Record<string, readonly string[]>;

/** What became of a text while the vault was locked. */
interface Seen {
  readonly leaks: Leaks;
  /** In which ways the page sent a sealed text. */
  readonly sealed: readonly string[];
  /** What the page's field has in the end. */
  readonly field: string;
  /** How many windows say why nothing was sent. */
  readonly windows: number;
}

/** While the vault is locked: each way on the same page. Closes the windows about it. */
async function inEachWay({ scene: { session }, site }: Place): Promise<Seen> {
  const leaks: Leaks = { [BEFORE]: await takeLeaks(site) };
  const sealed: string[] = [];
  for (const [way, act] of Object.entries(WAYS)) {
    await act(site);
    await settle();
    const all = await takeSent(site);
    leaks[way] = leaksIn(all);
    if (all.some(([, text]) => text.startsWith('swt1'))) sealed.push(way);
  }
  const [field, windows] = [await textIn(site), await session.countTabs('fields-window.html')];
  await closeStopped(session);
  return { leaks, sealed, field, windows };
}

/** Answers the next dialog of the browser. */
function answerOnce(site: Tab, isYes: boolean): void {
  pageOf(site).once('dialog', (dialog) => void (isYes ? dialog.accept() : dialog.dismiss()));
}

const noneOf = (ways: readonly (readonly [way: string, ...unknown[]])[]): Leaks =>
  Object.fromEntries(ways.map(([way]) => [way, []]));
const none = noneOf([[BEFORE], ...Object.entries(WAYS)]);

/** What is seen where a text is in an editor, or in the field. @param isHeld false where it is in neither */
const held = (field = '', isHeld = true): Seen => ({
  leaks: none,
  sealed: [],
  field,
  windows: isHeld ? 1 : 0,
});

/** Where the field has a sealed text. A press in the field may meet the button that opens it, by a window. */
function expectSealed({ leaks, sealed, field }: Seen): void {
  expect(leaks).to.deep.equal(none);
  expect(field).to.match(/^swt1/);
  expect(sealed).to.include.members(['pointerup and mouseup', 'requestSubmit', 'submit', 'click']);
}

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
      const settings = `watched&${page ?? ''}`;
      const isKept = keepsText(browser);

      it(`${how}: is sealed`, async () => {
        const leaks: Leaks = {};
        for (const [way, act] of waysOf(how)) {
          const type = async (tab: Tab) => {
            await typedIn({ scene, site: tab }, settings);
            await refreshed(tab);
          };
          await type(site);
          site = await come({ scene, site }, type);
          expect(await isSame(site), 'the same document').to.equal(!isEnd);
          expect(await textIn(site)).to.match(isKept ? /^swt1/ : /^$/);
          await takeSent(site);
          await act(site);
          await site.waitUntil(() => sent.length > 0);
          await settle();
          leaks[way] = await takeLeaks(site);
        }
        expect(leaks).to.deep.equal(noneOf(waysOf(how)));
      });

      it(`${how}, while the vault is locked: is held`, async () => {
        const filled = isEnd ? FILLED : '';
        const type = (tab: Tab) => typedIn({ scene, site: tab }, settings, filled);
        const { wasSame, seen } = await whileLocked(scene.session, async () => {
          await type(site);
          site = await come({ scene, site }, type);
          return { wasSame: await isSame(site), seen: await inEachWay({ scene, site }) };
        });
        expect(wasSame, 'the same document').to.equal(!isEnd);
        expect(seen).to.deep.equal(held(isKept ? filled : '', isKept));
        if (!isKept) return;
        await site.click('#send');
        await site.waitUntil(() => sent.some(([, text]) => text.startsWith('swt1')));
        expect(await takeLeaks(site)).to.deep.equal([]);
      });
    }

    /** Comes back when the scripts of the new version are in the page. */
    const update = async (): Promise<void> => {
      await site.evaluate((started) => {
        addEventListener(started, () => Object.assign(globalThis, { isUpdated: true }));
      }, STARTED);
      await scene.session.reloadExtension();
      await site.waitUntil(() => 'isUpdated' in globalThis);
    };

    it('is held after an update of the extension, which locks the vault', async () => {
      for (const page of ['', 'synced']) {
        const seen = await whileLocked(scene.session, async () => {
          await typedIn({ scene, site }, `watched&${page}`); // an open vault would seal it before the update
          await update();
          return inEachWay({ scene, site });
        });
        expect(seen, page).to.deep.equal(held());
      }
    });

    it('is sealed after an update, where it was sealed before', async () => {
      await typedIn({ scene, site }, 'watched');
      await refreshed(site);
      await update();
      const seen = await inEachWay({ scene, site });
      await unlockVault(scene.session);
      expectSealed(seen);
    });

    it('is sent during an update for as short a time as docs/fields.md says', async () => {
      const times = await whileLocked(scene.session, async () => {
        await typedIn({ scene, site }, 'watched'); // an open vault would seal it before the update
        await site.evaluate(() => {
          const sending: number[] = [];
          const form = document.querySelector('form')!;
          form.addEventListener('submit', (event) => {
            event.preventDefault();
            sending.push(performance.now());
          });
          Object.assign(globalThis, { sending, timer: setInterval(() => form.requestSubmit(), 5) });
        });
        await scene.session.reloadExtension();
        await wait(UPDATED_MS);
        const all = await site.evaluate(() => {
          const own = globalThis as unknown as { sending: number[]; timer: number };
          clearInterval(own.timer);
          return own.sending;
        });
        await closeStopped(scene.session);
        return all;
      });
      const unguarded = times.length === 0 ? 0 : times.at(-1)! - times[0]!;
      expect(unguarded).to.be.at.most(UNGUARDED_MS[browser]);
    });

    it('is sent once the extension is switched off in Chromium, after a question; else it stays', async () => {
      await lockVault(scene.session);
      await typedIn({ scene, site }, 'watched');
      await scene.session.switchExtension(false);
      if (browser === 'chromium') answerOnce(site, false);
      await takeSent(site);
      await site.click('#send');
      await wait(ASKED_AGAIN_MS);
      const all = await takeSent(site);
      expect(leaksIn(all)).to.deep.equal([]);
      const isSent = (way: string) => all.some(([one]) => one === way);
      // In Firefox the form goes, without the text that stays in the editor.
      expect(isSent('submit')).to.equal(browser === 'firefox');
      if (browser === 'firefox') return;
      answerOnce(site, true);
      await site.click('#send');
      await settle();
      expect(await takeLeaks(site)).to.include('submit');
    });
  });

  describe(`the text of an always-sealed field, in ${browser} after a crash`, function () {
    this.timeout(180_000);
    let scene: Scene;
    /** The restored tab of a text that was sealed. */
    let open: Tab;
    /** That of a text that the field had itself. */
    let locked: Tab;
    let found: readonly string[];

    before(async () => {
      scene = await openVaultScene(browser);
      open = await scene.session.newTab(`${scene.server.origin}/guarded.html`);
      await enableSite(scene.session, open);
      await mark({ scene, site: open });
      await typedIn({ scene, site: open }, 'open-vault');
      await refreshed(open);
      const sealed = await textIn(open);
      await lockVault(scene.session);
      locked = await scene.session.newTab();
      await typedIn({ scene, site: locked }, 'locked-vault', FILLED);
      await sessionSaved(scene.session, [sealed.slice(20, 60), FILLED]);
      const profile = await scene.session.crash();
      found = await searchFiles(profile, [SECRET], []);
      const switches = {
        chromium: ['--restore-last-session', '--hide-crash-restore-bubble'],
        // Else each tab is loaded when it comes to the front.
        firefox: { 'browser.sessionstore.restore_on_demand': false },
      };
      scene = { ...scene, session: await launch(browser, { profile, switches }) };
      open = await scene.session.waitForTab('open-vault');
      locked = await scene.session.waitForTab('locked-vault');
      // Here the extension comes after the tabs: the driver installs it in a browser that runs.
      await locked.waitUntil(
        (asked) => !dispatchEvent(new Event(asked, { cancelable: true })),
        {},
        ASKED,
      );
    });

    after(() => closeScene(scene));

    it('is nowhere in the profile', () => {
      expect(found).to.deep.equal([]);
    });

    it('is held in the restored tab, where the field had one itself', async () => {
      expect(await inEachWay({ scene, site: locked })).to.deep.equal(held(FILLED));
    });

    it('is sealed in the restored tab', async () => {
      open = await scene.session.waitForTab('open-vault');
      expectSealed(await inEachWay({ scene, site: open }));
    });

    it('is held no longer once the extension is removed: in Chromium after a question', async () => {
      locked = await scene.session.waitForTab('locked-vault');
      await scene.session.removeExtension();
      await takeSent(locked);
      if (browser === 'chromium') answerOnce(locked, true);
      await locked.click('#send');
      await locked.waitUntil(() => sent.some(([way]) => way === 'submit'));
      expect(await takeLeaks(locked)).to.include('submit');
    });
  });
}
