/*
 * How others fare while a page without a grant calls: `status()` of another site, the popup, and the lock
 * by its button, under one call and under 100 at once, of each kind (kinds.ts).
 *
 *   npx tsx bench/load/run.ts [--browser chromium|firefox] [--only TEXT] [--kinds N]
 *
 * Writes bench/results/load-<browser>.json, or load-<browser>-quick.json with less than all kinds. The
 * lock by key and by screen end in the same function as the button's; automation can press neither.
 * Wants `npm run build` first, and a machine with nothing else to do.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { BrowserName, BrowserSession, Tab } from '../../test/browser/drivers/driver.ts';
import { begin, type WorkPage } from '../../test/browser/in-page/page-work.ts';
import { openVaultScene } from '../../test/browser/scene.ts';
import { serve } from '../../test/browser/server.ts';
import { openEnabledSite, openPopup, unlockVault } from '../../test/browser/steps.ts';
import { describeMachine } from '../../scripts/machine.mjs';
import { beginLoad, timeLock, worstStatus } from './in-page.ts';
import { KINDS, type LoadCall } from './kinds.ts';

/** The figures of the issue, in ms. */
const ASKED = { status: 250, popup: 1_000, lock: 500 };
const MANY = 100;
const MIB = 2 ** 20;
const BYTES = { one: 8 * MIB, each: MIB / 4 };
/** How long the other site asks. */
const ASKING_MS = 1_500;
/** An unlock takes seconds: the lock is pressed under each so many kinds. */
const LOCK_EVERY = 10;

interface Measured {
  readonly title: string;
  readonly calls: number;
  readonly statusMs: number;
  readonly popupMs: number;
  readonly lockMs?: number;
  /** How many calls were not answered yet when all was measured. */
  readonly pending: number;
}

const { values } = parseArgs({
  options: {
    browser: { type: 'string', default: 'chromium' },
    only: { type: 'string', default: '' },
    kinds: { type: 'string', default: String(KINDS.length) },
  },
});
const browser = values.browser as BrowserName;
const kinds = KINDS.filter(({ title }) => title.includes(values.only)).slice(
  0,
  Number(values.kinds),
);
const { session, server } = await openVaultScene(browser);
const rows: Measured[] = [];
try {
  await (await openEnabledSite(session, `${server.origin}/blank.html`)).close();
  const other = await openEnabledSite(session, `${server.otherOrigin}/blank.html?isolated`);
  for (const [index, kind] of kinds.entries()) {
    for (const calls of [1, MANY]) {
      const row = await measured(session, other, kind, calls, index % LOCK_EVERY === 0);
      rows.push(row);
      const { statusMs, popupMs, lockMs } = row;
      const lock = lockMs === undefined ? '' : `, lock ${lockMs.toFixed(0)} ms`;
      const times = `status ${statusMs.toFixed(0)} ms, popup ${popupMs.toFixed(0)} ms${lock}`;
      console.log(`${kind.title}, ${calls} at once: ${times}`);
    }
  }
} finally {
  await session.close();
  await server.close();
}

const most = (what: (row: Measured) => number) => Math.round(Math.max(...rows.map(what)));
const worst = {
  status: most(({ statusMs }) => statusMs),
  popup: most(({ popupMs }) => popupMs),
  lock: most(({ lockMs = 0 }) => lockMs),
};
const isQuick = kinds.length < KINDS.length;
const path = `bench/results/load-${browser}${isQuick ? '-quick' : ''}.json`;
const about = { date: new Date().toISOString(), machine: describeMachine() };
const platform = session.version;
const content = { ...about, platform, kinds: kinds.length, asked: ASKED, worst, rows };
mkdirSync('bench/results', { recursive: true });
writeFileSync(path, `${JSON.stringify(content, null, 1)}\n`);
for (const name of ['status', 'popup', 'lock'] as const) {
  const verdict = worst[name] <= ASKED[name] ? 'met' : 'missed';
  console.log(`${name}: worst ${worst[name]} ms (asked: ${ASKED[name]} ms, ${verdict})`);
}
console.log(`${kinds.length} kinds of call, ${path}`);

/** On a new site, which has spent nothing of its budget yet. */
async function measured(
  browserSession: BrowserSession,
  other: Tab,
  kind: LoadCall,
  calls: number,
  hasLock: boolean,
): Promise<Measured> {
  const own = await serve('test/browser/fixtures');
  const page = await browserSession.newTab(`${own.origin}/blank.html`);
  try {
    await page.waitUntil(() => 'sealwright' in globalThis);
    if (kind.kind === 'work') {
      await page.evaluate(begin, Array<typeof kind.work>(calls).fill(kind.work));
    } else await page.evaluate(beginLoad, kind, calls, calls === 1 ? BYTES.one : BYTES.each);
    const statusMs = await other.evaluate(worstStatus, ASKING_MS);
    const popup = await openPopup(session);
    await popup.waitFor('#nav-site', 60_000);
    const popupMs = await popup.evaluate(() => performance.getEntriesByName('view')[0]!.startTime);
    const lockMs = hasLock ? await lockedIn(popup) : undefined;
    await popup.close();
    const pending = await page.evaluate(() => {
      const { began, ended } = globalThis as unknown as WorkPage;
      return began - Object.keys(ended).length;
    });
    const row = { title: kind.title, calls, statusMs, popupMs, pending };
    return lockMs === undefined ? row : { ...row, lockMs };
  } finally {
    await page.close();
    await own.close();
    if (hasLock) await unlockVault(session);
  }
}

async function lockedIn(popup: Tab): Promise<number> {
  await popup.evaluate(timeLock);
  await popup.click('#lock-now');
  await popup.waitUntil(() => 'lockMs' in globalThis, { timeoutMs: 60_000 });
  return await popup.evaluate(() => (globalThis as unknown as { lockMs: number }).lockMs);
}
