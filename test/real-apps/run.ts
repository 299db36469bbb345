/**
 * `npm run realapps [-- --only TEXT]… [--look]`: applications of other people, installed from their registries into the
 * user's cache and started on the loopback interface, with the packed extension, real keys and clicks, in both
 * browsers or those of $BROWSERS. Writes bench/results/realapps.json and the table of docs/fields.md; with `--only`,
 * the rows of the applications whose title has the text. `--look` keeps a picture of the page where a step failed.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserSession } from '../browser/drivers/driver.ts';
import { BROWSERS } from '../browser/drivers/launch.ts';
import { closeScene, openVaultScene } from '../browser/scene.ts';
import { enableSite } from '../browser/steps.ts';
import { serveFront } from '../servers/front.ts';
import { freePort } from '../servers/server.ts';
import { storeOf, type Application } from './application.ts';
import { APPLICATIONS } from './applications.ts';
import { tryField, type Witness } from './flows.ts';
import { install, versionOf } from './install.ts';
import { applicationsTable, withTable, type Outcome, type Row } from './table.ts';

const DOCUMENT = 'docs/fields.md';
const RESULTS = 'bench/results/realapps.json';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    look: { type: 'boolean', default: false },
  },
});
const isChosen = ({ title }: Application) =>
  values.only.length === 0 ||
  values.only.some((text) => title.toLowerCase().includes(text.toLowerCase()));
const today = new Date().toISOString().slice(0, 10);

/** Of this run, with one browser each. */
const rows: Row[] = [];
for (const browser of BROWSERS) {
  const scene = await openVaultScene(browser);
  try {
    for (const application of APPLICATIONS.filter(isChosen)) {
      await tryApplication(scene.session, application);
    }
  } finally {
    await closeScene(scene);
  }
}
const found = APPLICATIONS.flatMap(({ title, fields }) =>
  fields.flatMap((field) => merged(title, field.title) ?? []),
);
writeFileSync(RESULTS, `${JSON.stringify({ rows: found }, null, 2)}\n`);
const table = applicationsTable(found);
writeFileSync(DOCUMENT, withTable(readFileSync(DOCUMENT, 'utf8'), 'realapps', table));
const failed = rows.filter(({ browsers }) =>
  Object.values(browsers).some(({ problem }) => problem !== null),
).length;
console.log(`\n${table}\n\n${failed} failed: ${RESULTS}`);
process.exitCode = failed === 0 ? 0 : 1;

/** An application that cannot be installed or started fails with each of its fields. */
async function tryApplication(session: BrowserSession, application: Application): Promise<void> {
  let version = '';
  const tried = new Set<string>();
  const note = (title: string, outcome: Outcome): void => {
    const { way } = application.fields.find((field) => field.title === title)!;
    const common = { application: application.title, version, field: title, way, date: today };
    rows.push({ ...common, browsers: { [session.name]: outcome } });
    tried.add(title);
    const said = outcome.problem === null ? 'all' : `NOT ${outcome.problem}`;
    console.log(`${application.title}, ${title}, ${session.name}: ${said}`);
  };
  try {
    const folder = install(application.source);
    version = versionOf(application.source, folder, application.package);
    await withStarted(session, application, folder, note);
  } catch (error) {
    for (const { title } of application.fields) {
      if (!tried.has(title)) note(title, { done: [], problem: String(error) });
    }
  }
}

async function withStarted(
  session: BrowserSession,
  application: Application,
  folder: string,
  note: (title: string, outcome: Outcome) => void,
): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'sealwright-application-'));
  const port = await freePort();
  const front = await serveFront({ '/': port });
  try {
    const started = await application.start({ folder, data, port, origin: front.origin });
    const { origin = front.origin } = started;
    const witness: Witness = {
      sent: () => front.sent().toString('latin1'),
      stored: async () => `${storeOf(data)}\n${(await started.stored?.()) ?? ''}`,
    };
    const tab = await session.newTab(origin);
    try {
      await enableSite(session, tab);
      await application.login?.(tab, origin);
      for (const field of application.fields) {
        const outcome = await tryField({ session, tab, origin, field, witness });
        note(field.title, outcome);
        if (outcome.problem === null || !values.look) continue;
        mkdirSync('artifacts', { recursive: true });
        const name = `${application.title}-${field.title}-${session.name}`.replaceAll(' ', '-');
        await tab.screenshot(`artifacts/realapps-${name}.png`);
      }
    } finally {
      await tab.close();
      await started.end();
    }
  } finally {
    await front.close();
    rmSync(data, { recursive: true, force: true });
  }
}

/** What this run and earlier ones have found about a field; only of one version, and of the same day. */
function merged(application: string, field: string): Row | undefined {
  const outcomes = [...earlier(), ...rows].filter(
    (row) => row.application === application && row.field === field,
  );
  const newest = outcomes.at(-1);
  const alike = outcomes.filter(
    ({ version, date }) => version === newest?.version && date === newest.date,
  );
  const browsers = alike.reduce<Row['browsers']>((all, row) => ({ ...all, ...row.browsers }), {});
  return newest && { ...newest, browsers };
}

function earlier(): readonly Row[] {
  if (!existsSync(RESULTS)) return [];
  return (JSON.parse(readFileSync(RESULTS, 'utf8')) as { rows: Row[] }).rows;
}
