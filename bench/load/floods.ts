/*
 * How others fare while the content script of a taken-over renderer sends messages without end: `status()` of
 * another site, and the popup. In Chromium the browser's own process, through which all of them go, sets the pace: one row
 * floods another extension, whose background does nothing.
 *
 *   npx tsx bench/load/floods.ts [--browser chromium|firefox] [--count N]
 *
 * Writes bench/results/floods-<browser>.json. Wants `npm run build` first, and a machine with nothing else to do.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from '../../scripts/machine.mjs';
import { callContentScript } from '../../test/browser/drivers/content-script-calls.ts';
import type { BrowserName, Tab } from '../../test/browser/drivers/driver.ts';
import { openPorts } from '../../test/browser/in-page/attacks/raw-port.ts';
import { closeScene, openVaultScene } from '../../test/browser/scene.ts';
import { openEnabledSite, openPopup } from '../../test/browser/steps.ts';
import { floodOther, floodPort, sendAtOnce, worstStatus } from './in-page.ts';

const { values } = parseArgs({
  options: {
    browser: { type: 'string', default: 'chromium' },
    count: { type: 'string', default: '20000' },
  },
});
const browser = values.browser as BrowserName;
const count = Number(values.count);

/** How long the other site asks, and longer where the last answer is late. */
const ASKING_MS = 10_000;
/** Until the other site asks. */
const BEFORE_MS = 300;

/** An extension that gets messages and does nothing. */
function bareExtension(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-bare-'));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const manifest = {
    manifest_version: 3,
    name: 'bare',
    version: '1',
    background:
      browser === 'chromium' ? { service_worker: 'background.js' } : { scripts: ['background.js'] },
    ...(browser === 'firefox' && {
      browser_specific_settings: { gecko: { id: 'bare@sealwright.test' } },
    }),
    content_scripts: [{ matches: ['http://*/*'], js: ['content.js'] }],
  };
  write('manifest.json', JSON.stringify(manifest));
  write('background.js', 'chrome.runtime.onMessage.addListener(() => false);');
  write(
    'content.js',
    `addEventListener('message', ({ data }) => {
      const sending = Array.from({ length: data.floodOther ?? 0 }, () => chrome.runtime.sendMessage('x'));
      if (sending.length > 0) Promise.allSettled(sending).then(() => postMessage('flooded'));
    });`,
  );
  return folder;
}

const FLOODS: readonly (readonly [title: string, begin: (tab: Tab) => Promise<unknown>])[] = [
  ['nothing', () => Promise.resolve()],
  ['messages to an extension that does nothing', (tab) => tab.evaluate(floodOther, count)],
  [
    'messages that are ours',
    (tab) => callContentScript(tab, 'sendAtOnce', 'sealwright: a page was shown', count),
  ],
  ['messages that are not', (tab) => callContentScript(tab, 'sendAtOnce', 'x', count)],
  ['ports', (tab) => callContentScript(tab, 'openPorts', count)],
  ['messages on one port', (tab) => callContentScript(tab, 'floodPort', count)],
];

const bare = bareExtension();
const scene = await openVaultScene(browser, {
  besides: [bare],
  contentScriptFunctions: { sendAtOnce, floodPort, openPorts },
});
const { session, server } = scene;
const rows: object[] = [];
try {
  const other = await openEnabledSite(session, `${server.otherOrigin}/blank.html?isolated`);
  for (const [title, begin] of FLOODS) {
    const tab = await openEnabledSite(session, `${server.origin}/blank.html`);
    const asking = other.evaluate(worstStatus, ASKING_MS);
    await new Promise((resume) => setTimeout(resume, BEFORE_MS));
    const began = performance.now();
    const flood = begin(tab);
    const popup = await openPopup(session);
    await popup.waitFor('#nav-site', 120_000);
    const popupMs = Math.round(performance.now() - began);
    await popup.close();
    const statusMs = Math.round(await asking);
    await flood;
    await tab.close();
    rows.push({ title, statusMs, popupMs });
    console.log(`${count} ${title}: status ${statusMs} ms, popup ${popupMs} ms`);
  }
} finally {
  await closeScene(scene);
  rmSync(bare, { recursive: true, force: true });
}
const about = {
  date: new Date().toISOString(),
  machine: describeMachine(),
  platform: session.version,
};
writeFileSync(
  `bench/results/floods-${browser}.json`,
  `${JSON.stringify({ ...about, count, rows }, null, 1)}\n`,
);
