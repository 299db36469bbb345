import { expect } from 'chai';
import { ACTIVITY } from '../../src/service/audit/activity.ts';
import { WELCOME_PAGE, type BrowserSession, type Tab } from './drivers/driver.ts';
import { PATIENCE_MS, poll } from './drivers/page-function.ts';
import { storedBytes } from './in-page/attacks/stored-bytes.ts';

/*
 * What a person does with Sealwright, as steps that tests and the demo run share. Each is done
 * by real clicks and key strokes in the extension's own windows and in a page.
 */
export const PASSPHRASE = 'plum orbit canvas thirty quiet lantern';

/** The popup's page in a tab of its own. */
export async function openPopup(session: BrowserSession): Promise<Tab> {
  return await session.newTab(session.extensionUrl('popup.html'));
}

/** In the popup's list of further screens: the settings, with what few people change unfolded. */
export async function openAdvanced(popup: Tab): Promise<void> {
  await popup.click('#open-settings');
  await popup.click('#advanced > summary');
}

/** Where the focus is, and whether that is after the last place in the order of the document. */
function focusStop(): { id: string; isForward: boolean } {
  type Held = typeof globalThis & { lastFocused?: Element };
  const held = globalThis as Held;
  const now = document.activeElement!;
  const last = held.lastFocused;
  held.lastFocused = now;
  const follows = !last || (last.compareDocumentPosition(now) & 4) !== 0;
  return { id: now.id, isForward: follows };
}

/** Presses Tab until the focus is there, and holds that it goes through the page in reading order. */
export async function tabTo(tab: Tab, id: string): Promise<void> {
  await tab.evaluate(focusStop);
  for (let left = 30; left > 0; left--) {
    await tab.press('Tab');
    const stop = await tab.evaluate(focusStop);
    expect(stop.isForward, `${stop.id} on the way to ${id}`).to.equal(true);
    if (stop.id === id) return;
  }
  throw new Error(`Tab does not reach ${id}`);
}

/** Waits until the focus is there. */
export const focusIsAt = (tab: Tab, id: string): Promise<void> =>
  tab.waitUntil((wanted) => document.activeElement?.id === wanted, {}, id);

/** As a person chooses an option of a list. */
export const choose = (tab: Tab, list: string, value: string): Promise<void> =>
  tab.evaluate(
    (selector, wanted) => {
      const select = document.querySelector<HTMLSelectElement>(selector)!;
      select.value = wanted;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    },
    list,
    value,
  );

/** As a password manager fills a field: all of it at once. A key stroke for each character costs processor time. */
export async function fill(tab: Tab, selector: string, text: string): Promise<void> {
  await tab.waitFor(selector);
  await tab.evaluate(
    (wanted, value) => {
      const field = document.querySelector<HTMLInputElement>(wanted)!;
      field.focus();
      field.value = value;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    },
    selector,
    text,
  );
}

/** The first run, as the tab that opens after the installation. */
export async function openWelcome(session: BrowserSession): Promise<Tab> {
  return await session.newTab(session.extensionUrl(WELCOME_PAGE));
}

/** The first step of the first run: a vault with PASSPHRASE. Leaves the tab at its recovery code. */
export async function chooseFirstPassphrase(welcome: Tab): Promise<void> {
  await fill(welcome, '#passphrase', PASSPHRASE);
  await fill(welcome, '#passphrase-again', PASSPHRASE);
  await welcome.click('#create-vault');
  await welcome.waitFor('#recovery-sheet', 30_000);
}

/**
 * First run: a vault with PASSPHRASE, without a recovery code. It is unlocked then, and the tab is closed.
 *
 * @param welcome the tab of the first run
 */
export async function createVault(session: BrowserSession, welcome?: Tab): Promise<void> {
  const tab = welcome ?? (await openWelcome(session));
  await chooseFirstPassphrase(tab);
  await tab.close();
}

/** Chooses from the menu of a row. @param action as the item's `data-action` names it */
export async function chooseAction(tab: Tab, row: string, action: string): Promise<void> {
  await tab.click(`${row} [aria-haspopup="menu"]`);
  await tab.click(`${row} [data-action="${action}"]`);
}

/** Shows the open page in another language and other colours, as a choice in another page does. */
export async function showIn(
  tab: Tab,
  preferences: { readonly language: string; readonly theme: string },
): Promise<void> {
  await tab.evaluate((chosen) => {
    localStorage.setItem('preferences', JSON.stringify(chosen));
    dispatchEvent(new StorageEvent('storage', { key: 'preferences' }));
  }, preferences);
  const { language, theme } = preferences;
  await tab.waitUntil(
    (lang, scheme) => {
      const { lang: now, dataset } = document.documentElement;
      return (lang === 'auto' || now.startsWith(lang)) && (dataset.theme ?? 'system') === scheme;
    },
    {},
    ...([language, theme] as const),
  );
}

/** In the manager: answers the dialog that asks for the passphrase. @param secret or the recovery code */
export async function confirmPassphrase(manager: Tab, secret = PASSPHRASE): Promise<void> {
  await manager.type('#current-passphrase', secret);
  await manager.click('#confirm-passphrase');
}

export async function lockVault(session: BrowserSession): Promise<void> {
  const popup = await openPopup(session);
  await popup.click('#lock-now');
  await popup.waitFor('#unlock');
  await popup.close();
}

export async function unlockVault(session: BrowserSession, passphrase = PASSPHRASE): Promise<void> {
  const popup = await openPopup(session);
  await fill(popup, '#passphrase', passphrase);
  await popup.click('#unlock');
  await popup.waitFor('#nav-site', 30_000);
  await popup.close();
}

/** In the manager: the vault is opened by `next` from now on. @param current or the recovery code */
export async function changePassphrase(
  session: BrowserSession,
  current: string,
  next: string,
): Promise<void> {
  const manager = await session.newTab(session.extensionUrl('manager.html#security'));
  await manager.waitFor('#change-passphrase');
  await manager.type('#new-passphrase', next);
  await manager.type('#new-passphrase-again', next);
  await manager.click('#change-passphrase');
  await confirmPassphrase(manager, current);
  await manager.waitFor('#passphrase-changed', 60_000);
  await manager.close();
}

/** The popup about the tab in front, at what it says of the site. It opens where it was left. */
export async function openSitePopup(session: BrowserSession, site: Tab): Promise<Tab> {
  const popup = await session.openPopupFor(site);
  await popup.click('#nav-site');
  await popup.waitFor('#site-state');
  return popup;
}

/** "Enable on this site", unless it is already. */
export async function enableSite(session: BrowserSession, site: Tab): Promise<void> {
  const popup = await openSitePopup(session, site);
  const isOff = await popup.evaluate(() => document.querySelector('#enable-site') !== null);
  if (isOff) {
    await popup.click('#enable-site');
    await popup.waitUntil(() => document.querySelector('#enable-site') === null);
  }
  await popup.close();
}

/** Turns a site off that is on: in Chromium, sites whose permission the test allows are on from the start. */
export async function disableSite(session: BrowserSession, site: Tab): Promise<void> {
  const popup = await openSitePopup(session, site);
  if (await popup.evaluate(() => document.querySelector('.disable-site') !== null)) {
    await popup.click('.disable-site button');
    await popup.click('.disable-site .button-danger');
    await popup.waitFor('#enable-site');
  }
  await popup.close();
}

/**
 * A page of an enabled site, with the API in it. A site that another test has enabled has it when the page is loaded:
 * then no popup is opened for that.
 */
export async function openEnabledSite(session: BrowserSession, url: string): Promise<Tab> {
  const site = await session.newTab(url);
  const hasApi = () => 'sealwright' in globalThis;
  if (!(await site.evaluate(hasApi))) await enableSite(session, site);
  await site.waitUntil(hasApi);
  return site;
}

/** What a call of the page's API came to, as plain data. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string; readonly name: string; readonly message: string };

/**
 * Calls a method of window.sealwright with JSON arguments. `{ $bytes: [...] }` in an argument
 * becomes a Uint8Array, and one in the result comes back as the same.
 */
export async function call(site: Tab, method: string, ...args: unknown[]): Promise<Outcome> {
  return await site.evaluate(
    async (name, list) => {
      const revive = (value: unknown): unknown => {
        if (typeof value !== 'object' || value === null) return value;
        if ('$bytes' in value) return Uint8Array.from(value.$bytes as number[]);
        if (Array.isArray(value)) return value.map(revive);
        return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, revive(one)]));
      };
      const api = (globalThis as unknown as { sealwright: Record<string, Method> }).sealwright;
      type Method = (...list: unknown[]) => Promise<unknown>;
      try {
        const value = await api[name]!(...list.map(revive));
        return {
          ok: true as const,
          value: value instanceof Uint8Array ? { $bytes: [...value] } : value,
        };
      } catch (error) {
        const {
          code,
          name: kind,
          message,
        } = error as {
          code?: string;
          name: string;
          message: string;
        };
        return { ok: false as const, code: code ?? 'undefined', name: kind, message };
      }
    },
    method,
    args,
  );
}

export const bytes = (...list: number[]) => ({ $bytes: list });

/** The answer's value; throws what the page was told where it failed. */
export async function succeed(site: Tab, method: string, ...args: unknown[]): Promise<unknown> {
  const outcome = await call(site, method, ...args);
  if (outcome.ok) return outcome.value;
  throw new Error(`${method}: ${outcome.code}: ${outcome.message}`);
}

/** The code with which the call was refused, or "none" when it was not. */
export async function refusal(site: Tab, method: string, ...args: unknown[]): Promise<string> {
  const outcome = await call(site, method, ...args);
  return outcome.ok ? 'none' : outcome.code === 'undefined' ? outcome.name : outcome.code;
}

export const SEAL_AND_OPEN = { purpose: 'Keep your notes private', capabilities: ['seal', 'open'] };

/** The page asks, the user answers in the prompt window. */
export async function connect(
  session: BrowserSession,
  site: Tab,
  request: object = SEAL_AND_OPEN,
  answer: 'allow' | 'deny' = 'allow',
): Promise<Outcome> {
  const asked = call(site, 'connect', request);
  await answerPrompt(session, answer);
  return await asked;
}

/** The user takes back what the site may do, in the popup. */
export async function takeBack(session: BrowserSession, site: Tab): Promise<void> {
  const popup = await openSitePopup(session, site);
  await popup.waitFor('.grant');
  await popup.click('.grant button');
  await popup.waitFor('.grant .button-danger');
  await popup.click('.grant .button-danger');
  await popup.waitUntil(() => document.querySelector('.grant') === null);
  await popup.close();
}

/** The user answers the prompt window that is about to come. */
export async function answerPrompt(
  session: BrowserSession,
  answer: 'allow' | 'deny' = 'allow',
): Promise<void> {
  const prompt = await session.waitForTab('prompt.html');
  await prompt.waitFor('#allow[aria-disabled="false"]');
  await prompt.click(`#${answer}`);
  await waitForPrompts(session, 0);
}

/**
 * Until so many prompt windows are open. A window may outlive the answer that the site has got: a test that waits for the next
 * one must not find it.
 */
export async function waitForPrompts(session: BrowserSession, count: number): Promise<void> {
  await waitForTabs(session, 'prompt.html', (open) => open === count);
}

/** Until as many tabs with this part of an address are open as the test wants. */
export async function waitForTabs(
  session: BrowserSession,
  part: string,
  isWanted: (open: number) => boolean,
): Promise<void> {
  await poll(`${part}: ${isWanted.toString()}`, PATIENCE_MS, async () =>
    isWanted(await session.countTabs(part)) ? true : undefined,
  );
}

interface Keeping {
  lastDownload?: Blob;
}

/** From now on `lastDownload` has what this tab saves as a file. */
export async function keepDownloads(tab: Tab): Promise<void> {
  await tab.evaluate(() => {
    const inner = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
      (globalThis as Keeping).lastDownload = blob as Blob;
      return inner(blob);
    };
  });
}

export async function lastDownload(tab: Tab): Promise<Uint8Array> {
  const bytes = await tab.evaluate(async () => {
    const { lastDownload: blob } = globalThis as Keeping;
    return [...new Uint8Array(await blob!.arrayBuffer())];
  });
  return Uint8Array.from(bytes);
}

/**
 * Where there is no vault, or a lost one: brings a backup back under PASSPHRASE.
 *
 * @param secret the backup's own
 * @returns what the check says of the file
 */
export async function restoreLost(tab: Tab, file: string, secret: string): Promise<string> {
  await tab.waitFor('#restore-lost');
  await tab.chooseFile('#backup-file', file);
  await tab.type('#backup-secret', secret);
  await tab.click('#check-backup');
  await tab.waitFor('#backup-report', 60_000);
  const report = await tab.text('#backup-report');
  await tab.type('#passphrase', PASSPHRASE);
  await tab.type('#passphrase-again', PASSPHRASE);
  await tab.click('#restore-lost');
  return report;
}

/** What a fault of the browser's storage may do: no slot is left in either store. */
export async function loseSlots(page: Tab): Promise<void> {
  await page.evaluate(damageStores, 'vault/slot/', 'lost');
}

/** The same: each manifest holds something else, in both stores. */
export async function spoilManifests(page: Tab): Promise<void> {
  await page.evaluate(damageStores, 'vault/manifest/', 'spoilt');
}

/** What a compromised content script could do to a store that it reaches: the vault's second one. */
export async function forgeValues(
  page: Tab,
  values: readonly (readonly [name: string, bytes: Uint8Array])[],
): Promise<void> {
  const texts = values.map(([name, bytes]) => [
    `vault/${name}`,
    Buffer.from(bytes).toString('base64url'),
  ]);
  await page.evaluate(async (items) => {
    interface Area {
      set(items: Record<string, unknown>): Promise<void>;
    }
    if (!navigator.userAgent.includes('Firefox')) {
      const { chrome } = globalThis as unknown as { chrome: { storage: { local: Area } } };
      await chrome.storage.local.set(Object.fromEntries(items) as Record<string, unknown>);
      return;
    }
    const cache = await caches.open('sealwright');
    for (const [name, text] of items) {
      const response = new Response(null, { headers: { 'x-value': text! } });
      await cache.put(`https://values.invalid/${encodeURIComponent(name!)}`, response);
    }
  }, texts);
}

/** In Firefox: comes back when a background has marked, outside of the stores, that there is a vault. */
export async function vaultMarked(session: BrowserSession): Promise<void> {
  await session.killBackground(); // each looks once, when it begins
  const popup = await openPopup(session);
  await popup.waitFor('#unlock, #nav-site');
  await popup.evaluate(async () => {
    interface Local {
      get(key: string): Promise<object>;
    }
    const { browser } = globalThis as unknown as { browser: { storage: { local: Local } } };
    while (!('vault-made' in (await browser.storage.local.get('vault-made')))) {
      await new Promise((resume) => setTimeout(resume, 20));
    }
  });
  await popup.close();
}

/** What the background remembers of its engines until the browser ends is nothing that it can read. */
export async function spoilSession(page: Tab): Promise<void> {
  await page.evaluate(async () => {
    interface Area {
      set(items: Record<string, unknown>): Promise<void>;
    }
    const { browser: one, chrome: two } = globalThis as unknown as Record<
      string,
      { storage: { session: Area } } | undefined
    >;
    await (one ?? two)!.storage.session.set({ engines: 7 });
  });
}

/** Runs in one of the extension's pages, on all values whose name holds `part`. */
async function damageStores(part: string, how: 'lost' | 'spoilt'): Promise<void> {
  interface Area {
    get(keys: null): Promise<Record<string, unknown>>;
    set(items: Record<string, unknown>): Promise<void>;
    remove(keys: string[]): Promise<void>;
  }
  const { browser: one, chrome: two } = globalThis as unknown as Record<
    string,
    { storage: { local: Area } } | undefined
  >;
  const { local } = (one ?? two)!.storage;
  const all = await local.get(null);
  const hit = Object.keys(all).filter((name) => name.includes(part));
  const other = Object.keys(all).find((name) => name.endsWith('vault/exists'))!;
  if (how === 'lost') await local.remove(hit);
  else await local.set(Object.fromEntries(hit.map((name) => [name, all[other]])));
  // In Firefox, the copy is in a cache.
  const cache = await caches.open('sealwright');
  const requests = (await cache.keys()).map(({ url }) => url);
  const otherUrl = requests.find((url) => decodeURIComponent(url).endsWith('vault/exists'));
  for (const url of requests.filter((each) => decodeURIComponent(each).includes(part))) {
    if (how === 'lost') await cache.delete(url);
    else await cache.put(url, (await cache.match(otherUrl!))!);
  }
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error!);
    });
  const database = await done(indexedDB.open('sealwright'));
  const [name] = database.objectStoreNames;
  const values = database.transaction(name!, 'readwrite').objectStore(name!);
  const keys = ((await done(values.getAllKeys())) as string[]).filter((key) => key.includes(part));
  const vaultMarker: unknown = await done(values.get('vault/exists'));
  const change = async (key: string): Promise<void> => {
    if (how === 'lost') await done(values.delete(key));
    else await done(values.put(vaultMarker, key));
  };
  await Promise.all(keys.map(change));
  database.close();
}

/** The audit log tells of what was done some seconds later; a test that compares the stores waits for it. */
export async function auditLogSaved(): Promise<void> {
  await new Promise((resume) => setTimeout(resume, ACTIVITY.saveAfterMs + 1_000));
}

/**
 * All that the extension has stored, one text an entry, once the log is saved: the same twice, however slow the machine.
 *
 * @param own one of the extension's own pages
 */
export async function storedAtRest(own: Tab): Promise<readonly string[]> {
  const read = async () => (await own.evaluate(storedBytes)).split('\n');
  for (let before = await read(); ;) {
    await auditLogSaved();
    const now = await read();
    if (now.join() === before.join()) return now;
    before = now;
  }
}
