import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { config, expect } from 'chai';
import {
  BROWSERS,
  CORE,
  DEEPER_IN_FIREFOX,
  GROUPS,
  IN_DEPTH,
  IN_CHROMIUM,
  LINTED,
  NIGHTLY_FILES,
  nightlyParts,
  OF_ALL,
  OF_WORKSPACES,
  testParts,
} from '../../scripts/test-parts.mjs';
import { clockStep, type Part } from '../../scripts/test-run.mjs';
import { dependents, readSources } from './import-graph.ts';

const testFiles = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => `test/${name}`)
  .sort();
const isOfBrowsers = (file: string) => /^test\/browser\/(?!wpt\/)/.test(file);
/** `npm run wpt`, a part of nightly. */
const WPT = 'test/browser/wpt/wpt.test.ts';

/** What parts run, a file once for each browser that runs it. */
const runs = (parts: readonly Part[]) =>
  parts
    .flatMap(({ files = [], env }) => files.map((file) => `${env?.['BROWSERS'] ?? 'node'} ${file}`))
    .sort();
describe('The commands that run tests', () => {
  const [core, rest, all] = (['core', 'rest', 'all'] as const).map((what) => testParts({ what }));
  const nightly = Object.values(nightlyParts()).flat();

  it('leave out no test: `npm run test:all` or nightly runs each, in both browsers', () => {
    const ran = new Set([...runs(all!), ...runs(nightly), `node ${WPT}`]);
    const isRun = (file: string) =>
      BROWSERS.every((name) => ran.has(`${name} ${file}`)) ||
      (!isOfBrowsers(file) && ran.has(`node ${file}`));
    expect(testFiles.filter((file) => !isRun(file))).to.deep.equal([]);
    const named = [
      ...Object.keys(CORE),
      ...IN_CHROMIUM,
      ...Object.keys(NIGHTLY_FILES),
      ...Object.keys(OF_ALL),
    ];
    expect(named.filter((name) => !testFiles.some((file) => file.startsWith(name)))).to.be.empty;
  });

  it('run in `npm test` and its rest what `npm run test:all` runs, and twice what does more there', () => {
    const both = [...runs(core!), ...runs(rest!)];
    expect([...new Set(both)].sort()).to.deep.equal(runs(all!));
    const twice = both.filter((one, i) => both.indexOf(one) !== i);
    const isDeeper = (one: string) => {
      const [where, file] = one.split(' ') as [string, string];
      return IN_DEPTH.includes(file) && (where !== 'chromium' || !DEEPER_IN_FIREFOX.includes(file));
    };
    const inDepth = runs(core!).filter(isDeeper);
    expect(twice.sort()).to.deep.equal(inDepth);
  });

  it('run every part in a job of CI, each with the build that it needs', () => {
    const jobs = GROUPS.map((only) => testParts({ what: 'all', only }));
    expect(runs(jobs.flat())).to.deep.equal(runs(all!));
    for (const job of jobs) {
      const titles = job.map(({ title }) => title);
      expect(job.filter(({ needs }) => needs !== undefined && !titles.includes(needs))).to.be.empty;
    }
  });

  it('run in more depth every test that has more', () => {
    const deeper = dependents(readSources('test'), ['test/support/depth.ts']);
    expect([...IN_DEPTH].sort()).to.deep.equal(testFiles.filter((file) => deeper.has(file)));
    const isOnlyInFirefox = (file: string) => {
      const text = readFileSync(file, 'utf8');
      return text.includes('chromiumFirst(') && !/\binDepth\b|\binAll\b/.test(text);
    };
    expect([...DEEPER_IN_FIREFOX].sort()).to.deep.equal(
      testFiles.filter((file) => deeper.has(file) && isOnlyInFirefox(file)),
    );
  });
});

describe('A run of tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-run-'));
  after(() => rmSync(folder, { recursive: true }));

  /** A run of one part, which prints a line and has so many tests. */
  function runOf(passed: number, failed: number, options: object = {}) {
    const counts = { passed, failed, skipped: 1, pending: ['a vector'], repeated: [], files: {} };
    const failures = failed === 0 ? [] : [{ test: 'opens', why: 'it did not' }];
    const line = JSON.stringify({ ...counts, failures });
    const part = `console.log('a test');
      require('node:fs').writeFileSync(process.env.SEALWRIGHT_COUNTS, ${JSON.stringify(line)});
      process.exit(${failed})`;
    const program = `
      import { close, runParts } from ${JSON.stringify(resolve('scripts/test-run.mjs'))};
      const command = [process.execPath, '-e', ${JSON.stringify(part)}];
      close(await runParts([{ title: 'Part', command }]), ${JSON.stringify(options)});`;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    const lines = stdout.trimEnd().split('\n');
    return { status, lines, last: lines.at(-1) };
  }

  it('shows the output of a part that failed, and counts alone of one that passed', () => {
    const passed = runOf(3, 0);
    expect(passed).to.include({ status: 0, last: '3 passed, 0 failed, 1 skipped' });
    expect(passed.lines).to.include('SKIPPED a vector').and.to.not.include('a test');
    const failed = runOf(3, 1);
    expect(failed).to.include({ status: 1, last: '3 passed, 1 failed, 1 skipped' });
    expect(failed.lines).to.include('a test').and.to.include('FAILED opens: it did not');
  });

  it('closes with the counts of two, and says in another form what the first one had', () => {
    const file = join(folder, 'counts');
    const first = runOf(3, 1, { countsTo: file });
    expect(first.status).to.equal(1);
    expect(first.lines.join('\n')).to.not.match(/^\d+ passed, \d+ failed, \d+ skipped$/m);
    const second = runOf(5, 0, { countsOf: file });
    expect(second).to.include({ status: 0, last: '8 passed, 1 failed, 2 skipped' });
    const alone = runOf(5, 0, { countsOf: join(folder, 'none') });
    expect(alone.last).to.equal('5 passed, 1 failed, 1 skipped');
  });

  it('says that the clock was set or the machine stood still, which makes tests fail that are right', () => {
    const before = { wall: 1_000_000, steady: 5_000 };
    const after = (wallMs: number, steadyMs: number) =>
      clockStep(before, { wall: before.wall + wallMs, steady: before.steady + steadyMs });
    expect(after(1_000, 1_000)).to.equal(undefined);
    expect(after(20_000, 20_000), 'a busy machine').to.equal(undefined);
    expect(after(601_000, 1_000)).to.equal('the clock of this machine was set by 600 s');
    expect(after(-89_000, 1_000)).to.equal('the clock of this machine was set by -90 s');
    expect(after(61_000, 61_000)).to.equal('this machine stood still for 60 s');
  });
});

describe('The assertions of the unit tests', () => {
  it('tell bytes that differ in one place or in length, and find views and Buffers equal', () => {
    expect(config).to.have.property('deepEqual').that.is.a('function');
    const bytes = Uint8Array.of(1, 2, 3);
    const view = Uint8Array.of(0, 1, 2, 3, 0).subarray(1, 4);
    for (const same of [view, Buffer.from(bytes)]) expect(same).to.deep.equal(bytes);
    for (const other of [view.with(2, 4), view.subarray(1), [1, 2, 3], Int8Array.of(1, 2, 3)]) {
      expect(other).to.not.deep.equal(bytes);
      expect({ within: [other] }).to.not.deep.equal({ within: [bytes] });
    }
  });
});

/** A folder with these files. */
function fixture(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'sealwright commands-'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return { folder, write };
}

describe('Types and lint', () => {
  const { folder, write } = fixture({
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        noEmit: true,
        strict: true,
        types: [],
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        allowImportingTsExtensions: true,
      },
      include: ['**/*.ts'],
    }),
    '.oxlintrc.json': readFileSync('.oxlintrc.json', 'utf8'),
    'made.ts': 'export const made = (): number => 1;\n',
    'used.ts': "import { made } from './made.ts';\nexport const used: number = made();\n",
    'test/used.ts': "import { made } from '../made.ts';\nmade();\n",
  });
  before(() => symlinkSync(resolve('node_modules'), join(folder, 'node_modules')));
  after(() => rmSync(folder, { recursive: true }));

  /** What they report of the files as they are. */
  const report = (...args: readonly string[]) => {
    const program = [resolve('node_modules/.bin/oxlint'), '-f', 'unix', ...args];
    const options = { cwd: folder, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync(process.execPath, program, options);
    return status === 0 ? 'nothing' : stdout;
  };

  it('find in untouched files what a type that changes in another one makes wrong', () => {
    expect(report()).to.equal('nothing');
    write('made.ts', "export const made = (): string => 'one';\n");
    expect(report()).to.match(/used\.ts.*TS2322/);
    write(
      'made.ts',
      'export const made = async (): Promise<number> => await Promise.resolve(1);\n',
    );
    expect(report()).to.match(/test\/used\.ts.*no-floating-promises/);
  });

  it('leave to `npm run test:all` the files that need packages of workspaces alone', () => {
    write('made.ts', 'export const made = (): number => 1;\n');
    for (const place of ['site', 'test/bench', 'extension/popup/site', 'test']) {
      write(`${place}/wrong.ts`, 'export const wrong: number = true;\n');
    }
    const wrong = (args: readonly string[]) =>
      [...report(...args).matchAll(/([\w/]+)\/wrong\.ts.*TS2322/g)]
        .map(([, place]) => place)
        .sort();
    const core = ['extension/popup/site', 'test'];
    const rest = ['site', 'test/bench'];
    expect(wrong(LINTED.core)).to.deep.equal(core);
    expect(wrong(rest)).to.deep.equal(rest);
    expect(wrong(LINTED.all)).to.deep.equal([...core, ...rest].sort());
    expect(LINTED.rest).to.equal(OF_WORKSPACES);
    for (const place of [...core, ...rest]) rmSync(join(folder, place, 'wrong.ts'));
  });

  it('hold what src/ and src/crypto/ may name', () => {
    write('made.ts', 'export const made = (): number => 1;\n');
    write('src/one.ts', 'export const one = document.title;\n');
    write('src/crypto/two.ts', 'export const two = Date.now();\n');
    const problems = report();
    expect(problems).to.match(/one\.ts.*no-restricted-globals/);
    expect(problems).to.match(/two\.ts.*no-restricted-globals/);
  });
});

describe('The tests that a change reaches', () => {
  const { folder } = fixture({
    'a.ts': 'export const a = 1;',
    'b.ts': "import { a } from './a.ts';\nexport const b = a;",
    'types.ts': 'export type T = number;',
    'one.test.ts': "import { b } from './b.ts';\nb;",
    'two.test.ts': "import type { T } from './types.ts';\nexport const two: T = 2;",
    'three.test.ts': "readFileSync('vectors/three.json');",
  });
  after(() => rmSync(folder, { recursive: true }));

  it('are those whose imports lead to it, types and names of other files included', () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    const sources = readSources(folder);
    expect(sources).to.have.length(names.length);
    const reached = (...changed: string[]) =>
      [
        ...dependents(
          sources,
          changed.map((name) => join(folder, name)),
        ),
      ]
        .filter((path) => path.endsWith('.test.ts'))
        .map((path) => path.slice(folder.length + 1))
        .sort();
    expect(reached('a.ts')).to.deep.equal(['one.test.ts']);
    expect(reached('b.ts', 'types.ts')).to.deep.equal(['one.test.ts', 'two.test.ts']);
    expect(reached('vectors/three.json')).to.deep.equal(['three.test.ts']);
    expect(reached('one.test.ts')).to.deep.equal(['one.test.ts']);
    expect(reached('other.md')).to.deep.equal([]);
  });
});
