import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { chosen, nightlyPage, nightlyResult } from '../../scripts/nightly-report.mjs';
import { KINDS, withStep } from '../../scripts/sequences.mjs';
import { runParts, type Part } from '../../scripts/test-run.mjs';

const node = (title: string, source: string, more: Partial<Part> = {}): Part => ({
  title,
  command: [process.execPath, '-e', source],
  ...more,
});
/** What a test run leaves for the report. */
const COUNTS = JSON.stringify({
  passed: 3,
  failed: 1,
  skipped: 2,
  repeated: [],
  files: {},
  failures: [{ test: 'opens', why: 'it did not' }],
});
const COUNTING = `require('node:fs').writeFileSync(process.env.SEALWRIGHT_COUNTS, '${COUNTS}\\n')`;
const ENDLESS = 'setInterval(() => undefined, 1000)';
/** A program that starts another, as the tools do; both must end. */
const STARTS_ENDLESS = `
  require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(ENDLESS)}],
    { stdio: 'inherit' }); ${ENDLESS}`;

describe('mocha', () => {
  it('loads ES modules as such: made CommonJS, they compute at half of the speed', () => {
    expect(typeof require).to.equal('undefined');
  });
});

describe('The nightly run', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-nightly-'));
  const fresh = join(folder, 'fresh.json');
  const stale = join(folder, 'stale.json');
  const began = Date.now();
  const figures = ({ calls }: { readonly calls: number }) => ({ calls });
  const PARTS: readonly Part[] = [
    node('Good', '0', { minutes: 5, result: fresh, figures }),
    node('Counted', `${COUNTING}; process.exit(1)`, { minutes: 5 }),
    node('Endless', STARTS_ENDLESS, { minutes: 0.02, result: stale, figures }),
    node('After it', '0', { needs: 'Endless' }),
  ];

  before(() => {
    for (const path of [fresh, stale]) writeFileSync(path, '{"calls":5}');
    utimesSync(stale, new Date(0), new Date(0));
    sinon.stub(console, 'log');
  });
  after(() => {
    sinon.restore();
    rmSync(folder, { recursive: true });
  });

  it('ends a part that is over its budget, and says how each ended', async () => {
    const ended = await runParts(PARTS);
    const result = nightlyResult(PARTS, ended, { began: began - 60_000 });
    expect(result.parts.map(({ title, state }) => [title, state])).to.deep.equal([
      ['Good', 'passed'],
      ['Counted', 'failed'],
      ['Endless', 'over budget'],
      ['After it', 'not run'],
    ]);
    expect(result).to.include({ passed: 1, failed: 1, overBudget: 1, notRun: 1 });
    const [good, counted, endless, after] = result.parts;
    expect(good).to.deep.include({ budgetMinutes: 5, figures: { calls: 5 } });
    expect(counted!.tests).to.deep.equal({ passed: 3, failed: 1, skipped: 2 });
    expect(endless!.error).to.equal('ended after 0.02 minutes, which are its budget');
    expect(endless, 'the file is of an earlier run').to.not.have.property('figures');
    expect(after!.error).to.equal('not run: Endless failed');

    const page = nightlyPage(result);
    expect(page).to.include('1 of 4 parts passed, 1 failed, 1 over budget, 1 not run.');
    expect(page).to.match(/^\| Good \| passed \| \d+ \| 300 \| {2}\| calls 5 \|$/m);
    expect(page).to.match(/^\| Counted \| failed \| \d+ \| 300 \| 3, 1, 2 \| {2}\|$/m);
    expect(page).to.include('- opens: it did not');
    expect(page).to.include(result.machine);
  });

  it('begins two parts with a browser beside one that computes, and more where there is one kind', async () => {
    const log = console.log as unknown as sinon.SinonStub;
    const first = async (...parts: Part[]) => {
      log.resetHistory();
      await runParts(parts);
      const lines = log.args.map(([line]) => String(line));
      const end = lines.findIndex((line) => line.startsWith('== '));
      return lines.slice(0, end).map((line) => /^-- (.*) begins$/.exec(line)?.[1]);
    };
    const computing = ['a', 'b', 'c'].map((title) => node(title, '0'));
    const browsers = ['A', 'B', 'C', 'D'].map((title) => node(title, '0', { hasBrowser: true }));
    expect(await first(...computing, ...browsers)).to.deep.equal(['a', 'A', 'B']);
    expect(await first(...computing)).to.deep.equal(['a', 'b']);
    expect(await first(...browsers)).to.deep.equal(['A', 'B', 'C']);
  });

  it('runs what is asked for, with what that needs', () => {
    const titles = (...texts: string[]) => chosen(PARTS, texts).map(({ title }) => title);
    expect(titles()).to.have.length(4);
    expect(titles('good')).to.deep.equal(['Good']);
    expect(titles('after')).to.deep.equal(['Endless', 'After it']);
    expect(titles('nothing')).to.deep.equal([]);
  });
});

describe('Random sequences', () => {
  const ABOUT = { date: '2026-11-30', machine: 'a machine', node: 'v20' };

  it('read how many there are, and of which seed, from the variables that the command sets', () => {
    for (const [kind, { file, count, seed }] of Object.entries(KINDS)) {
      const text = readFileSync(file, 'utf8');
      for (const name of [count, seed ?? count]) {
        expect(text, kind).to.include(`process.env['${name}']`);
      }
    }
  });

  it('are counted over all runs, but for those of a step that has failed', () => {
    const step = { kind: 'lives', count: 2000, seconds: 60, seed: 5, passed: true };
    const first = withStep({}, step, ABOUT);
    const second = withStep(first, { ...step, seed: 6, passed: false }, ABOUT);
    const { kinds } = withStep(second, { ...step, kind: 'a kind', seconds: 1 }, ABOUT);
    expect(Object.keys(kinds!)).to.deep.equal(['a kind', 'lives']);
    expect(kinds!['lives']).to.deep.equal({
      sequences: 2000,
      seconds: 120,
      failures: [{ date: ABOUT.date, seed: 6, count: 2000 }],
      last: ABOUT.date,
    });
  });
});
