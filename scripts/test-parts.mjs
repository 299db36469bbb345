/*
 * What each command runs. `npm test` runs what a change needs within minutes: units and the built packages (but OF_ALL), and
 * of the browser tests the core (CORE). `npm run test:all` runs every browser test beside that, and the units
 * in more depth; `npm run nightly` runs what takes longer (NIGHTLY_FILES).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { script, tool } from './test-run.mjs';

export const BUILD = 'Build';
/** The site and the Lab, which is a page of it. */
const SITE = 'Site';
export const BROWSERS = ['chromium', 'firefox'];
const MOCHARC = '--config=test/browser/mocharc.json';
const NIGHTLY = { SEALWRIGHT_NIGHTLY: '1' };
/** Of test/support/depth.ts. */
const TO_ITS_DEPTH = { SEALWRIGHT_DEPTH: 'all' };

/** They do more under SEALWRIGHT_NIGHTLY than in `npm run test:all`. */
const isSampled = (file) => readFileSync(file, 'utf8').includes('support/nightly.ts');

const browserTest = (name) => `test/browser/${name}.test.ts`;
/**
 * Browser tests that `npm test` runs: what the extension promises to a user and to a page, by real clicks, and the
 * attacks on it, in both browsers where those may differ.
 */
export const CORE = Object.fromEntries(
  Object.entries({
    'api/page-api': BROWSERS, // connect, seal, open, and each call that is refused
    'content-script/content-script-attacker': BROWSERS,
    'examples/demo': ['chromium'], // what npm start shows
    'fields/always-sealed': BROWSERS, // the guard of a field
    'fields/fields': BROWSERS,
    'hostile/hostile-page': BROWSERS,
    'hostile/prompt-attacks': ['chromium'],
    'hostile/worker-death': BROWSERS,
    'ui/accessibility': ['chromium'],
    'ui/unlock': ['chromium'], // the vault: wrong passphrases, locks; page-api locks and unlocks in both
  }).map(([name, browsers]) => [browserTest(name), browsers]),
);

/**
 * `npm run test:all` runs them in Chromium alone: views and documents of ours that both browsers show alike, over
 * transports, stores and engines that other tests try in both. `npm run nightly` runs them in Firefox.
 */
export const IN_CHROMIUM = [
  'ui/accessibility',
  'ui/keys',
  'ui/lab',
  'ui/login',
  'ui/manager',
  'ui/picture',
  'open-page/views',
  'people/sharing',
  'api/sync',
].map(browserTest);

const REBUILD = 'test/dist/reproducible-build.test.ts';
const STORE_LINT = 'test/dist/build.test.ts';
const OF_BUILDS = [REBUILD, STORE_LINT];

/** With the reason why each is not in `npm run test:all`. */
export const NIGHTLY_FILES = {
  'test/browser/hostile/all-calls.test.ts':
    'every method with every algorithm; page-work.test.ts has the longest, service/subtle/prices.test.ts that each has a price',
  'test/browser/api/adapters.test.ts':
    'libraries for documents and databases; test/client/adapters has them in Node',
  'test/browser/storage/clock.test.ts':
    'a browser under libfaketime; auto-lock.test.ts and grant-clock.test.ts set the clock in Node',
  'test/browser/api/unusual-hour.test.ts':
    'a browser under libfaketime; test/service/grants/opening-hours.test.ts sets the clock in Node',
  'test/browser/storage/copied-profile.test.ts':
    'two more browsers; test/service/cloned-state.test.ts copies the state at every stage',
  'test/browser/storage/cut-files.test.ts':
    'eleven more browsers; faults.test.ts and corruption.test.ts damage the stores in Node',
  'test/browser/engines/differential.test.ts':
    'random calls, inside each browser; cross/differential.test.ts compares the engines in Node',
  'test/browser/engines/engines.test.ts':
    'the conformance suites, inside each browser; Node runs the same',
  'test/browser/gallery/gallery.test.ts':
    'a build of every editor; fields-editors.test.ts has a sample',
  'test/browser/hostile/network.test.ts':
    'two more browsers; manifest.test.ts and bundles.test.ts hold what makes it true',
  'test/browser/examples/notes.test.ts':
    'an example app with real sync servers; examples.test.ts has a sample',
  'test/browser/ui/other-tools.test.ts': 'compatibility with other programs',
  'test/browser/open-page/large.test.ts':
    'a file of 100 MiB, and the memory of a browser; open-page.test.ts beside it opens short ones',
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

const isTest = (name) => /\.test\.tsx?$/.test(name);
/** In Node: what `npm run wpt` runs with. */
const isUnitOfWpt = (file) => file.startsWith('test/browser/wpt/') && file !== WPT;
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter(isTest)
    .map((name) => `${folder}/${name}`)
    .sort();
/** Tests of the build in a folder, without those of nightly. */
const notNightly = (folder) =>
  filesIn(folder).filter((file) => !isUnitOfWpt(file) && file !== WPT && !(file in NIGHTLY_FILES));

/** All tests that run in Node, without a build. */
export const unitFiles = () =>
  filesIn('test').filter((file) => !/^test\/(browser|dist)\//.test(file) || isUnitOfWpt(file));

/** Seconds of the files that take longest; others take about 20, and 10 in a browser that is open already. */
const SECONDS = {
  'accessibility.test.ts': 55,
  'cards.test.ts': 85,
  'fields.test.ts': 50,
  'fields-editors.test.ts': 40,
  'files.test.ts': 120,
  'forged-values.test.ts': 45,
  'frames.test.ts': 55,
  'guarded-states.test.ts': 150,
  'hostile-page.test.ts': 80,
  'lab.test.ts': 60,
  'manager.test.ts': 50,
  'open-page.test.ts': 50,
  'marks.test.ts': 50,
  'popup.test.ts': 55,
  'redrawn.test.ts': 120,
  'unlock.test.ts': 40,
};
/** Processor seconds of the unit tests that compute longest; others take about one. */
const COMPUTING = {
  'test/keys/storage/corruption.test.ts': 6,
  'test/keys/storage/faults.test.ts': 12,
  'test/keys/stress.test.ts': 14,
  'test/keys/vault/secrecy.test.ts': 6,
};
const SHARDS = 4;

/** Shards of about equal length, because the longest part should not be left alone at the end. */
function shards(count, files, secondsOf, first = []) {
  const all = Array.from({ length: count }, () => ({ files: [], seconds: 0 }));
  const add = (shard, file) => {
    shard.files.push(file);
    shard.seconds += secondsOf(file);
  };
  for (const file of first) add(all[0], file);
  for (const file of [...files].sort((a, b) => secondsOf(b) - secondsOf(a))) {
    add(
      all.reduce((least, one) => (one.seconds < least.seconds ? one : least)),
      file,
    );
  }
  return all.map((shard) => shard.files).filter((list) => list.length > 0);
}

/** A part of mocha's; `files` is what it runs. */
const tests = (title, files, { options = [], ...more } = {}) => ({
  ...tool(title, 'mocha', [...options, ...files], more),
  files,
});

/**
 * Neighbours stay together, because they load the same modules.
 *
 * @param env how deep they go (test/support)
 */
export function unitParts(env = {}, files = unitFiles()) {
  const seconds = files.map((file) => COMPUTING[file] ?? 1);
  const whole = seconds.reduce((sum, one) => sum + one, 0);
  const lists = Array.from({ length: SHARDS }, () => []);
  let before = 0;
  for (const [i, file] of files.entries()) {
    lists[Math.floor(((before + seconds[i] / 2) / whole) * SHARDS)].push(file);
    before += seconds[i];
  }
  const filled = lists.filter((list) => list.length > 0);
  return filled.map((list, i) => tests(`Units, ${i + 1} of ${filled.length}`, list, { env }));
}

/** Tests in Node, by file or folder, that `npm run test:all` runs and `npm test` does not, with the reason. */
export const OF_ALL = {
  'test/bench/': 'the benchmarks, of which nothing is shipped',
  'test/client/adapters/crdt/': 'adapters of one library each; those of records stay',
  'test/client/adapters/fields/': 'adapters of one database each; those of records stay',
  'test/client/adapters/heads/servers.test.ts':
    'heads over real servers; histories.test.ts beside it has them in memory',
  'test/client/adapters/pouch-replication.test.ts': 'replication by PouchDB, with a real server',
  'test/client/adapters/protection.test.ts': 'a table of every adapter and every attack',
  'test/cross/stress-engines.test.ts':
    'random sequences; engines.test.ts compares the same engines',
  'test/dist/consumers.test.ts': 'the types, as the projects of users compile them',
  'test/dist/documents/': 'every sample of the documents is run',
  'test/dist/library-engines.test.ts': 'every engine of the library, built; cross/ has the sources',
  'test/dist/library-size.test.ts': 'bundles of one algorithm each',
  'test/dist/package.test.ts': 'what is published to npm, and notices of the Lab',
  'test/dist/site.test.ts': 'the site, which no user installs',
  'test/engine/block-ciphers.test.ts': 'the old ciphers, which nothing seals with',
  'test/engine/gpu/': 'GPUs in software; nothing in the extension needs one',
  'test/engine/threads/': 'the library with threads, which are off unless asked for',
  'test/engine/wasm/': 'each module alone; engine/conformance.test.ts compares them by vectors',
  'test/fuzz/': 'the fuzzers and a sample of their inputs',
  'test/lab/': 'the Lab, which is a page of the site',
  'test/proof/proof.test.ts':
    'the prover of constant time; npm run proof runs it over every module',
  'test/proof/taint.test.ts': 'the taint of every module, which changes with the generators alone',
  'test/repo/vector-files.test.ts':
    'whether every file of the packages of vectors is run or listed',
};
const isOfAll = (file) =>
  Object.keys(OF_ALL).some((name) => (name.endsWith('/') ? file.startsWith(name) : file === name));
/** Tests that do more in `npm run test:all` than in `npm test` (test/support/depth.ts). */
export const IN_DEPTH = [
  'test/algorithms/conformance.test.ts',
  'test/browser/fields/always-sealed.test.ts',
  'test/browser/fields/fields.test.ts',
  'test/browser/hostile/hostile-page.test.ts',
  'test/browser/hostile/worker-death.test.ts',
  'test/browser/ui/accessibility.test.ts',
  'test/cli/run.test.ts',
  'test/client/adapters/heads/histories.test.ts',
  'test/cross/engines.test.ts',
  'test/crypto/aead/gcm.test.ts',
  'test/crypto/aead/siv.test.ts',
  'test/crypto/bigint/mod-exp.test.ts',
  'test/crypto/bigint/primality.test.ts',
  'test/crypto/classical/dh.test.ts',
  'test/crypto/classical/dsa.test.ts',
  'test/crypto/hash/blake2b.test.ts',
  'test/crypto/hash/blake3.test.ts',
  'test/crypto/hash/legacy/sha1.test.ts',
  'test/crypto/hash/sha256.test.ts',
  'test/crypto/hash/sha3.test.ts',
  'test/crypto/hash/sha512.test.ts',
  'test/crypto/kdf/pbkdf2.test.ts',
  'test/crypto/kdf/scrypt.test.ts',
  'test/engine/block-ciphers.test.ts',
  'test/engine/conformance.test.ts',
  'test/engine/gpu/modes.test.ts',
  'test/engine/threads/conformance.test.ts',
  'test/engine/wasm/aes/aegis.test.ts',
  'test/engine/wasm/aes/aes.test.ts',
  'test/engine/wasm/aes/cbc-many.test.ts',
  'test/engine/wasm/aes/siv.test.ts',
  'test/engine/wasm/arx/arx.test.ts',
  'test/engine/wasm/conformance.test.ts',
  'test/engine/wasm/hash/argon2.test.ts',
  'test/engine/wasm/hash/blake.test.ts',
  'test/engine/wasm/hash/hashes.test.ts',
  'test/engine/wasm/hash/keccak.test.ts',
  'test/engine/wasm/hash/scrypt.test.ts',
  'test/engine/wasm/montgomery/montgomery.test.ts',
  'test/engine/wasm/wasm-simd.test.ts',
  'test/extension/bulk-lane.test.ts',
  'test/extension/manager/files/age-file.test.ts',
  'test/extension/page/subtle/dropped-keys.test.ts',
  'test/format/groups/convergence.test.ts',
  'test/format/groups/epoch.test.ts',
  'test/format/groups/planted.test.ts',
  'test/format/message.test.ts',
  'test/format/seekable.test.ts',
  'test/format/shared.test.ts',
  'test/keys/circle/chain.test.ts',
  'test/keys/circle/settled-forks.test.ts',
  'test/keys/devices/histories.test.ts',
  'test/keys/devices/merge.test.ts',
  'test/keys/media/histories.test.ts',
  'test/keys/pairing/planted.test.ts',
  'test/keys/storage/corruption.test.ts',
  'test/keys/storage/faults.test.ts',
  'test/keys/stress.test.ts',
  'test/keys/vault/life.test.ts',
  'test/keys/vault/secrecy.test.ts',
  'test/library/into.test.ts',
  'test/library/legacy.test.ts',
  'test/published/cryptography.test.ts',
  'test/published/standards.test.ts',
  'test/published/wycheproof.test.ts',
  'test/service/cloned-state.test.ts',
  'test/service/exchange/file-arrival.test.ts',
  'test/service/exchange/file-exchange.test.ts',
  'test/service/grants/opening-limit.test.ts',
  'test/service/grants/revoker.test.ts',
  'test/service/messages/batches.test.ts',
  'test/service/random/seed-file.test.ts',
  'test/service/sharing/recovery-friends.test.ts',
  'test/service/vault/arrival.test.ts',
  'test/service/vault/hostile-exchanges.test.ts',
  'test/service/vault/lock-keeper.test.ts',
  'test/subtle/classical.test.ts',
  'test/subtle/conformance.test.ts',
  'test/subtle/post-quantum.test.ts',
  'test/sync/sealwright/histories.test.ts',
];
/** Of these, tests that do more there in Firefox alone: `npm test` runs the whole in Chromium (`chromiumFirst`). */
export const DEEPER_IN_FIREFOX = [
  'test/browser/fields/always-sealed.test.ts',
  'test/browser/hostile/worker-death.test.ts',
];
const isDeeper = (browser) => (file) =>
  IN_DEPTH.includes(file) && (browser === 'firefox' || !DEEPER_IN_FIREFOX.includes(file));

const isShared = (file) => readFileSync(file, 'utf8').includes('/shared-scene.ts');
const secondsOf = (file) => SECONDS[file.replace(/^.*\//, '')] ?? (isShared(file) ? 10 : 20);

/** The browser tests of `npm run test:all`. */
const browserFiles = (browser) =>
  notNightly('test/browser').filter(
    (file) => browser === 'chromium' || !IN_CHROMIUM.includes(file),
  );
const isCore = (browser) => (file) => CORE[file]?.includes(browser) ?? false;

/** The first shard has all files that share a browser (shared-scene.ts). */
function browserParts(browser, title, count, files, env = {}) {
  const own = files.filter((file) => !isShared(file));
  const lists = shards(count, own, secondsOf, files.filter(isShared));
  const more = { env: { BROWSERS: browser, ...env }, needs: BUILD, hasBrowser: true };
  return lists.map((list, i) =>
    tests(`${title}, ${i + 1} of ${lists.length}`, list, { ...more, options: [MOCHARC] }),
  );
}

function distPart(title = 'Builds', isWanted = () => true) {
  const files = notNightly('test/dist').filter(isWanted);
  return tests(title, files, { options: [MOCHARC], needs: BUILD });
}

/**
 * Files and folders that import, bundle or run packages of workspaces (scripts/setup.mjs): they have no types, and do not
 * run, where `npm ci` alone was run. test/repo/npm-packages.test.ts compares the list with what they import.
 */
export const OF_WORKSPACES = [
  'bench/',
  'scripts/store-pictures.ts',
  'site/',
  'test/bench/',
  'test/browser/api/adapters.test.ts',
  'test/browser/api/sync-clients.test.ts',
  'test/browser/examples/e2e.test.ts',
  'test/browser/examples/notes.test.ts',
  'test/browser/examples/site.test.ts',
  'test/browser/examples/starter.test.ts',
  'test/browser/fields/fields-editors.test.ts',
  'test/browser/fields/redrawn.test.ts',
  'test/browser/gallery/',
  'test/browser/in-page/libraries/',
  'test/client/adapters/crdt/',
  'test/client/adapters/fields/',
  'test/client/adapters/heads/media.ts',
  'test/client/adapters/heads/servers.test.ts',
  'test/client/adapters/pouch-replication.test.ts',
  'test/client/adapters/protection.test.ts',
  'test/dist/build.test.ts',
  'test/dist/consumers.test.ts',
  'test/dist/documents/',
  'test/dist/site.test.ts',
  'test/servers/',
  'test/support/samples/',
  'test/support/stores/pouchdb.ts',
];
/** What the linter is told, by what a run checks. */
export const LINTED = {
  // The slash in front is the top of the project: `site/` would be extension/popup/site as well.
  core: OF_WORKSPACES.flatMap((path) => ['--ignore-pattern', `/${path}`]),
  rest: OF_WORKSPACES,
  all: [],
};
/** As .oxlintrc.json says; it reports what `tsc -b` reports as well. */
const typesAndLint = {
  core: tool('Types and lint', 'oxlint', LINTED.core),
  rest: tool('Types and lint of the workspaces', 'oxlint', LINTED.rest),
  all: tool('Types and lint', 'oxlint', LINTED.all),
};
export const PRETTIER_CACHE = [
  '--cache',
  '--cache-strategy=content',
  '--cache-location=.cache/prettier',
];
const format = (isFresh) =>
  tool('Format', 'prettier', [
    '--check',
    '--log-level=warn',
    ...(isFresh ? [] : PRETTIER_CACHE),
    '.',
  ]);

/**
 * The parts of a run, the longest first, of those that compute and of those with a browser.
 *
 * @param what 'core': `npm test`; 'rest': what `npm run test:all` adds to it, of a build that is there; 'all': both
 * @param only a job of GROUPS, or undefined for all
 */
export function testParts({ what = 'core', isFresh = false, only } = {}) {
  const build = {
    core: [script(BUILD, 'scripts/build.mjs', ['--no-site'])],
    rest: [script(SITE, 'scripts/site.mjs')],
    all: [script(BUILD, 'scripts/build.mjs')],
  }[what];
  const inBrowser = (browser) => {
    const files = browserFiles(browser);
    if (what === 'all') return browserParts(browser, browser, 4, files, TO_ITS_DEPTH);
    const core = isCore(browser);
    return what === 'core'
      ? browserParts(browser, `${browser}, core`, 2, files.filter(core))
      : browserParts(
          browser,
          `${browser}, rest`,
          4,
          files.filter((file) => !core(file) || isDeeper(browser)(file)),
          TO_ITS_DEPTH,
        );
  };
  const units =
    what === 'all'
      ? unitParts(TO_ITS_DEPTH)
      : unitParts(
          {},
          unitFiles().filter((file) => !isOfAll(file)),
        );
  const unitsInDepth = unitParts(
    TO_ITS_DEPTH,
    unitFiles().filter((file) => isOfAll(file) || IN_DEPTH.includes(file)),
  );
  const groups = {
    units: {
      core: [typesAndLint.core, ...units],
      rest: [typesAndLint.rest, ...unitsInDepth, format(isFresh)],
      all: [typesAndLint.all, ...units, format(isFresh)],
    }[what],
    firefox: inBrowser('firefox'),
    chromium: inBrowser('chromium'),
    dist: {
      core: [distPart('Builds', (file) => !isOfAll(file))],
      rest: [distPart('Builds, rest', isOfAll)],
      all: [distPart()],
    }[what],
  };
  const parts = Object.entries(groups)
    .filter(([name]) => only === undefined || only === name)
    .flatMap(([, list]) => list);
  if (!parts.some(({ needs }) => needs === BUILD)) return parts;
  if (what !== 'rest') return [...build, ...parts];
  // The rest runs over the build of the core, and adds the site to it.
  return [...build, ...parts.map((part) => (part.needs ? { ...part, needs: SITE } : part))];
}
/** What `--only` takes. */
export const GROUPS = ['units', 'dist', 'chromium', 'firefox'];

/** All that `npm run test:all` leaves out in this browser. */
function nightlyBrowserParts(browser) {
  const files = [
    ...Object.keys(NIGHTLY_FILES).filter((file) => !OF_BUILDS.includes(file)),
    ...notNightly('test/browser').filter(
      (file) => isSampled(file) || (browser === 'firefox' && IN_CHROMIUM.includes(file)),
    ),
  ];
  const more = { env: { BROWSERS: browser, ...NIGHTLY }, needs: BUILD, hasBrowser: true };
  return [
    tests(`${browser}, nightly`, files, { ...more, options: [MOCHARC] }),
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
  differential: 90,
  leak: 90,
  markup: 180,
  proof: 180,
  soak: 120,
  sequences: 480,
};

const within = (minutes, parts) => parts.map((part) => ({ ...part, minutes }));

/** A minute and a million inputs for each target, on two cores, and ten minutes to begin and to end. */
const FUZZING = [
  ...['all', '1', '--least', '1000000', '--jobs', '2'],
  ...['--within', String(BUDGETS.fuzzing - 10)],
];

/** All kinds, two at a time, and ten minutes to end the last step. */
const SEQUENCES = ['--jobs', '2', '--within', String(BUDGETS.sequences - 10)];

/**
 * The parts of `npm run nightly`: those that run beside each other, and then those that need the machine
 * to themselves. `result` is the file that a part writes, `figures` what the report says of it.
 */
export function nightlyParts() {
  const faults = ['scripts/stress.ts', '--share', VAULT_SHARE];
  const together = [
    ...within(BUDGETS.build, [script(BUILD, 'scripts/build.mjs')]),
    ...within(BUDGETS.stress, [tool('Faults of the vault', 'tsx', faults)]),
    ...within(BUDGETS.sequences, [
      script('Random sequences', 'scripts/sequences.mjs', SEQUENCES, {
        result: 'bench/results/sequences.json',
        figures: sequencesFigures,
      }),
    ]),
    ...within(BUDGETS.differential, [
      // A million cases in this Node; the same in the others, and in the browsers, of another seed.
      tool('Random calls of subtle', 'tsx', ['scripts/differential.ts', '--cases', '1000000'], {
        result: 'bench/results/differential.json',
        figures: differentialFigures,
      }),
      tool(
        'Random calls of subtle, other platforms',
        'tsx',
        ['scripts/differential.ts', '--cases', '100000', '--nodes', '--browsers'],
        { hasBrowser: true },
      ),
    ]),
    ...within(BUDGETS.tests, ['firefox', 'chromium'].flatMap(nightlyBrowserParts)),
    ...within(BUDGETS.look, [
      script('Views and windows on a screen', 'scripts/look.mjs', [], {
        needs: BUILD,
        hasBrowser: true,
      }),
    ]),
    ...within(BUDGETS.tests, unitParts(NIGHTLY)),
    ...within(BUDGETS.build, [script('Linters of the workflows', 'scripts/lint-workflows.mjs')]),
    ...within(BUDGETS.tests, [
      tool('Toolchains of users', 'tsx', ['test/consumers/run.ts'], {
        needs: BUILD,
        hasBrowser: true,
        result: 'bench/results/consumers.json',
        figures: consumersFigures,
      }),
    ]),
    ...within(BUDGETS.tests, [
      tool('Real applications', 'tsx', ['test/real-apps/run.ts'], {
        needs: BUILD,
        hasBrowser: true,
        result: 'bench/results/realapps.json',
        figures: applicationsFigures,
      }),
    ]),
    ...within(BUDGETS.markup, [
      tool('Programs of markup and mail', 'tsx', ['test/real-apps/markup/run.ts'], {
        result: 'bench/results/markup.json',
        figures: markupFigures,
      }),
    ]),
    ...within(BUDGETS.build, [
      tests('Builds, nightly', [...OF_BUILDS, ...notNightly('test/dist').filter(isSampled)], {
        env: NIGHTLY,
        needs: BUILD,
        options: [MOCHARC],
      }),
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

const differentialFigures = ({ cases, casesOfAllRuns, differences }) => ({
  cases,
  casesOfAllRuns,
  differences: differences.length,
});

/** Of all runs. */
const sequencesFigures = ({ kinds }) => ({
  ...Object.fromEntries(Object.entries(kinds).map(([kind, { sequences }]) => [kind, sequences])),
  failures: Object.values(kinds).reduce((sum, { failures }) => sum + failures.length, 0),
});

const applicationsFigures = ({ rows }) => {
  const outcomes = rows.flatMap(({ browsers }) => Object.values(browsers));
  return {
    fields: outcomes.length,
    whole: outcomes.filter(({ problem }) => problem === null).length,
  };
};

const markupFigures = ({ rows }) => ({
  programs: rows.length,
  texts: rows.reduce((sum, { texts }) => sum + 2 * texts, 0),
  found: rows.reduce((sum, { found }) => sum + found.swt1 + found.sw1, 0),
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
