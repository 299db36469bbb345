/*
 * What `npm test` runs, and what only `npm run nightly` runs. A test that proves a security property
 * of the extension stays in `npm test`: hostile pages, isolation, bad input, the death of a worker.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { script, tool } from './test-run.mjs';

export const BUILD = 'Build';
const MOCHARC = '--config=test/browser/mocharc.json';

/** They do more under SEALWRIGHT_NIGHTLY than in `npm test`. */
const isSampled = (file) => readFileSync(file, 'utf8').includes('support/nightly.ts');

/**
 * `npm test` runs them in Chromium alone: views and documents of ours that both browsers show alike, over
 * transports, stores and engines that other tests try in both. `npm run nightly` runs them in Firefox.
 */
export const IN_CHROMIUM = [
  'ui/accessibility',
  'ui/keys',
  'ui/lab',
  'ui/login',
  'ui/manager',
  'ui/picture',
  'ui/sharing',
  'api/sync',
].map((name) => `test/browser/${name}.test.ts`);

const REBUILD = 'test/dist/reproducible-build.test.ts';
const STORE_LINT = 'test/dist/build.test.ts';
const OF_BUILDS = [REBUILD, STORE_LINT];

/** With the reason why each is not in `npm test`. */
export const NIGHTLY_FILES = {
  'test/browser/api/adapters.test.ts':
    'libraries for documents and databases; test/client/adapters has them in Node',
  'test/browser/storage/clock.test.ts':
    'a browser under libfaketime; auto-lock.test.ts and grant-clock.test.ts set the clock in Node',
  'test/browser/storage/copied-profile.test.ts':
    'two more browsers; test/service/cloned-state.test.ts copies the state at every stage',
  'test/browser/storage/cut-files.test.ts':
    'eleven more browsers; faults.test.ts and corruption.test.ts damage the stores in Node',
  'test/browser/engines/engines.test.ts':
    'the conformance suites, inside each browser; Node runs the same',
  'test/browser/gallery/gallery.test.ts':
    'a build of every editor; fields-editors.test.ts has a sample',
  'test/browser/hostile/network.test.ts':
    'two more browsers; manifest.test.ts and bundles.test.ts hold what makes it true',
  'test/browser/examples/notes.test.ts':
    'an example app with real sync servers; examples.test.ts has a sample',
  'test/browser/ui/other-tools.test.ts': 'compatibility with other programs',
  'test/browser/hostile/private-windows.test.ts':
    'a comparison of profiles; grant-matrix.test.ts has every call of a private window',
  'test/browser/storage/removed-data.test.ts':
    'five more browsers; durable-storage.test.ts and one-store.test.ts have the stores in Node',
  'test/browser/examples/site.test.ts':
    'every kind of page of the site; dist/site.test.ts reads what is built',
  'test/browser/stress/stress.test.ts': 'fault injection and load',
  'test/browser/api/subtle-libraries.test.ts': 'libraries over sealwright.subtle',
  'test/browser/api/sync-clients.test.ts': 'sync libraries against real servers',
  'test/browser/api/times.test.ts': 'statistics of tens of thousands of times',
  'test/dist/library-in-browsers.test.ts': 'the npm package, served without a bundler',
  [REBUILD]: 'three more builds',
  [STORE_LINT]:
    'the linter of the Firefox store; bundles.test.ts and manifest.test.ts hold our own rules',
};
/** `npm run nightly` runs all of it, by `npm run wpt`. */
const WPT = 'test/browser/wpt/wpt.test.ts';

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
      [`test/${two}/**/*.test.{ts,tsx}`, 'test/browser/wpt/!(wpt).test.ts'],
      { env },
    ),
  ];
}

/** In Node: what `npm run wpt` runs with. */
const UNITS_OF_WPT = /^wpt\/(?!wpt\.)/;

/** Those of `npm test`. */
const testFiles = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && !UNITS_OF_WPT.test(name))
    .map((name) => `${folder}/${name}`)
    .filter((file) => !(file in NIGHTLY_FILES))
    .sort();

/** Seconds of the files that take longest; others take about 20, and 10 in a browser that is open already. */
const SECONDS = {
  'accessibility.test.ts': 55,
  'cards.test.ts': 85,
  'fields.test.ts': 50,
  'fields-editors.test.ts': 40,
  'forged-values.test.ts': 45,
  'frames.test.ts': 55,
  'hostile-page.test.ts': 80,
  'lab.test.ts': 60,
  'manager.test.ts': 50,
  'marks.test.ts': 50,
  'popup.test.ts': 55,
  'unlock.test.ts': 40,
};
const isShared = (file) => readFileSync(file, 'utf8').includes('/shared-scene.ts');
const secondsOf = (file) => SECONDS[file.replace(/^.*\//, '')] ?? (isShared(file) ? 10 : 20);
const SHARDS = 4;

/**
 * Shards of equal length, because the longest part should not be left alone at the end. The first has all
 * files that share a browser (shared-scene.ts).
 */
export function browserParts(browser) {
  const files = testFiles('test/browser').filter(
    (file) => file !== WPT && (browser === 'chromium' || !IN_CHROMIUM.includes(file)),
  );
  const shards = Array.from({ length: SHARDS }, () => ({ files: [], seconds: 0 }));
  const add = (shard, file) => {
    shard.files.push(file);
    shard.seconds += secondsOf(file);
  };
  for (const file of files.filter(isShared)) add(shards[0], file);
  const own = files.filter((file) => !isShared(file));
  for (const file of own.sort((a, b) => secondsOf(b) - secondsOf(a))) {
    add(
      shards.reduce((least, one) => (one.seconds < least.seconds ? one : least)),
      file,
    );
  }
  return shards.map((shard, i) =>
    tool(`${browser}, ${i + 1} of ${SHARDS}`, 'mocha', [MOCHARC, ...shard.files], {
      env: { BROWSERS: browser },
      needs: BUILD,
      hasBrowser: true,
    }),
  );
}

export function distParts() {
  return [tool('Builds', 'mocha', [MOCHARC, ...testFiles('test/dist')], { needs: BUILD })];
}

/** What `tsc -b` and `eslint .` say, in one process. */
export const typesAndLint = () => ({
  title: 'Types and lint',
  // Young objects are many: with more room for them, they are collected less often.
  command: [process.execPath, '--max-semi-space-size=128', 'scripts/types-and-lint.mjs'],
});

/** All that `npm test` leaves out in this browser. */
function nightlyBrowserParts(browser) {
  const files = [
    ...Object.keys(NIGHTLY_FILES).filter((file) => !OF_BUILDS.includes(file)),
    ...testFiles('test/browser').filter(
      (file) => isSampled(file) || (browser === 'firefox' && IN_CHROMIUM.includes(file)),
    ),
  ];
  const env = { BROWSERS: browser, SEALWRIGHT_NIGHTLY: '1' };
  const more = { env, needs: BUILD, hasBrowser: true };
  return [
    tool(`${browser}, nightly`, 'mocha', [MOCHARC, ...files], more),
    script(`${browser}, web-platform-tests`, 'scripts/wpt.mjs', [], more),
  ];
}

const VAULT_SHARE = '0.1';
/** Minutes: far more than each has taken on two slow cores, so that only what hangs is ended. */
const BUDGETS = {
  build: 20,
  tests: 90,
  look: 40,
  fuzzing: 300,
  stress: 45,
  leak: 90,
  proof: 180,
  soak: 120,
};

const within = (minutes, parts) => parts.map((part) => ({ ...part, minutes }));

/** A minute and a million inputs for each target, on two cores, and ten minutes to begin and to end. */
const FUZZING = [
  ...['all', '1', '--least', '1000000', '--jobs', '2'],
  ...['--within', String(BUDGETS.fuzzing - 10)],
];

/**
 * The parts of `npm run nightly`: those that run beside each other, and then those that need the machine
 * to themselves. `result` is the file that a part writes, `figures` what the report says of it.
 */
export function nightlyParts() {
  const faults = ['scripts/stress.ts', '--share', VAULT_SHARE];
  const together = [
    ...within(BUDGETS.build, [script(BUILD, 'scripts/build.mjs')]),
    ...within(BUDGETS.stress, [tool('Faults of the vault', 'tsx', faults)]),
    ...within(BUDGETS.tests, ['firefox', 'chromium'].flatMap(nightlyBrowserParts)),
    ...within(BUDGETS.look, [
      script('Views and windows on a screen', 'scripts/look.mjs', [], {
        needs: BUILD,
        hasBrowser: true,
      }),
    ]),
    ...within(BUDGETS.tests, unitParts({ SEALWRIGHT_NIGHTLY: '1' })),
    ...within(BUDGETS.build, [script('Linters of the workflows', 'scripts/lint-workflows.mjs')]),
    ...within(BUDGETS.tests, [
      tool('Toolchains of users', 'tsx', ['test/consumers/run.ts'], {
        ...{ needs: BUILD, hasBrowser: true },
        result: 'bench/results/consumers.json',
        figures: consumersFigures,
      }),
    ]),
    ...within(BUDGETS.build, [
      tool(
        'Builds, nightly',
        'mocha',
        [MOCHARC, ...OF_BUILDS, ...testFiles('test/dist').filter(isSampled)],
        { env: { SEALWRIGHT_NIGHTLY: '1' }, needs: BUILD },
      ),
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
    ...within(BUDGETS.fuzzing, [
      script('Fuzzing', 'scripts/fuzz.mjs', FUZZING, {
        result: 'bench/results/fuzz.json',
        figures: fuzzFigures,
      }),
    ]),
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

const consumersFigures = ({ consumers }) => ({
  toolchains: consumers.length,
  right: consumers.filter(({ problems }) => problems.length === 0).length,
});

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
