/*
 * `npm run nightly [-- --only TEXT]… [--list]`: what `npm run test:all` leaves out because it takes long: fault
 * injection, fuzzing, the web-platform-tests, other programs and libraries, the conformance suites inside
 * the browsers, every view on a screen, the units with every vector and length, a soak, leak tests and the proof.
 *
 * Each part has a budget of time, and is ended when it takes longer. The results of all are in
 * bench/results/nightly.json and on a page, artifacts/nightly.md. `--only` runs the parts whose title
 * holds the text, and writes bench/results/nightly-quick.json instead; `--list` lists them.
 */
import { parseArgs } from 'node:util';
import { mkdirSync, writeFileSync } from 'node:fs';
import { chosen, nightlyPage, nightlyResult } from './nightly-report.mjs';
import { giveUp } from './run.mjs';
import { setUp, WORKSPACES } from './setup.mjs';
import { nightlyParts } from './test-parts.mjs';
import { close, runParts } from './test-run.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
  },
});
const all = nightlyParts();
const together = chosen(all.together, values.only);
const alone = chosen(all.alone, values.only);
const parts = [...together, ...alone];
if (parts.length === 0) giveUp('No part has such a title: see npm run nightly -- --list');
if (values.list) {
  for (const { title, minutes } of parts) {
    console.log(`${String(minutes).padStart(5)} min  ${title}`);
  }
  process.exit(0);
}
await setUp({ tests: true, nightly: true, workspaces: WORKSPACES });
const began = Date.now();
const ended = await runParts(together);
for (const [title, end] of await runParts(alone, { slots: 1 })) ended.set(title, end);
const result = nightlyResult(parts, ended, { began, only: values.only });
const path = `bench/results/nightly${values.only.length > 0 ? '-quick' : ''}.json`;
const page = 'artifacts/nightly.md';
for (const folder of ['bench/results', 'artifacts']) mkdirSync(folder, { recursive: true });
writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`);
writeFileSync(page, nightlyPage(result));
console.log(`\n${path}\n${page}`);
close(ended);
