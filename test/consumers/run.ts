/**
 * `npm run consumers [-- --only TEXT]…`: the package, packed and installed by npm, in the toolchains of its users, whose
 * versions are pinned in consumers.ts. Writes bench/results/consumers.json and, where all is right, the table of
 * docs/bundlers.md; with `--only`, the rows of the toolchains whose title has the text. Needs npm's registry, and both
 * browsers or those of $BROWSERS.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserSession } from '../browser/drivers/driver.ts';
import { BROWSERS, launch, requireBuilt } from '../browser/drivers/launch.ts';
import { CONSUMERS, problemsOf } from './consumers.ts';
import type { Consumer, Places } from './project.ts';
import { consumersTable, withTable, type ConsumerResult } from './table.ts';

const PAGE_TIMEOUT_MS = 60_000;
const DOCUMENT = 'docs/bundlers.md';
const RESULTS = 'bench/results/consumers.json';

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true, default: [] } },
});
const isChosen = ({ title }: Consumer) =>
  values.only.length === 0 ||
  values.only.some((text) => title.toLowerCase().includes(text.toLowerCase()));

requireBuilt('dist/package/package.json');

const folder = mkdtempSync(join(tmpdir(), 'sealwright-packed-'));
const sessions: BrowserSession[] = [];

async function inBrowsers(url: string): Promise<Places> {
  if (sessions.length === 0) {
    // Sites that are not enabled: no page finds the extension.
    const started = BROWSERS.map((name) => launch(name, { allowedHosts: [] }));
    sessions.push(...(await Promise.all(started)));
  }
  const places: Record<string, Places[string]> = {};
  for (const session of sessions) {
    const { name } = session;
    const tab = await session.newTab(url);
    await tab.waitUntil(() => 'report' in globalThis, { timeoutMs: PAGE_TIMEOUT_MS });
    const report = await tab.evaluate(() => (globalThis as { report?: unknown }).report);
    await tab.close();
    const { error, ...found } = report as Places & { readonly error?: string };
    if (error !== undefined) throw new Error(`${name}: ${error}`);
    for (const [place, one] of Object.entries(found)) places[`${name} ${place}`] = one;
  }
  return places;
}

const results: ConsumerResult[] = [];
try {
  const args = [
    'pack',
    './dist/package',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  ];
  const [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' })) as [
    { filename: string },
  ];
  const tarball = resolve(folder, packed.filename);
  for (const consumer of CONSUMERS.filter(isChosen)) {
    const result = await consumer.try({ tarball, inBrowsers }).then(
      (places) => ({ places, problems: problemsOf(places) }),
      (error: unknown) => ({ places: {}, problems: [String(error)] }),
    );
    results.push({ title: consumer.title, ...result });
    console.log(consumersTable(results.slice(-1)).split('\n').at(-1));
    for (const problem of result.problems) console.log(`    ${problem}`);
    // After each: a run of all takes an hour, and one that is ended keeps what it found.
    write();
  }
} finally {
  await Promise.all(sessions.map((session) => session.close()));
  rmSync(folder, { recursive: true, force: true });
}

const failed = results.filter(({ problems }) => problems.length > 0).length;
console.log(
  `\n${consumersTable(results)}\n\n${results.length - failed} of ${results.length}: ${RESULTS}`,
);
process.exitCode = failed === 0 ? 0 : 1;

/** Writes the results, and the table where all toolchains are right. */
function write(): void {
  const all = CONSUMERS.map(
    ({ title }) => results.find((one) => one.title === title) ?? earlier(title),
  );
  const rows = all.filter((one) => one !== undefined);
  writeFileSync(RESULTS, `${JSON.stringify({ consumers: rows }, null, 2)}\n`);
  if (rows.length === CONSUMERS.length && rows.every(({ problems }) => problems.length === 0)) {
    writeFileSync(DOCUMENT, withTable(readFileSync(DOCUMENT, 'utf8'), consumersTable(rows)));
  }
}

/** The row of a toolchain that this run has left out. */
function earlier(title: string): ConsumerResult | undefined {
  if (!existsSync(RESULTS)) return undefined;
  const { consumers } = JSON.parse(readFileSync(RESULTS, 'utf8')) as {
    consumers: ConsumerResult[];
  };
  return consumers.find((one) => one.title === title);
}
