/*
 * What `npm test` runs, and what only `npm run nightly` runs. A test that proves a security property
 * of the extension stays in `npm test`: hostile pages, isolation, bad input, the death of a worker.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { script, tool } from './test-run.mjs';

export const BUILD = 'Build';
const MOCHARC = '--config=test/browser/mocharc.json';

/** They do more in `npm run nightly`: light and dark, more calls and messages, whole self-tests. */
const LONGER_FILES = ['accessibility', 'hostile-page', 'popup', 'worker-death'].map(
  (name) => `test/browser/${name}.test.ts`,
);
const REBUILD = 'test/dist/reproducible-build.test.ts';

/** With the reason why each is not in `npm test`. */
export const NIGHTLY_FILES = {
  'test/browser/copied-profile.test.ts':
    'two more browsers; test/service/cloned-state.test.ts copies the state at every stage',
  'test/browser/engines.test.ts': 'the conformance suites, inside each browser; Node runs the same',
  'test/browser/gallery.test.ts': 'a build of every editor; fields-editors.test.ts has a sample',
  'test/browser/notes.test.ts':
    'an example app with real sync servers; examples.test.ts has a sample',
  'test/browser/other-tools.test.ts': 'compatibility with other programs',
  'test/browser/stress.test.ts': 'fault injection and load',
  'test/browser/subtle-libraries.test.ts': 'libraries over sealwright.subtle',
  'test/browser/sync-clients.test.ts': 'sync libraries against real servers',
  'test/dist/library-in-browsers.test.ts': 'the npm package, served without a bundler',
  [REBUILD]: 'a second build',
};
/** `npm run nightly` runs all of it, by `npm run wpt`. */
const WPT = 'test/browser/wpt.test.ts';

/** Folders of unit tests whose files compute the most; they run beside the others. */
const COMPUTING = ['bench', 'conformance', 'cross', 'crypto', 'engine', 'subtle'];

/** @param env SEALWRIGHT_NIGHTLY has them run what `npm test` samples (test/support/nightly.ts) */
export function unitParts(env = {}) {
  const [one, two] = [`@(${COMPUTING.join('|')})`, `!(${COMPUTING.join('|')}|keys|browser|dist)`];
  return [
    tool('Units of keys', 'mocha', ['test/keys/**/*.test.{ts,tsx}'], { env }),
    tool('Units of algorithms and engines', 'mocha', [`test/${one}/**/*.test.{ts,tsx}`], { env }),
    tool(
      'Units of the rest',
      'mocha',
      [`test/${two}/**/*.test.{ts,tsx}`, 'test/browser/wpt/*.test.ts'],
      { env },
    ),
  ];
}

/** Those of `npm test`. */
const testFiles = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)
    .filter((file) => !(file in NIGHTLY_FILES))
    .sort();

/**
 * Shards of equal size, because the longest part should not be left alone at the end. The first has all
 * files that share a browser (shared-scene.ts).
 */
export function browserParts(browser) {
  const files = testFiles('test/browser').filter((file) => file !== WPT);
  const isShared = (file) => readFileSync(file, 'utf8').includes('./shared-scene.ts');
  const own = files.filter((file) => !isShared(file));
  const shards = [files.filter(isShared), [], [], []];
  own.forEach((file, i) => shards[1 + (i % (shards.length - 1))].push(file));
  return shards.map((shard, i) =>
    tool(`${browser}, ${i + 1} of ${shards.length}`, 'mocha', [MOCHARC, ...shard], {
      env: { BROWSERS: browser },
      needs: BUILD,
    }),
  );
}

export function distParts() {
  return [tool('Builds', 'mocha', [MOCHARC, ...testFiles('test/dist')], { needs: BUILD })];
}

/** All files of the list, and what files of `npm test` do in addition under SEALWRIGHT_NIGHTLY. */
function nightlyBrowserParts(browser) {
  const files = [...Object.keys(NIGHTLY_FILES), ...LONGER_FILES].filter((file) => file !== REBUILD);
  const env = { BROWSERS: browser, SEALWRIGHT_NIGHTLY: '1' };
  return [
    tool(`${browser}, nightly`, 'mocha', [MOCHARC, ...files], { env, needs: BUILD }),
    script(`${browser}, web-platform-tests`, 'scripts/wpt.mjs', [], { env, needs: BUILD }),
  ];
}

const VAULT_SHARE = '0.1';
/** Minutes: far more than each has taken on two slow cores, so that only what hangs is ended. */
const BUDGETS = { build: 20, tests: 90, fuzzing: 300, stress: 45, leak: 90, proof: 180, soak: 120 };

const within = (minutes, parts) => parts.map((part) => ({ ...part, minutes }));

/** Two minutes and a million inputs for each target, or ten minutes where the machine is slow. */
const FUZZING = ['all', '2', '--least', '1000000', '--most', '10'];

/**
 * The parts of `npm run nightly`: those that run beside each other, and then those that need the machine
 * to themselves. `result` is the file that a part writes, `figures` what the report says of it.
 */
export function nightlyParts() {
  const faults = ['scripts/stress.ts', '--share', VAULT_SHARE];
  const together = [
    ...within(BUDGETS.build, [script(BUILD, 'scripts/build.mjs')]),
    ...within(BUDGETS.stress, [tool('Faults of the vault', 'tsx', faults)]),
    ...within(BUDGETS.fuzzing, [
      script('Fuzzing', 'scripts/fuzz.mjs', FUZZING, {
        result: 'bench/results/fuzz.json',
        figures: fuzzFigures,
      }),
    ]),
    ...within(BUDGETS.tests, ['firefox', 'chromium'].flatMap(nightlyBrowserParts)),
    ...within(BUDGETS.tests, unitParts({ SEALWRIGHT_NIGHTLY: '1' })),
    ...within(BUDGETS.build, [
      tool('A second build', 'mocha', [MOCHARC, REBUILD], { needs: BUILD }),
    ]),
    ...within(BUDGETS.proof, [
      // The taint of every function of the WebAssembly modules, with every trial.
      tool('Proof of constant time', 'tsx', ['test/proof/run.ts'], {
        result: 'bench/results/proof.json',
        figures: proofFigures,
      }),
    ]),
  ];
  const alone = [
    ...within(BUDGETS.soak, [
      tool('Soak', 'tsx', ['scripts/soak.ts'], {
        result: 'bench/results/soak.json',
        figures: soakFigures,
      }),
    ]),
    ...within(BUDGETS.leak, [
      tool('Leak tests', 'tsx', ['bench/leak/run.ts', '--quick'], {
        result: 'bench/results/leak-node-quick.json',
        figures: ({ rows }) => ({ primitives: rows.length }),
      }),
    ]),
  ];
  return { together, alone };
}

const fuzzFigures = ({ targets, executions }) => ({
  targets: Object.keys(targets).length,
  executionsOfAllRuns: executions,
  leastOfOneTarget: Math.min(...Object.values(targets).map(({ last }) => last.executions)),
  findings: Object.values(targets).reduce((sum, { findings }) => sum + findings, 0),
});

const proofFigures = ({ summary, planted, exceptions }) => ({
  functions: summary.functions,
  plantedLeaksFound: `${planted.found} of ${planted.of}`,
  exceptions: exceptions.length,
});

const soakFigures = ({ calls, failures, memory }) => ({
  calls,
  lost: failures.length,
  memoryGrowthPercent: memory.growthPercent,
});
