import { SCREEN_NAMES } from '../../extension/manager/screens.ts';
import { SCREENS, TABS } from '../../extension/popup/navigation.tsx';
import type { Tab } from './drivers/driver.ts';
import { editOpened, fieldSession } from './field-steps.ts';
import type { Scene } from './scene.ts';
import { serve } from './server.ts';
import {
  answerPrompt,
  call,
  chooseFirstPassphrase,
  confirmPassphrase,
  connect,
  lockVault,
  openAdvanced,
  openEnabledSite,
  openPopup,
  openSitePopup,
  openWelcome,
  refusal,
  SEAL_AND_OPEN,
  unlockVault,
} from './steps.ts';

/*
 * Every view of the extension's own pages, for tests of what is drawn: accessibility.test.ts looks at them in
 * one language, test/look in several languages, sizes and colours. Popup and manager have their own lists of screens.
 */

/** Looks at what a tab shows. It may change the size of the window, and nothing else. */
export type Look = (tab: Tab, name: string) => Promise<void>;

/** Views that are reached together. */
export interface Views {
  readonly title: string;
  /** Whether `npm test` looks at it; `npm run test:all` looks at all. */
  readonly isMain?: boolean;
  /** Reaches each and looks at it; leaves no tab open. */
  readonly show: (scene: Scene, look: Look) => Promise<void>;
}

/** In an order in which each can be reached, from a new profile on. The first makes the vault. */
export const VIEWS: readonly Views[] = [
  { title: 'first run', show: showFirstRun, isMain: true },
  { title: 'the dialog that asks for the passphrase', show: showPassphraseDialog },
  { title: 'the prompt', show: showPrompt, isMain: true },
  { title: 'a site whose opening is stopped', show: showFrozen, isMain: true },
  { title: 'the question about a new generation', show: showRotation },
  // It makes a sealing key, which the prompts above would offer.
  { title: 'the last step of the first run', show: showTrial },
  { title: 'the recovery code', show: showRecoveryCode },
  { title: 'the windows about fields', show: showFieldWindows },
  ...Object.keys(SCREENS).map((screen) => ({
    title: `the popup's ${screen}`,
    isMain: true,
    show: ({ session }: Scene, look: Look) => showPopupScreen(session, screen, look),
  })),
  ...SCREEN_NAMES.map((screen) => ({
    title: `the manager's ${screen}`,
    isMain: ['home', 'keys', 'security'].includes(screen),
    show: ({ session }: Scene, look: Look) => showManagerScreen(session, screen, look),
  })),
  { title: 'the Lab with a result', show: showLabResult },
  { title: 'the settings, unfolded', show: showAdvanced },
  { title: 'unlock', show: showUnlock, isMain: true },
];

type Session = Scene['session'];

async function showFirstRun({ session }: Scene, look: Look): Promise<void> {
  const popup = await openPopup(session);
  await popup.waitFor('#finish-setup');
  await look(popup, 'first-run');
  await popup.close();
  const welcome = await openWelcome(session);
  await welcome.waitFor('#create-vault');
  await look(welcome, 'welcome-passphrase');
  await welcome.click('#have-backup');
  await welcome.waitFor('#restore-lost');
  await look(welcome, 'welcome-restore');
  await welcome.reload();
  await welcome.click('#have-device');
  await welcome.type('#arrival-code', '0000-0000-0000-0000-0000-0000-0000');
  await welcome.waitFor('#arrival-fault', 30_000);
  await look(welcome, 'welcome-devices');
  await welcome.reload();
  await chooseFirstPassphrase(welcome);
  await look(welcome, 'welcome-code');
  await welcome.click('#recovery-written');
  await welcome.waitFor('#recovery-group-0');
  await look(welcome, 'welcome-groups');
  await welcome.close();
}

async function showPassphraseDialog({ session }: Scene, look: Look): Promise<void> {
  const manager = await session.newTab(session.extensionUrl('manager.html#backup'));
  await manager.click('#make-recovery-code');
  await manager.waitFor('#current-passphrase');
  await look(manager, 'manager-passphrase');
  await manager.press('Escape');
  await manager.waitUntil(() => document.querySelector('dialog') === null);
  const focused = await manager.evaluate(() => document.activeElement?.id);
  if (focused !== 'make-recovery-code') throw new Error(`Escape leads to ${focused}`);
  await manager.close();
}

async function showPrompt({ session, server }: Scene, look: Look): Promise<void> {
  const site = await openEnabledSite(session, `${server.origin}/blank.html`);
  const asked = call(site, 'connect', SEAL_AND_OPEN);
  const prompt = await session.waitForTab('prompt.html');
  await prompt.waitFor('#allow[aria-disabled="false"]');
  await look(prompt, 'prompt');
  // The picture resized the window, which disarms it for half a second more.
  await new Promise((resume) => setTimeout(resume, 200));
  await answerPrompt(session);
  const outcome = await asked;
  if (!outcome.ok) throw new Error(outcome.message);
  const popup = await openSitePopup(session, site);
  await look(popup, 'site');
  await popup.close();
  await site.close();
}

/** After a decoy. The site may go on afterwards. */
async function showFrozen({ session, server }: Scene, look: Look): Promise<void> {
  const site = await openEnabledSite(session, `${server.origin}/blank.html`);
  const sealed = await call(site, 'seal', 'never opened', { decoy: true });
  if (!sealed.ok) throw new Error(sealed.message);
  await refusal(site, 'open', sealed.value);
  const popup = await openSitePopup(session, site);
  await popup.waitFor('.grant .banner');
  await look(popup, 'site-frozen');
  await popup.close();
  const manager = await session.newTab(session.extensionUrl('manager.html#sites'));
  await manager.waitFor('.site-decoys');
  await look(manager, 'manager-sites-frozen');
  await manager.click('.grant .confirm-opener button');
  await manager.waitFor('.grant .confirm');
  await look(manager, 'manager-sites-frozen-stop');
  await manager.click('.grant .banner .actions > button');
  await manager.waitUntil(() => document.querySelector('.grant .banner') === null);
  await manager.close();
  await site.close();
}

async function showRotation({ session, server }: Scene, look: Look): Promise<void> {
  const site = await openEnabledSite(session, `${server.origin}/blank.html`);
  const requested = { ...SEAL_AND_OPEN, key: { kind: 'sealing', label: 'Shared' } };
  const outcome = await connect(session, site, requested);
  const [grant] = (outcome as unknown as { value: readonly { keyId: string }[] }).value;
  const asked = call(site, 'rotateKey', grant!.keyId);
  const prompt = await session.waitForTab('prompt.html');
  await prompt.waitFor('#rotated-key');
  await look(prompt, 'prompt-rotate');
  await answerPrompt(session, 'deny');
  if ((await asked).ok) throw new Error('a denied request was granted');
  await site.close();
}

async function showTrial({ session }: Scene, look: Look): Promise<void> {
  const welcome = await openWelcome(session);
  await welcome.click('#welcome-later');
  await welcome.type('#try-text', 'The key is under the third flower pot.');
  await welcome.click('#try-seal');
  await welcome.click('#try-open');
  await welcome.waitFor('#try-opened');
  await look(welcome, 'welcome-try');
  await welcome.close();
}

async function showRecoveryCode({ session }: Scene, look: Look): Promise<void> {
  const manager = await session.newTab(session.extensionUrl('manager.html#backup'));
  await manager.click('#make-recovery-code');
  await confirmPassphrase(manager);
  await manager.waitFor('#recovery-sheet', 30_000);
  await look(manager, 'manager-recovery');
  await manager.close();
}

async function showFieldWindows({ session, server }: Scene, look: Look): Promise<void> {
  const site = await session.newTab(`${server.origin}/fields.html`);
  await site.click('textarea');
  const writing = await fieldSession(session, site, 'write');
  await writing.type('#compose', 'See you at the old mill at nine.');
  await look(writing, 'fields-write');
  await writing.click('#seal-insert');
  await writing.waitFor('#sealed-inserted');
  await writing.close();
  const reading = await fieldSession(session, site, 'open');
  await reading.waitFor('.opened');
  await look(reading, 'fields-open');
  await editOpened(reading);
  await look(reading, 'fields-edit');
  await reading.close();
  await site.close();
}

/** Shows a screen in the popup, which the next popup begins with. */
export async function goToScreen(popup: Tab, screen: string): Promise<void> {
  await popup.waitFor('#nav-site');
  if (TABS.some((tab) => tab === screen)) await popup.click(`#nav-${screen}`);
  else {
    await popup.click('#nav-more');
    if (screen === 'entropy') await openAdvanced(popup);
    await popup.click(`#open-${screen}`);
  }
  await popup.waitFor('#view-title');
}

async function showPopupScreen(session: Session, screen: string, look: Look): Promise<void> {
  const popup = await openPopup(session);
  await goToScreen(popup, screen);
  await look(popup, `popup-${screen}`);
  await popup.close();
}

async function showManagerScreen(session: Session, screen: string, look: Look): Promise<void> {
  const manager = await session.newTab(session.extensionUrl(`manager.html#${screen}`));
  await manager.waitFor(`#nav-${screen}[aria-current]`);
  await manager.waitFor('#view-title');
  if (screen === 'about') {
    await manager.click('#own-copy > summary');
    await manager.waitFor('#own-digest');
  }
  await look(manager, `manager-${screen}`);
  await manager.close();
}

async function showAdvanced({ session }: Scene, look: Look): Promise<void> {
  const manager = await session.newTab(session.extensionUrl('manager.html#settings'));
  await manager.click('#advanced > summary');
  await manager.click('#engines > summary');
  await manager.waitFor('#engines-by-algorithm');
  await look(manager, 'manager-advanced');
  await manager.close();
}

/** A page of the site, which is no page of the extension. */
async function showLabResult({ session }: Scene, look: Look): Promise<void> {
  const server = await serve('dist/lab');
  try {
    const page = await session.newTab(`${server.origin}/`);
    await page.click('#lab-pomcor-start');
    await page.waitFor('#lab-pomcor-outcome canvas', 120_000);
    await page.evaluate(() => {
      document.querySelectorAll<HTMLDetailsElement>('#lab-pomcor details').forEach((each) => {
        each.open = true;
      });
    });
    await page.waitFor('#lab-pomcor-printed table');
    await page.evaluate(() => document.querySelector('#lab-pomcor')!.scrollIntoView());
    await look(page, 'lab-result');
    await page.close();
  } finally {
    await server.close();
  }
}

/** Leaves the vault open, as it found it. */
async function showUnlock({ session }: Scene, look: Look): Promise<void> {
  await lockVault(session);
  const popup = await openPopup(session);
  await popup.waitFor('#unlock');
  await look(popup, 'popup-unlock');
  await popup.close();
  const manager = await session.newTab(session.extensionUrl('manager.html'));
  await manager.waitFor('#unlock');
  await look(manager, 'manager-unlock');
  await manager.close();
  await unlockVault(session);
}
