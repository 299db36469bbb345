/*
 * npx tsx scripts/store-pictures.ts (after npm run build): the pictures that the stores show, in artifacts/store: screens
 * of the built extension in Chromium, 1280 × 800, light and dark, and the promotional tiles of the Chrome Web Store.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import type { BrowserSession, Tab } from '../test/browser/drivers/driver.ts';
import { launch } from '../test/browser/drivers/launch.ts';
import { createVault, openPopup } from '../test/browser/steps.ts';
import { extDescription, extName } from '../_locales/en/messages.json' with { type: 'json' };

const FOLDER = 'artifacts/store';
const SCREEN = { width: 1280, height: 800 };
const KEYS = ['Family photos', 'Letters', 'Tax papers'];
/** In the order in which the stores show them. */
const SCREENS = ['keys', 'files', 'activity', 'security', 'about'];
const SCHEMES = ['light', 'dark'] as const;
const TILES = [
  { width: 440, height: 280 },
  { width: 1400, height: 560 },
];

async function prepare(session: BrowserSession): Promise<void> {
  await createVault(session);
  const popup = await openPopup(session);
  await popup.click('#nav-keys');
  for (const [at, label] of KEYS.entries()) {
    await popup.type('#new-key-label', label);
    await popup.click('#create-key');
    await popup.waitFor(`#keys > li:nth-child(${at + 2})`);
  }
  await popup.close();
}

/** As its user chooses it. */
async function chooseScheme(session: BrowserSession, scheme: string): Promise<void> {
  const settings = await session.newTab(session.extensionUrl('manager.html#settings'));
  await settings.waitFor('#theme');
  await settings.evaluate((theme) => {
    const select = document.querySelector<HTMLSelectElement>('#theme')!;
    select.value = theme;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, scheme);
  await settings.waitUntil(
    (theme) => document.documentElement.dataset['theme'] === theme,
    undefined,
    scheme,
  );
  await settings.close();
}

async function drawScreens(session: BrowserSession, scheme: string): Promise<void> {
  for (const [at, screen] of SCREENS.entries()) {
    const tab = await session.newTab(session.extensionUrl(`manager.html#${screen}`));
    await tab.setViewport(SCREEN.width, SCREEN.height);
    await tab.waitFor(`#nav-${screen}[aria-current]`);
    await tab.waitFor('#view-title');
    await tab.waitUntil(() => document.querySelector('[aria-busy="true"]') === null);
    await save(tab, `${at + 1}-${screen}-${scheme}`);
    await tab.close();
  }
}

async function drawTiles(session: BrowserSession): Promise<void> {
  const tab = await session.newTab('about:blank');
  const mark = readFileSync('extension/icons/mark.svg', 'utf8');
  for (const { width, height } of TILES) {
    await tab.setViewport(width, height);
    await tab.evaluate(
      (drawing, name, words, size) => {
        document.body.innerHTML = `<style>
          body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; gap: ${size / 16}px;
            align-items: center; justify-content: center; background: #f3f8f8; color: #0f2b30;
            font-family: system-ui, sans-serif; text-align: center; box-sizing: border-box; padding: 0 8vw }
          div { display: flex; align-items: center; gap: ${size / 14}px; font: 650 ${size / 7}px system-ui, sans-serif }
          svg { width: ${size / 3.5}px } p { margin: 0; font-size: ${size / 14}px; line-height: 1.4 }
          </style><div>${drawing}<span>${name}</span></div><p>${words}</p>`;
      },
      mark,
      extName.message,
      extDescription.message,
      height,
    );
    await save(tab, `tile-${width}x${height}`);
  }
  await tab.close();
}

async function save(tab: Tab, name: string): Promise<void> {
  const path = `${FOLDER}/${name}.png`;
  await tab.screenshot(path);
  console.log(path);
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const session = await launch('chromium');
try {
  await prepare(session);
  for (const scheme of SCHEMES) {
    await chooseScheme(session, scheme);
    await drawScreens(session, scheme);
  }
  await drawTiles(session);
} finally {
  await session.close();
}
