/*
 * `npm test`: set-up, then build, types, lint, units, the built packages, and the core of the tests in both browsers,
 * several parts at a time. `npm run nightly` runs what takes longest (nightly.mjs).
 *
 *   --all              every browser test, format, and units in more depth; uses nothing that an earlier run has found (npm run test:all)
 *   --rest             what --all adds to a run that has just ended, over its build
 *   --only GROUP       the parts of one job of CI: units, dist, chromium or firefox
 *   --verbose          shows the tests of every part, not only of those that failed
 *   --counts-to FILE   leaves the counts there instead of closing with them
 *   --counts-of FILE   adds the counts of another run to the last line
 */
import { parseArgs } from 'node:util';
import { giveUp } from './run.mjs';
import { setUp, TESTED_WORKSPACES } from './setup.mjs';
import { BROWSERS, GROUPS, testParts } from './test-parts.mjs';
import { close, runParts } from './test-run.mjs';

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    rest: { type: 'boolean', default: false },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    'counts-to': { type: 'string' },
    'counts-of': { type: 'string' },
  },
});
const { all, rest, only, verbose } = values;
if (only !== undefined && !GROUPS.includes(only))
  giveUp(`--only takes one of ${GROUPS.join(', ')}`);

const isInCi = !['', '0', 'false'].includes(process.env.CI ?? '');
const what = all ? 'all' : rest ? 'rest' : 'core';
await setUp({
  tests: true,
  browsers: BROWSERS.filter((name) => only === undefined || only === name),
  workspaces: what === 'core' ? [] : TESTED_WORKSPACES,
});
const parts = testParts({ what, isFresh: all || isInCi, only });
close(await runParts(parts, { isVerbose: verbose }), {
  countsTo: values['counts-to'],
  countsOf: values['counts-of'],
});
