/*
 * How soon a popup can be used: from the start of its navigation to the first view with its controls,
 * for a locked and for an open vault, with the background awake and right after it was ended.
 *
 *   npx tsx bench/popup/run.ts [--browser chromium|firefox] [--rounds N]
 *
 * The page opens in a tab, because automation cannot open Firefox's popup; it is the same page.
 * Wants `npm run build` first, and a machine with nothing else to do.
 */
import { parseArgs } from 'node:util';
import type { BrowserName, BrowserSession } from '../../test/browser/drivers/driver.ts';
import { launch } from '../../test/browser/drivers/launch.ts';
import { createVault, lockVault } from '../../test/browser/steps.ts';
import { median } from '../../src/engine/self-test/measure.ts';

/** docs/benchmarks.md: interactive within this time after it opens. */
const ASKED_MS = 150;

const { values: options } = parseArgs({
  options: {
    browser: { type: 'string', default: 'chromium' },
    rounds: { type: 'string', default: '15' },
  },
});

/** When the first view stood, in ms from the start of the navigation. */
async function openedIn(session: BrowserSession, selector: string): Promise<number> {
  const popup = await session.newTab(session.extensionUrl('popup.html?tab=0'));
  await popup.waitFor(selector, 30_000);
  const at = await popup.evaluate(() => performance.getEntriesByName('view')[0]!.startTime);
  await popup.close();
  return at;
}

async function measured(session: BrowserSession, what: string, selector: string): Promise<void> {
  for (const background of ['awake', 'ended'] as const) {
    const times: number[] = [];
    for (let round = 0; round < Number(options.rounds); round++) {
      if (background === 'ended') await session.killBackground();
      times.push(await openedIn(session, selector));
    }
    const [typical, worst] = [median(times), Math.max(...times)];
    const verdict = typical <= ASKED_MS ? 'met' : 'missed';
    const figures = `median ${typical.toFixed(0)} ms, worst ${worst.toFixed(0)} ms`;
    console.log(
      `${what}, background ${background}: ${figures} (asked: ${ASKED_MS} ms, ${verdict})`,
    );
  }
}

const session = await launch(options.browser as BrowserName);
try {
  console.log(session.version);
  await measured(session, 'first run', '#finish-setup');
  await createVault(session);
  await measured(session, 'open vault', '#nav-site');
  await lockVault(session);
  await measured(session, 'locked vault', '#unlock');
} finally {
  await session.close();
}
