/*
 * Draws every state of popup and prompt with a fake background, in four languages, light and
 * dark, checks each with axe-core, and leaves pictures in artifacts/screens/. Arabic stands for
 * those that are written from right to left.
 *
 *   npx tsx scripts/screens.ts [part of a scene's name] [--quick] [--width=PIXELS] [--zoom] [--forced] [--documents]
 *
 * --quick: English and light alone; --width: of every window, such as 320 (WCAG 2.2, 1.4.10), in CSS pixels; --zoom: at 200 %, as the windows then are (WCAG 2.2, 1.4.4);
 * --forced: in colours that the user forces on all pages, and without motion: holds that what is
 * current or chosen still shows, and that nothing moves; --documents: the pictures of docs/images alone,
 * which it replaces
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build } from 'esbuild';
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { lostByForce } from '../test/support/views/lost-by-force.ts';
import {
  AGE_FILE,
  SEALED_FILE,
  SEALED_WITH_WORDS,
} from '../test/extension/ui/harness/fake-files.ts';
import { SCENES, type NamedScene, type SceneName } from '../test/extension/ui/harness/scenes.ts';

const FOLDER = 'artifacts/screens';
const STAGE = 'artifacts/stage';
const FOR_DOCUMENTS = process.argv.includes('--documents');
const QUICK = process.argv.includes('--quick') || FOR_DOCUMENTS;
const ZOOM = process.argv.includes('--zoom') ? 2 : 1;
const FORCED = process.argv.includes('--forced');
const WIDTH = process.argv.find((word) => word.startsWith('--width='))?.slice('--width='.length);
const FILTER = process.argv.slice(2).find((word) => !word.startsWith('--')) ?? '';
/** Ends the names of pictures that are not of the usual windows. */
const VARIANT = `${WIDTH === undefined ? '' : `-${WIDTH}`}${FORCED ? '-forced' : ''}`;
const LOCALES = QUICK ? ['en'] : ['en', 'de', 'zh_CN', 'ar'];
const SCHEMES = QUICK ? ['light'] : ['light', 'dark'];
/** The pictures of the documents, by the scenes that they show. */
const DOCUMENTS: Partial<Record<SceneName, string>> = {
  'welcome-passphrase': 'guide-welcome',
  unlock: 'guide-unlock',
  'manager-recovery-sheet': 'guide-recovery',
  site: 'guide-site',
  'fields-write': 'guide-write',
  'fields-open': 'guide-open',
  prompt: 'prompt',
};
/** As the windows really are: a popup grows with what is in it, up to 600 pixels. */
const SIZES = {
  popup: { width: 384, height: 600 },
  prompt: { width: 440, height: 640 },
  manager: { width: 1024, height: 720 },
  'fields-window': { width: 520, height: 760 },
};
/** The popup's page in a tab, where it does not scroll inside: the documents show all of it. */
const WHOLE_SITE = { width: 500, height: 840 };
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** What a person does before the picture is taken. */
const STEPS: Partial<Record<SceneName, (page: Page) => Promise<void>>> = {
  components: async (page) => {
    await page.click('#show-toast');
    await page.waitForSelector('#toast');
    await openMenu(page, '.rows li:first-child');
  },
  'welcome-typed': async (page) => {
    await page.type('#passphrase', 'sunshine2024');
    await page.waitForSelector('.strength[data-level]');
    await page.type('#passphrase-again', 'sunshine');
    await page.click('#create-vault');
  },
  'manager-contacts-comparing': async (page) => {
    await page.click('#contacts li:nth-child(2) button[aria-expanded]');
    await page.waitForSelector('.words li');
  },
  'manager-contacts-differ': async (page) => {
    await page.click('#contacts li:nth-child(2) button[aria-expanded]');
    await page.waitForSelector('.words li');
    await page.click('#differ-c2');
    await page.waitForSelector('#contacts .banner-error');
  },
  'manager-contacts-groups': openGroup,
  'manager-contacts-history': async (page) => {
    await openGroup(page);
    await page.click('#group-list details > summary');
    await page.waitForSelector('.change');
  },
  'manager-contacts-fork': async (page) => {
    await page.waitForSelector('#group-list');
    await page.click('#group-list > li:last-child button[aria-expanded]');
    await page.click('#group-list details > summary');
    await page.waitForSelector('.change');
  },
  'manager-contacts-admin': async (page) => {
    await openGroup(page);
    await openMenu(page, '#group-list .confirm .row:nth-child(2)');
    await page.click('[data-action="make-admin"]');
    await page.type('[id^="admin-key-"]', 'swp1.Eep-ZjAGkz4DJmybxZi-5lXl2X_Vx_vSpwXEyVyrDoUZ');
    await page.waitForSelector('[id^="admin-words-"][aria-busy="false"]');
  },
  'manager-contacts-last-admin': async (page) => {
    await page.waitForSelector('#group-list');
    await page.click('#group-list > li:last-child button[aria-expanded]');
    await openMenu(page, '#group-list .confirm .row');
    await page.click('[data-action="leave"]');
    await page.click('#show-own-admin');
    await page.waitForSelector('#own-admin-words[aria-busy="false"]');
  },
  'manager-contacts-renaming': async (page) => {
    await openMenu(page, '#contacts li:first-child');
    await page.click('[data-action="rename"]');
    await page.waitForSelector('#contacts form');
  },
  'manager-devices-words': chooseWords,
  'manager-devices-scanning': async (page) => {
    await chooseWords(page);
    await page.evaluate(() => {
      const { canvas } = document.createElement('canvas').getContext('2d')!;
      navigator.mediaDevices.getUserMedia = () => Promise.resolve(canvas.captureStream());
    });
    await page.click('#device-code-camera');
    await page.waitForSelector('#device-code-seen');
  },
  'manager-devices-no-camera': async (page) => {
    await chooseWords(page);
    await page.click('#device-code-camera');
    await page.waitForSelector('#device-code-fault');
  },
  'manager-devices-given': async (page) => {
    await chooseWords(page);
    await page.click('#device-words-1');
    await page.type('#current-passphrase', 'correct horse battery staple');
    await page.click('#confirm-passphrase');
    await page.waitForSelector('#device-digits-shown');
  },
  'manager-devices-stopped': async (page) => {
    await chooseWords(page);
    await page.click('#device-no-words');
    await page.waitForSelector('#give-stopped');
  },
  'manager-devices-full': async (page) => {
    await paste(page, '#device-request');
    await page.waitForSelector('#devices-full');
  },
  'manager-devices-removing': async (page) => {
    await page.click('#members li:last-child .button');
    await page.waitForSelector('#current-passphrase');
  },
  'manager-devices-sync-asking': async (page) => {
    await page.click('#browser-sync-off');
    await page.waitForSelector('#browser-sync-off-keep');
  },
  'manager-devices-files': async (page) => {
    await chooseDeviceFile(page, '#device-files-taken');
    await page.waitForSelector('#device-files-forked');
  },
  'manager-devices-digits': async (page) => {
    await typeDigits(page);
    await page.waitForSelector('#device-digits[aria-invalid="true"]');
  },
  'manager-devices-join': async (page) => {
    await typeDigits(page);
    await page.waitForSelector('#device-take');
  },
  'manager-devices-taken': async (page) => {
    await typeDigits(page);
    await (await page.waitForSelector('#device-take'))!.click();
    await page.waitForSelector('#device-taken');
  },
  'manager-contacts-groups-wrong': async (page) => {
    await page.waitForSelector('#group-list');
    await page.click('#make-group');
    await page.click('#take-group');
    await page.waitForSelector('#group-text[aria-invalid="true"]');
  },
  'manager-friends-asked': async (page) => {
    await chooseFile(page, '#ask-file');
    await page.type('#ask-name', 'Amira');
    await page.click('#begin-asking');
    await page.waitForSelector('#waiting-recovery');
  },
  'manager-friends-chosen': async (page) => {
    for (const friend of ['c1', 'c2']) await page.click(`#friend-${friend}`);
    await page.waitForSelector('#friends-risk');
  },
  'manager-friends-drill': async (page) => {
    await chooseFile(page, '#drill-file');
    await page.click('#begin-drill');
    await page.waitForSelector('#drill-request');
    await page.click('#take-proof');
    await page.waitForSelector('#drill-answer[aria-invalid="true"]');
  },
  'manager-friends-read': readRequest,
  'manager-friends-given': async (page) => {
    await readRequest(page);
    await page.click('#answer-request');
    await confirmPassphrase(page);
    await page.waitForSelector('#friend-answer');
  },
  'manager-sites-frozen': async (page) => {
    await page.click('#sites summary');
    await page.waitForSelector('.grant .banner');
    await page.click('.grant .confirm-opener button');
    await page.waitForSelector('.grant .confirm');
  },
  'welcome-suggested': async (page) => {
    await page.waitForSelector('#passphrase-suggest[aria-disabled="false"]');
    await page.click('#passphrase-suggest');
    await page.waitForSelector('.suggestion > :nth-child(2)');
  },
  'welcome-busy': (page) => createVault(page, '#creating-vault'),
  'welcome-restore': async (page) => {
    await page.click('#have-backup');
    await page.waitForSelector('#restore-lost');
  },
  'welcome-devices': async (page) => {
    await page.click('#have-device');
    await page.type('#arrival-code', '0000-0000-0000-0000-0000-0000-0000');
    await page.waitForSelector('#arrival-found');
  },
  'welcome-files': async (page) => {
    await page.click('#have-device');
    await page.type('#arrival-code', '0000-0000-0000-0000-0000-0000-0000');
    await chooseDeviceFile(page, '#arrival-files');
    await page.waitForSelector('#arrival-files-date');
  },
  'welcome-code': (page) => createVault(page, '#recovery-sheet'),
  'welcome-put-off': async (page) => {
    await page.waitForSelector('#welcome-later');
    await page.click('#welcome-later');
    await page.waitForSelector('#try-text');
  },
  'welcome-groups': async (page) => {
    await createVault(page, '#recovery-sheet');
    await page.click('#recovery-written');
    await page.waitForSelector('#recovery-group-0');
  },
  'welcome-sealed': (page) => sealOnTrial(page),
  'unlock-wrong': async (page) => {
    await page.type('#passphrase', 'not it');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#passphrase[aria-invalid="true"]');
  },
  'unlock-busy': async (page) => {
    await page.type('#passphrase', 'whatever');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#unlock[aria-busy="true"]');
  },
  'site-revoking': (page) => page.click('.grant .button'),
  'site-declined': async (page) => {
    await page.click('#enable-site');
    await page.waitForSelector('.banner');
  },
  'site-enabled-now': async (page) => {
    await page.click('#enable-site');
    await page.waitForSelector('#site-reload');
  },
  sites: (page) => page.click('summary'),
  'manager-sites-open': async (page) => {
    await page.click('#sites summary');
    await page.waitForSelector('#sites h2');
  },
  'manager-sites-moved': async (page) => {
    await page.click('#sites summary');
    await page.waitForSelector('.moved-data select');
    await page.select('.moved-data select', 'https://notes.exarnple.org');
    await page.waitForSelector('.moved-data .origin');
  },
  'keys-renaming': async (page) => {
    await page.click('#keys .button');
    await page.waitForSelector('#rename-k1');
  },
  entropy: async (page) => {
    for (let step = 0; step < 40; step++) await page.mouse.move(60 + step * 5, 200 + (step % 9));
    await pause(500);
  },
  'self-test-running': (page) => startSelfTest(page),
  'self-test-done': (page) => startSelfTest(page),
  'manager-keys-deleting': async (page) => {
    await openMenu(page, '#archive');
    await page.click('[data-action="delete"]');
    await confirmPassphrase(page, 'not it');
    await page.waitForSelector('#current-passphrase[aria-invalid="true"]');
  },
  'manager-contacts-menu': (page) => openMenu(page, '#contacts li:first-child'),
  'manager-sites-menu': (page) => openMenu(page, '#sites li:first-child'),
  'manager-keys-menu': (page) => openMenu(page, '#archive'),
  'manager-keys-sync': async (page) => {
    await page.click('.compare-sync-key');
    await page.waitForSelector('[data-sync-foreign-id]');
    await page.click('#advanced-keys > summary');
    await page.click('#import-sync-title');
    await page.type('#import-sync-label', 'Firefox');
    await page.type('#import-sync-secret', 'too short');
  },
  'prompt-sync': async (page) => {
    await page.click('.choice input');
    await page.waitForSelector('#foreign-warning');
  },
  'manager-activity-details': async (page) => {
    await page.click('.activity:nth-child(2) summary');
    await page.click('#usage > summary');
    await page.waitForSelector('#usage canvas');
    await page.click('#usage .stack details summary');
    await pause(600);
  },
  'manager-activity-site': async (page) => {
    await page.click('#usage > summary');
    await page.waitForSelector('#usage canvas');
    await pause(600);
  },
  'manager-activity-no-match': async (page) => {
    await page.type('#activity-words', 'nowhere');
    await page.waitForSelector('#activity-none');
  },
  'manager-activity-clearing': async (page) => {
    await page.click('#activity-actions .confirm-opener button');
    await page.waitForSelector('#activity-actions .confirm');
  },
  'manager-passphrase': async (page) => {
    await page.type('#new-passphrase', 'violet tractor lantern mosaic');
    await page.type('#new-passphrase-again', 'violet tractor lantern mosaic');
    await page.click('#change-passphrase');
    await confirmPassphrase(page, 'not it');
    await page.waitForSelector('#current-passphrase[aria-invalid="true"]');
  },
  'manager-recovery-sheet': async (page) => {
    await page.click('#make-recovery-code');
    await confirmPassphrase(page);
    await page.waitForSelector('#recovery-sheet');
  },
  'manager-recovery-confirm': async (page) => {
    await page.click('#make-recovery-code');
    await confirmPassphrase(page);
    await page.waitForSelector('#recovery-sheet');
    await page.click('#recovery-written');
    await page.type('#recovery-group-0', 'nope');
    await page.click('#confirm-recovery-code');
    await page.waitForSelector('#recovery-group-0[aria-invalid="true"]');
  },
  'manager-unlock-cancelled': async (page) => {
    await page.click('#unlock-passkey');
    await page.waitForSelector('.banner-error');
  },
  'manager-passkey-added': async (page) => {
    await page.click('#add-passkey');
    await confirmPassphrase(page);
    await page.waitForSelector('#passkey-added');
  },
  'manager-backup-checked': checkBackup,
  'manager-backup-foreign': checkBackup,
  'manager-replace-vault': async (page) => {
    await checkBackup(page);
    await page.click('#replace-vault');
    await page.waitForSelector('#replace-loses');
  },
  'manager-take-over': async (page) => {
    await page.click('#archive .confirm-opener button');
    await page.waitForSelector('#archive .confirm');
  },
  'manager-files': async (page) => {
    await page.type('#open-text', '{"iv":"VY+Sxjh4eJU=","iter":1000,"ct":"Eo+S7ca5HYiED2iD"}');
    await page.click('#open-file-now');
    await page.waitForSelector('#open-secret[aria-invalid="true"]');
  },
  'manager-files-people': async (page) => {
    await page.waitForSelector('#audience-people');
    await page.click('#audience-people');
    await page.waitForSelector('.people');
  },
  'manager-files-told': async (page) => {
    await page.waitForSelector('#audience-words');
    await page.click('#audience-words');
    await sameWords(page);
    await chooseFile(page, '#seal-file');
    await page.click('#seal-file-now');
    await page.waitForSelector('#told-words');
  },
  'manager-files-own-passphrase': async (page) => {
    await page.waitForSelector('#audience-words');
    await page.click('#audience-words');
    await page.click('#own-passphrase');
    await page.type('#told-passphrase', 'sunshine2024');
    await page.waitForSelector('.strength[data-level]');
    await chooseFile(page, '#seal-file');
    await page.click('#seal-file-now');
    await page.waitForSelector('#told-passphrase[aria-invalid="true"]');
  },
  'manager-files-words': async (page) => {
    await page.type('#open-text', SEALED_WITH_WORDS);
    await page.click('#open-file-now');
    await page.waitForSelector('#open-words');
    await page.type('#open-words', 'velvet anchor mustang clover tidal obo');
    await page.click('#open-file-now');
    await page.waitForSelector('#open-words[aria-invalid="true"]');
  },
  'manager-files-opened-by-words': async (page) => {
    await page.type('#open-text', SEALED_FILE);
    await page.click('#open-file-now');
    await page.waitForSelector('#opened-by-words');
  },
  'manager-files-age': async (page) => {
    await page.type('#open-text', AGE_FILE);
    await page.click('#open-file-now');
    await page.waitForSelector('.opened');
  },
  'manager-files-other-tool': async (page) => {
    await page.waitForSelector('#audience-age');
    await page.click('#audience-age');
    await page.type('#seal-age-recipients', 'age1pq1x34nzsvr0rxjsgdn8z, age1zvkyg2lqzraa2lnjvq');
    await chooseFile(page, '#seal-file');
    await page.click('#seal-file-now');
    await page.waitForSelector('#seal-age-recipients[aria-invalid="true"]');
  },
  'manager-contacts-advanced': async (page) => {
    await page.waitForSelector('#advanced-own-key');
    await page.click('#advanced-own-key > summary');
    await page.waitForSelector('#own-age-recipient');
  },
  'manager-files-forgeable': async (page) => {
    await page.type('#open-text', '{"ct":"Eo+S7ca5HYiED2iD"}');
    await page.click('#open-file-now');
    await page.waitForSelector('#seal-again');
    await page.click('#seal-again');
    await page.waitForSelector('#sealed-text');
  },
  'manager-files-named': async (page) => {
    await page.type('#open-text', SEALED_FILE);
    await page.click('#open-file-now');
    await page.waitForSelector('#opened-name');
  },
  'manager-files-group': async (page) => {
    await page.type('#open-text', SEALED_FILE);
    await page.click('#open-file-now');
    await page.waitForSelector('.add-group-file');
  },
  'manager-files-weak': async (page) => {
    await page.type('#open-text', '{"ct":"Eo+S7ca5HYiED2iD"}');
    await page.click('#open-file-now');
    await page.waitForSelector('#opened-weak');
  },
  'manager-write': async (page) => {
    await page.waitForSelector('#audience-people');
    await page.type('#write-text', 'Meet me at the old mill.');
    await page.click('#audience-people');
    await page.click('#contact-c1');
  },
  'manager-write-sealed': async (page) => {
    await page.waitForSelector('#audience-me');
    await page.type('#write-text', 'Meet me at the old mill.');
    await page.click('#write-seal');
    await page.waitForSelector('#written');
  },
  'manager-write-told': async (page) => {
    await page.waitForSelector('#audience-words');
    await page.type('#write-text', 'Meet me at the old mill.');
    await page.click('#audience-words');
    await sameWords(page);
    await page.click('#write-seal');
    await page.waitForSelector('#told-words');
  },
  'manager-keys-age': async (page) => {
    await page.click('#advanced-keys > summary');
    await page.click('#import-age-title');
    await page.type('#import-age-text', 'age1nothing');
    await page.type('#import-age-label', 'Desktop');
    await page.click('#import-age-now');
    await page.waitForSelector('#import-age-text[aria-invalid="true"]');
  },
  'fields-write-missing': (page) => page.click('#seal-insert'),
  'fields-write-people': async (page) => {
    await page.waitForSelector('#audience-people');
    await page.click('#audience-people');
    await page.waitForSelector('#contact-c1');
    await page.click('#contact-c1');
  },
  'fields-write-groups': async (page) => {
    await page.waitForSelector('#audience-people');
    await page.click('#audience-people');
    await page.waitForSelector('[id^="to-swg1"]');
  },
  'fields-write-no-contact': async (page) => {
    await page.type('#compose', 'To whom?');
    await page.click('#audience-people');
    await page.click('#seal-insert');
  },
  'fields-frame-declined': async (page) => {
    await (await page.waitForSelector('#allow-frame[aria-disabled="false"]'))!.click();
    await page.waitForSelector('#frame-declined');
  },
  'fields-frame-reached': async (page) => {
    await (await page.waitForSelector('#allow-frame[aria-disabled="false"]'))!.click();
    await page.waitForSelector('#seal-insert');
  },
  'fields-inserted': (page) => page.click('#seal-insert'),
  'fields-not-inserted': (page) => page.click('#seal-insert'),
  'fields-open-words': async (page) => {
    await page.waitForSelector('.ask-words input');
    await page.type('.ask-words input', 'velvet anchor mustang clover tidal obo');
    await page.click('.ask-words button[type="submit"]');
    await page.waitForSelector('.ask-words [aria-invalid="true"]');
  },
  'fields-open-groups': async (page) => {
    await page.waitForSelector('.not-opened:nth-child(3)');
  },
  'fields-open-many': (page) => page.waitForSelector('.open-more').then(() => undefined),
  'fields-open': (page) => page.waitForSelector('.opened').then(() => undefined),
  'fields-edit': (page) => editText(page),
  'fields-edit-changed': async (page) => {
    await editText(page);
    await page.click('#seal-insert');
  },
  prompt: (page) => armed(page),
  'prompt-early': async (page) => {
    // The clock stands still, so that the press is early on a slow machine too.
    await page.evaluate(() => {
      const now = performance.now();
      performance.now = () => now;
      dispatchEvent(new Event('resize'));
    });
    await page.focus('#allow');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#arming-hint:not(:empty)');
  },
  'prompt-once': async (page) => {
    await armed(page);
    await page.select('#duration', '0');
    await page.waitForSelector('#duration-hint');
  },
  'prompt-pick': async (page) => {
    await armed(page);
    await page.click('summary');
    await page.click('#allow');
    await page.waitForSelector('#key-error:not(:empty)');
  },
  'prompt-jose': async (page) => {
    await armed(page);
    await page.click('summary');
  },
  'prompt-new-key': async (page) => {
    await armed(page);
    await page.type('#new-key-label', 'Recipes');
    await page.click('#allow');
    await page.waitForFunction(() =>
      (globalThis as unknown as { calls: { method: string }[] }).calls.some(
        ({ method }) => method === 'ui.answerPrompt',
      ),
    );
  },
};

async function createVault(page: Page, until: string) {
  await page.waitForSelector('#passphrase-suggest[aria-disabled="false"]');
  await page.type('#passphrase', 'violet tractor lantern mosaic');
  await page.type('#passphrase-again', 'violet tractor lantern mosaic');
  await page.click('#create-vault');
  await page.waitForSelector(until);
}

async function sealOnTrial(page: Page) {
  await page.type('#try-text', 'The key is under the third flower pot.');
  await page.click('#try-seal');
  await page.waitForSelector('#sealed-text');
  await pause(400);
}

async function chooseWords(page: Page): Promise<void> {
  await paste(page, '#device-request');
  await page.waitForSelector('#device-words-0');
}

async function chooseDeviceFile(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector);
  await page.evaluate((place) => {
    const field = document.querySelector<HTMLInputElement>(place)!;
    const files = new DataTransfer();
    const name = 'sealwright-0123456789abcdef.device';
    files.items.add(new File(['x'], name, { lastModified: Date.now() - 3_600_000 }));
    field.files = files.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }, selector);
}

async function typeDigits(page: Page): Promise<void> {
  await paste(page, '#device-answer');
  await page.waitForSelector('#device-answer-taken');
  await page.type('#device-digits', '402817');
  await page.click('#device-check');
}

async function openGroup(page: Page): Promise<void> {
  await page.waitForSelector('#group-list');
  await page.click('#group-list > li:first-child button[aria-expanded]');
  await page.waitForSelector('#group-list .confirm');
}

async function readRequest(page: Page): Promise<void> {
  await page.type('#friend-request', 'swr1.QUJD');
  await page.click('#read-request');
  await page.waitForSelector('#request-shown');
}

/** A message of another device, which the fake background takes whatever it says. */
async function paste(page: Page, field: string): Promise<void> {
  await page.$eval(field, (area) => {
    (area as HTMLTextAreaElement).value = 'swd1.9VNXRAEB';
    area.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

/** Opens the menu of a row. */
async function openMenu(page: Page, row: string) {
  await page.click(`${row} [aria-haspopup="menu"]`);
  await page.waitForSelector('[role="menu"]');
}

async function checkBackup(page: Page) {
  const chooser = (await page.$('#backup-file')) as ElementHandle<HTMLInputElement>;
  await chooser.uploadFile('package.json');
  await page.type('#backup-secret', 'of the backup');
  await page.click('#check-backup');
  await page.waitForSelector('#backup-report');
}

/** A file of the repository, in a field for files. */
async function chooseFile(page: Page, field: string) {
  const input = (await page.waitForSelector(field)) as ElementHandle<HTMLInputElement>;
  await input.uploadFile('package.json');
}

/** Random words would make another picture each time. */
function sameWords(page: Page): Promise<void> {
  return page.evaluate(() => {
    let drawn = 0;
    crypto.getRandomValues = (target) => {
      if (target instanceof Uint16Array) target.fill((drawn += 1_201));
      return target;
    };
  });
}

/** Answers the dialog that asks for the passphrase. */
async function confirmPassphrase(page: Page, passphrase = 'correct horse battery staple') {
  await page.waitForSelector('#current-passphrase');
  await page.type('#current-passphrase', passphrase);
  await page.click('#confirm-passphrase');
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function armed(page: Page) {
  await page.waitForSelector('#allow[aria-disabled="false"]');
}

async function editText(page: Page) {
  await (await page.waitForSelector('#edit[aria-disabled="false"]'))!.click();
  await page.waitForSelector('#compose');
}

async function startSelfTest(page: Page) {
  await page.click('#self-test-start');
  await page.waitForSelector('#self-test-details');
  await page.click('#self-test-details > summary');
  await page.waitForSelector('canvas');
  await page.click('#self-test-details details summary');
  await pause(700);
}

async function makeStage() {
  rmSync(STAGE, { recursive: true, force: true });
  mkdirSync(join(STAGE, 'icons'), { recursive: true });
  await build({
    entryPoints: ['test/extension/ui/harness/stage.tsx'],
    outfile: join(STAGE, 'stage.js'),
    bundle: true,
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  copyFileSync('extension/ui/ui.css', join(STAGE, 'ui.css'));
  copyFileSync('extension/views/views.css', join(STAGE, 'views.css'));
  for (const page of ['popup', 'prompt', 'manager', 'fields-window']) {
    copyFileSync(`extension/${page}/${page}.html`, join(STAGE, `${page}.html`));
    copyFileSync(`extension/${page}/${page}.css`, join(STAGE, `${page}.css`));
    copyFileSync(join(STAGE, 'stage.js'), join(STAGE, `${page}.js`));
  }
  copyFileSync('extension/manager/forms/forms.css', join(STAGE, 'forms.css'));
  copyFileSync('extension/manager/welcome/welcome.css', join(STAGE, 'welcome.css'));
  copyFileSync('extension/manager/forms/forms.css', join(STAGE, 'forms.css'));
  copyFileSync('extension/icons/mark.svg', join(STAGE, 'icons/mark.svg'));
  copyFileSync('extension/icons/icon-32.png', join(STAGE, 'icons/icon-32.png'));
}

/** The pages under the very policy of the manifest. */
async function serveStage() {
  const manifest = JSON.parse(readFileSync('manifest.json', 'utf8')) as {
    content_security_policy: { extension_pages: string };
  };
  const server = createServer(({ url = '/' }, response) => {
    const path = new URL(url, 'http://stage').pathname;
    response.setHeader('content-type', TYPES[extname(path)] ?? 'text/plain');
    response.setHeader('content-security-policy', manifest.content_security_policy.extension_pages);
    response.end(readFileSync(join(STAGE, path)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

async function violationsOn(page: Page): Promise<readonly Violation[]> {
  await page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: Violation[] }> };
    };
    return (await axe.run()).violations;
  });
}

/** By the protocol itself: Puppeteer knows of no forced colours. */
async function emulate(page: Page, scheme: string): Promise<void> {
  const features = [{ name: 'prefers-color-scheme', value: scheme }];
  if (FORCED) features.push({ name: 'forced-colors', value: 'active' });
  if (FORCED) features.push({ name: 'prefers-reduced-motion', value: 'reduce' });
  const session = await page.createCDPSession();
  await session.send('Emulation.setEmulatedMedia', { features });
}

async function draw(
  browser: Browser,
  address: string,
  scene: SceneName,
  locale: string,
  dark: string,
) {
  // A page of its own: Puppeteer trips over sessions that the last one's axe run left behind.
  const page = await browser.newPage();
  const problems: string[] = [];
  const note = (message: string) => problems.push(message);
  const onError = (error: unknown) => note(String(error));
  page.on('pageerror', onError);
  page.on('console', (entry) => {
    if (entry.type() === 'error') note(entry.text());
  });
  const { page: kind, hash = '' }: NamedScene = SCENES[scene];
  await emulate(page, dark);
  await page.goto(`${address}/${kind}.html?${scene},${locale},${dark}#${hash}`);
  const usual = FOR_DOCUMENTS && scene === 'site' ? WHOLE_SITE : SIZES[kind];
  const { width, height } = { ...usual, ...(WIDTH !== undefined && { width: Number(WIDTH) }) };
  await page.setViewport({ width: width / ZOOM, height: height / ZOOM, deviceScaleFactor: ZOOM });
  await page.waitForSelector('main');
  await pause(150);
  await STEPS[scene]?.(page);
  await pause(150);
  for (const { id, nodes } of await violationsOn(page)) {
    note(
      `axe ${id}: ${nodes.map((node) => node.html).join(' ')} ${nodes[0]?.failureSummary ?? ''}`,
    );
  }
  if (FORCED) problems.push(...(await page.evaluate(lostByForce)));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  if (wide) note('scrolls sideways');
  await page.screenshot({
    path: join(FOLDER, `${scene}-${locale}-${dark}${VARIANT}.png`),
    fullPage: kind !== 'prompt',
    // Beyond the viewport, Chromium draws short pages written from right to left as empty.
    captureBeyondViewport: false,
  });
  await page.close();
  return problems;
}

await makeStage();
mkdirSync(FOLDER, { recursive: true });
const stage = await serveStage();
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
let drawn = 0;
let failed = 0;
try {
  const scenes = Object.keys(FOR_DOCUMENTS ? DOCUMENTS : SCENES) as SceneName[];
  for (const scene of scenes.filter((it) => it.includes(FILTER))) {
    for (const locale of LOCALES) {
      for (const dark of SCHEMES) {
        const problems = await draw(browser, stage.address, scene, locale, dark);
        drawn++;
        if (problems.length > 0) failed++;
        if (FOR_DOCUMENTS) {
          const picture = join(FOLDER, `${scene}-${locale}-${dark}.png`);
          copyFileSync(picture, `docs/images/${DOCUMENTS[scene]}.png`);
        }
        for (const problem of problems) console.log(`${scene} ${locale} ${dark}: ${problem}`);
      }
    }
  }
} finally {
  await browser.close();
  stage.close();
}
console.log(`${drawn} pictures in ${FOLDER}, ${failed} with problems`);
process.exitCode = failed > 0 ? 1 : 0;
