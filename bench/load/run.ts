/*
 * How others fare while pages call, nearly all of them without a grant: `status()` of another site, the popup, and the lock by its
 * button, under each kind of call (kinds.ts): 1, 16 and 400 at once, of one origin and of four.
 *
 *   npx tsx bench/load/run.ts [--browser chromium|firefox] [--only TEXT]… [--minutes N]
 *
 * Writes bench/results/load-<browser>.json, or load-<browser>-quick.json with less than all rows. With
 * `--minutes` it ends after so long, and the next run goes on with the rows that are not in the quick result
 * yet; the last one writes the whole result, and the figures in docs/benchmarks.md. `--only` measures the
 * kinds whose title contains the text, and keeps the others of the last result. A row that exceeds a limit
 * is tried again, and its medians count. The lock by key and by screen end in the same function as the
 * button's; automation can press neither.
 * Wants `npm run build` first, and a machine with nothing else to do. Takes about 25 minutes a browser.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { BrowserName, Tab } from '../../test/browser/drivers/driver.ts';
import { beginAll, type AllCallsPage } from '../../test/browser/in-page/attacks/all-calls.ts';
import { begin } from '../../test/browser/in-page/attacks/page-work.ts';
import { closeScene, openVaultScene } from '../../test/browser/scene.ts';
import { serve } from '../../test/browser/server.ts';
import { connect, openEnabledSite, openPopup, unlockVault } from '../../test/browser/steps.ts';
import { describeMachine } from '../../scripts/machine.mjs';
import { beginCalls, loadCounts, timeLock, worstStatus } from './in-page.ts';
import { KINDS, type Combination, type Kind, type LoadCall } from './kinds.ts';
import { quoteResults } from '../quote.ts';
import { ASKED, isMissed, loadResult, resultPaths, worstRows } from './result.ts';
import type { LoadResult, LoadRow, LoadTry } from './result.ts';

/** Of a page: half of what its client lets wait. More are refused in the page. */
const WAITING_BYTES = 512 * 2 ** 20;
/** How long the other site asks; of a kind with several methods again and again, until they are over or so long. */
const ASKING_MS = 1_000;
const ASKING_MOST_MS = 12_000;
/** How long each of several methods is under way. */
const EACH_MS = 400;
/** The first calls of an algorithm make its keys, and may take seconds. */
const UNDER_WAY_MS = 60_000;
/** An unlock takes seconds: the lock is pressed under each so many kinds. */
const LOCK_EVERY = 5;
/** Of a row that exceeds a limit. */
const TRIES = 3;
/** Rows of each figure that a run shows at its end. */
const SHOWN = 10;

/** What a whole result has, in order. */
const EXPECTED = KINDS.flatMap((kind, index) =>
  kind.combinations.map((combination) => ({
    kind,
    combination,
    hasLock: index % LOCK_EVERY === 0 && combination === kind.combinations.at(-1),
  })),
);

const { values } = parseArgs({
  options: {
    browser: { type: 'string', default: 'chromium' },
    only: { type: 'string', multiple: true },
    minutes: { type: 'string' },
  },
});
const browser = values.browser as BrowserName;
const paths = resultPaths(browser);
const scene = await openVaultScene(browser);
const { session, server } = scene;
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
  for (const { kind, combination, hasLock } of EXPECTED) {
    if (isMeasured(kind, combination) || !isAsked(kind) || performance.now() > end) continue;
    const row = await measured(other, kind, combination, hasLock);
    console.log(lineOf(row));
    rows.push(row);
    write(paths.quick, loadResult(about, rows));
  }
} finally {
  await closeScene(scene);
}

const result = loadResult(about, rows);
const isWhole = EXPECTED.every(({ kind, combination }) => isMeasured(kind, combination));
if (isWhole) {
  write(paths.whole, result);
  rmSync(paths.quick, { force: true });
  quoteResults();
}
for (const name of ['status', 'popup', 'lock'] as const) {
  const verdict = result.worst[name] <= ASKED[name] ? 'met' : 'missed';
  console.log(`\n${name}: worst ${result.worst[name]} ms (asked: ${ASKED[name]} ms, ${verdict})`);
  for (const line of worstRows(result.rows, name, SHOWN)) console.log(`  ${line}`);
}
const missed = result.rows.filter((row) => isMissed(row));
console.log(`\nabove a limit: ${missed.length} of ${result.rows.length} rows`);
for (const row of missed) console.log(`  ${lineOf(row)}`);
console.log(`${result.kinds} of ${KINDS.length} kinds, ${isWhole ? paths.whole : paths.quick}`);

function isMeasured({ title }: Kind, { calls, origins }: Combination): boolean {
  return rows.some((row) => isOf(row, title, calls, origins));
}

function isOf(row: LoadRow, title: string, calls: number, origins: number): boolean {
  return row.title === title && row.calls === calls && row.origins === origins;
}

/** What earlier runs of this browser on this machine have measured. */
function earlierRows(): LoadRow[] {
  // A whole result is of another run: with `--minutes`, nothing of it is taken, else it would get this run's date.
  const candidates = only === undefined ? [paths.quick] : [paths.quick, paths.whole];
  const path = candidates.find((one) => existsSync(one));
  if (path === undefined) return [];
  const before = JSON.parse(readFileSync(path, 'utf8')) as LoadResult;
  const isSame = before.platform === about.platform && before.machine === about.machine;
  const isExpected = (row: LoadRow) =>
    EXPECTED.some(({ kind: { title }, combination: { calls, origins } }) =>
      isOf(row, title, calls, origins),
    );
  return isSame ? before.rows.filter(isExpected) : [];
}

function write(path: string, written: LoadResult): void {
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(path, `${JSON.stringify(written, null, 1)}\n`);
}

function lineOf({ title, calls, origins, tries }: LoadRow): string {
  const times = tries.map(({ statusMs, popupMs, lockMs, pending, refused }) => {
    const lock = lockMs === undefined ? '' : `, lock ${lockMs.toFixed(0)} ms`;
    const both = `status ${statusMs.toFixed(0)} ms, popup ${popupMs.toFixed(0)} ms`;
    return `${both}${lock} (${pending} pending, ${refused ?? '?'} refused)`;
  });
  return `${title}, ${calls} at once of ${origins}: ${times.join('; ')}`;
}

/** Once, and where that exceeds a limit, TRIES times. */
async function measured(
  other: Tab,
  kind: Kind,
  { calls, origins }: Combination,
  hasLock: boolean,
): Promise<LoadRow> {
  const tries: LoadTry[] = [];
  const row = { title: kind.title, calls, origins, tries };
  do tries.push(await measuredOnce(other, kind.call, { calls, origins }, hasLock));
  while (tries.length < TRIES && isMissed({ ...row, tries: tries.slice(0, 1) }));
  return row;
}

/** On new sites, which have spent nothing of their budgets yet. */
async function measuredOnce(
  other: Tab,
  call: LoadCall,
  { calls, origins }: Combination,
  hasLock: boolean,
): Promise<LoadTry> {
  const own = await Promise.all(
    Array.from({ length: origins }, () => serve('test/browser/fixtures')),
  );
  const pages: Tab[] = [];
  try {
    for (const { origin } of own) pages.push(await session.newTab(`${origin}/blank.html`));
    await Promise.all(pages.map((page) => page.waitUntil(() => 'sealwright' in globalThis)));
    if (call.kind === 'page' && call.granted) {
      const request = { purpose: 'To measure', capabilities: call.granted };
      for (const page of pages) await connect(session, page, request);
    }
    await Promise.all(pages.map((page) => beginOn(page, call, calls)));
    const asking = longestAnswer(other, pages, call.kind === 'subtle' && call.methods.length > 1);
    const popup = await openPopup(session);
    await popup.waitFor('#nav-site', 60_000);
    const statusMs = await asking;
    const popupMs = await popup.evaluate(() => performance.getEntriesByName('view')[0]!.startTime);
    const lockMs = hasLock ? await lockedIn(popup) : undefined;
    await popup.close();
    const counts = await Promise.all(pages.map((page) => page.evaluate(loadCounts)));
    const sum = (what: 'pending' | 'refused') =>
      counts.reduce((total, count) => total + count[what], 0);
    const once = { statusMs, popupMs, pending: sum('pending'), refused: sum('refused') };
    return lockMs === undefined ? once : { ...once, lockMs };
  } finally {
    for (const page of pages) await page.close();
    for (const one of own) await one.close();
    if (hasLock) await unlockVault(session);
  }
}

/** @returns in ms. @param isLong whether to ask until the pages have made all their calls */
async function longestAnswer(other: Tab, pages: readonly Tab[], isLong: boolean): Promise<number> {
  const until = performance.now() + ASKING_MOST_MS;
  let longest = 0;
  do longest = Math.max(longest, await other.evaluate(worstStatus, ASKING_MS));
  while (isLong && performance.now() < until && !(await areOver(pages)));
  return longest;
}

async function areOver(pages: readonly Tab[]): Promise<boolean> {
  const isOver = () => (globalThis as unknown as AllCallsPage).ended !== undefined;
  const all = await Promise.all(pages.map((page) => page.evaluate(isOver)));
  return all.every((over) => over);
}

/** Resolves when calls are under way. */
async function beginOn(page: Tab, call: LoadCall, calls: number): Promise<void> {
  const mostBytes = 16 * Math.floor(WAITING_BYTES / calls / 16);
  if (call.kind === 'work') {
    await page.evaluate(
      begin,
      Array.from({ length: calls }, () => call.work),
    );
    return;
  }
  if (call.kind === 'page') {
    const { dataBytes = 0 } = call;
    const shorter = dataBytes > mostBytes ? { dataBytes: mostBytes } : {};
    await page.evaluate(beginCalls, { ...call, ...shorter }, calls);
    return;
  }
  const { plan, methods } = call;
  const forMs = methods.length === 1 ? UNDER_WAY_MS : EACH_MS;
  const given = { ...plan, dataBytes: Math.min(plan.dataBytes, mostBytes) };
  await page.evaluate(beginAll, given, calls, { methods, forMs });
  const isUnderWay = () => {
    const { sustained, ended } = globalThis as unknown as AllCallsPage;
    return sustained !== undefined || ended !== undefined;
  };
  await page.waitUntil(isUnderWay, { timeoutMs: UNDER_WAY_MS });
}

async function lockedIn(popup: Tab): Promise<number> {
  await popup.evaluate(timeLock);
  await popup.click('#lock-now');
  await popup.waitUntil(() => 'lockMs' in globalThis, { timeoutMs: 60_000 });
  return await popup.evaluate(() => (globalThis as unknown as { lockMs: number }).lockMs);
}
