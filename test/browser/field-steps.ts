import type { FieldSessionKind } from '../../src/rpc/methods/ui-fields.ts';
import type { BrowserSession, Tab } from './drivers/driver.ts';
import { openSitePopup, waitForTabs } from './steps.ts';

/* What a person does in the windows about fields, as steps that the tests of them share. */

const WINDOW = 'fields-window.html';
/** In pixels: the window grows to this height, and ends so far above the end of the screen (fitted-window.ts). */
const [HEIGHT_MAX, MARGIN] = [860, 24];

/**
 * By the popup: the window about the field in focus, or the texts, of a page. It grows to the height of what it shows:
 * a press before that would meet what has moved there meanwhile.
 */
export async function fieldSession(
  session: BrowserSession,
  about: Tab,
  kind: FieldSessionKind,
): Promise<Tab> {
  const popup = await openSitePopup(session, about);
  await popup.click(`#field-${kind}`);
  const window = await session.waitForTab(WINDOW);
  await popup.close().catch(() => undefined); // Chromium's closed with the focus
  await window.waitUntil(hasGrown, {}, HEIGHT_MAX, MARGIN);
  return window;
}

function hasGrown(heightMax: number, margin: number): boolean {
  const app = document.getElementById('app');
  if (!app?.firstElementChild || app.querySelector('.loading')) return false;
  const missing = Math.ceil(app.getBoundingClientRect().height) - innerHeight;
  const room =
    Math.min(heightMax, screen.availHeight - Math.max(0, screenY) - margin) - outerHeight;
  return Math.min(missing, room) <= 0;
}

/** Has the field in focus always sealed. @param then is done in the window about it before that is closed */
export async function mark(
  session: BrowserSession,
  about: Tab,
  then?: (window: Tab) => Promise<void>,
): Promise<void> {
  const window = await fieldSession(session, about, 'write');
  await window.click('#always-seal');
  await window.waitUntil(
    () => document.querySelector<HTMLInputElement>('#always-seal')?.checked === true,
  );
  await then?.(window);
  await closed(session, window);
}

/** The window with a text written in it, to be sealed. */
export async function write(session: BrowserSession, about: Tab, words: string): Promise<Tab> {
  const window = await fieldSession(session, about, 'write');
  await window.type('#compose', words);
  return window;
}

/** Presses "Edit" below the text that the window has opened, once the window accepts it. */
export async function editOpened(window: Tab): Promise<void> {
  await window.click('#edit[aria-disabled="false"]');
  await window.waitFor('#compose');
}

/** The sealed text that the window shows. */
export function sealedIn(window: Tab): Promise<string> {
  return window.evaluate(() => document.querySelector<HTMLTextAreaElement>('#sealed-text')!.value);
}

/** Closes the window, and comes back when it is no longer counted. */
export async function closed(session: BrowserSession, window: Tab): Promise<void> {
  const open = await session.countTabs(WINDOW);
  await window.close().catch(() => undefined);
  await waitForTabs(session, WINDOW, (left) => left < open);
}

/** Comes back when no such window is left; some close by themselves. */
export async function allClosed(session: BrowserSession): Promise<void> {
  await waitForTabs(session, WINDOW, (left) => left === 0);
}
