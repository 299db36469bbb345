/*
 * How others fare while a page without a grant calls: `status()` of another site, the popup, and the lock
 * by its button, under one call and under 100 at once, of each kind (kinds.ts).
 *
 *   npx tsx bench/load/run.ts [--browser chromium|firefox] [--only TEXT]… [--minutes N]
 *
 * Writes bench/results/load-<browser>.json, or load-<browser>-quick.json with less than all kinds. With
 * `--minutes` it ends after so long, and the next run goes on with the kinds that are not in the quick result
 * yet; the last one writes the whole result, and the figures in docs/benchmarks.md. `--only` measures the
 * kinds whose title contains the text, and keeps the others of the last result. The lock by key and by
 * screen end in the same function as the button's; automation can press neither.
 * Wants `npm run build` first, and a machine with nothing else to do.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { BrowserName, BrowserSession, Tab } from '../../test/browser/drivers/driver.ts';
import { begin, type WorkPage } from '../../test/browser/in-page/attacks/page-work.ts';
import { openVaultScene } from '../../test/browser/scene.ts';
import { serve } from '../../test/browser/server.ts';
import { openEnabledSite, openPopup, unlockVault } from '../../test/browser/steps.ts';
import { describeMachine } from '../../scripts/machine.mjs';
import { beginLoad, timeLock, worstStatus } from './in-page.ts';
import { KINDS, type LoadCall } from './kinds.ts';
import { quoteResults } from '../quote.ts';
import { ASKED, loadResult, resultPaths } from './result.ts';
import type { LoadResult, LoadRow } from './result.ts';

const MANY = 100;
const MIB = 2 ** 20;
const BYTES = { one: 8 * MIB, each: MIB / 4 };
/** How long the other site asks. */
const ASKING_MS = 1_000;
/** An unlock takes seconds: the lock is pressed under each so many kinds. */
const LOCK_EVERY = 10;

const { values } = parseArgs({
  options: {
    browser: { type: 'string', default: 'chromium' },
    only: { type: 'string', multiple: true },
    minutes: { type: 'string' },
  },
});
const browser = values.browser as BrowserName;
const paths = resultPaths(browser);
const { session, server } = await openVaultScene(browser);
const about = {
  date: new Date().toISOString(),
  machine: describeMachine(),
  platform: session.version,
};
const { only, minutes } = values;
const isAsked = ({ title }: { title: string }) =>
  only?.some((text) => title.includes(text)) ?? true;
const earlier = only === undefined && minutes === undefined ? [] : earlierRows();
const rows = only === undefined ? earlier : earlier.filter((row) => !isAsked(row));
const end = performance.now() + 60_000 * Number(minutes ?? Infinity);
try {
  await (await openEnabledSite(session, `${server.origin}/blank.html`)).close();
  const other = await openEnabledSite(session, `${server.otherOrigin}/blank.html?isolated`);
  for (const [index, kind] of KINDS.entries()) {
    const isDone = rows.some(({ title }) => title === kind.title);
    if (isDone || !isAsked(kind) || performance.now() > end) continue;
    const both: LoadRow[] = [];
    for (const calls of [1, MANY]) {
      const row = await measured(session, other, kind, calls, index % LOCK_EVERY === 0);
      both.push(row);
      const { statusMs, popupMs, lockMs } = row;
      const lock = lockMs === undefined ? '' : `, lock ${lockMs.toFixed(0)} ms`;
      const times = `status ${statusMs.toFixed(0)} ms, popup ${popupMs.toFixed(0)} ms${lock}`;
      console.log(`${kind.title}, ${calls} at once: ${times}`);
    }
    rows.push(...both);
    write(paths.quick, loadResult(about, rows));
  }
} finally {
  await session.close();
  await server.close();
}

const result = loadResult(about, rows);
const isWhole = result.kinds === KINDS.length;
if (isWhole) {
  write(paths.whole, result);
  rmSync(paths.quick, { force: true });
  quoteResults();
}
for (const name of ['status', 'popup', 'lock'] as const) {
  const verdict = result.worst[name] <= ASKED[name] ? 'met' : 'missed';
  console.log(`${name}: worst ${result.worst[name]} ms (asked: ${ASKED[name]} ms, ${verdict})`);
}
console.log(`${result.kinds} kinds of call, ${isWhole ? paths.whole : paths.quick}`);

/** What earlier runs of this browser on this machine have measured. */
function earlierRows(): LoadRow[] {
  // A whole result is of another run: with `--minutes`, nothing of it is taken, else it would get this run's date.
  const candidates = only === undefined ? [paths.quick] : [paths.quick, paths.whole];
  const path = candidates.find((one) => existsSync(one));
  if (path === undefined) return [];
  const before = JSON.parse(readFileSync(path, 'utf8')) as LoadResult;
  const isSame = before.platform === about.platform && before.machine === about.machine;
  return isSame ? [...before.rows] : [];
}

function write(path: string, result: LoadResult): void {
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(path, `${JSON.stringify(result, null, 1)}\n`);
}

/** On a new site, which has spent nothing of its budget yet. */
async function measured(
  browserSession: BrowserSession,
  other: Tab,
  kind: LoadCall,
  calls: number,
  hasLock: boolean,
): Promise<LoadRow> {
  const own = await serve('test/browser/fixtures');
  const page = await browserSession.newTab(`${own.origin}/blank.html`);
  try {
    await page.waitUntil(() => 'sealwright' in globalThis);
    if (kind.kind === 'work') {
      await page.evaluate(begin, Array<typeof kind.work>(calls).fill(kind.work));
    } else await page.evaluate(beginLoad, kind, calls, calls === 1 ? BYTES.one : BYTES.each);
    const asking = other.evaluate(worstStatus, ASKING_MS);
    const popup = await openPopup(session);
    await popup.waitFor('#nav-site', 60_000);
    const statusMs = await asking;
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
