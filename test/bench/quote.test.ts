import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { compareWithPeers, extremesText, peersText } from '../../bench/best-of-kind.ts';
import { timesAsFast } from '../../bench/figures.ts';
import { bars, lines, short } from '../../bench/plot.ts';
import { KINDS } from '../../bench/load/kinds.ts';
import { loadResult, loadText } from '../../bench/load/result.ts';
import {
  everyMeasurement,
  quotations,
  readResults,
  replaceBlock,
  suiteText,
  verdictsText,
  withBlocks,
} from '../../bench/quote.ts';
import { rowName } from '../../bench/row.ts';
import { digits, timeText } from '../../bench/report.ts';
import { SUITES } from '../../bench/suites.ts';
import type { Suite } from '../../bench/suite.ts';
import { svgOf } from '../../bench/svg.ts';
import { PLANS } from '../browser/in-page/attacks/all-calls.ts';
import { resultOf, rowOfTimes } from './results.ts';

const KEY = { algorithm: 'X', size: 1000, unit: 'B' } as const;
const RESULT = resultOf([rowOfTimes('X', 1000, { ours: ['ours', 1e-6], peer: ['pure js', 3e-6] })]);

describe('bench: quoting', () => {
  it('replaces what stands between the markers, and nothing else', () => {
    const document = 'a\n<!-- x: written by npm run bench -->\nold\n<!-- end of x -->\nb\n';
    const once = replaceBlock(document, 'x', 'new $& text');
    expect(once).to.equal(
      'a\n<!-- x: written by npm run bench -->\n\nnew $& text\n\n<!-- end of x -->\nb\n',
    );
    expect(replaceBlock(once, 'x', 'new $& text')).to.equal(once);
    expect(() => replaceBlock(document, 'y', '')).to.throw('no markers of y');
  });

  it('has what the newest results say in README.md and docs/benchmarks.md', () => {
    for (const [path, blocks] of Object.entries(quotations())) {
      const document = readFileSync(path, 'utf8');
      expect(withBlocks(document, blocks) === document, `${path}: npm run bench`).to.equal(true);
    }
  });

  it('has every row of every suite on the page of the site', () => {
    const page = everyMeasurement();
    for (const { name } of SUITES) {
      for (const { platform, rows } of readResults(name)) {
        if (rows.length > 0) expect(page).to.include(`All rows, ${platform}`);
        for (const row of rows) expect(page).to.include(rowName(row));
      }
    }
    expect(page).not.to.match(/npm run site -->\n<!-- end/);
  });

  it('shows figures met and missed, the machine, versions and all times', () => {
    const suite: Suite = {
      name: 'test',
      title: 'Test',
      rows: '',
      largest: 0,
      plots: [],
      figures: [
        timesAsFast(KEY, 'ours', 'peer', { node: 2 }),
        timesAsFast(KEY, 'ours', 'peer', { node: 4 }),
      ],
    };
    const text = suiteText(suite, [RESULT], 'results');
    expect(text).to.include('- Node v20, a machine, 2026-11-21, 5 rounds; peer 1.2.3');
    expect(text).to.include('| 3.00 × (≥ 2 ×) |');
    expect(text).to.include('| **3.00 ×** (missed: ≥ 4 ×) |');
    expect(verdictsText([{ suite, results: [RESULT] }])).to.include(
      '| Node v20, 2026-11-21 | 1 | 1 of 2 | X, 1 kB: ours over peer: 3.00 × (≥ 4 ×) |',
    );
    expect(text).to.include(
      '- X, 1 kB, Node v20: ours 1.00 µs, 1,000 MB/s; peer 3.00 µs, 333 MB/s',
    );
  });

  it('gives contenders of many rows a column, and lists those of few', () => {
    const suite: Suite = {
      name: 'test',
      title: 'Test',
      rows: '',
      largest: 0,
      plots: [],
      figures: [],
    };
    const both = (algorithm: string) =>
      rowOfTimes(algorithm, 1000, { ours: ['ours', 1e-6], peer: ['pure js', 3e-6] });
    const rows = [both('A'), both('B'), both('C'), rowOfTimes('D', 1000, { odd: ['ours', 1e-6] })];
    const text = suiteText(suite, [resultOf(rows)], 'results');
    expect(text).to.include('| B, 1 kB | 1.00 µs, 1,000 MB/s | 3.00 µs, 333 MB/s |');
    expect(text).to.include('- D, 1 kB, Node v20: odd 1.00 µs, 1,000 MB/s');
  });

  it('compares each engine with the fastest peer of its kind, and marks what trails', () => {
    const rows = [
      rowOfTimes('A', 1000, {
        'Sealwright js': ['ours', 2e-6],
        'Sealwright wasm-simd': ['ours', 1e-6],
        'Sealwright wasm-simd, fresh array': ['ours', 2e-6],
        slow: ['pure js', 9e-6],
        fast: ['pure js', 1e-6],
        module: ['wasm', 3e-6],
        platform: ['native', 1e-7],
      }),
      rowOfTimes('B', 1000, { 'Sealwright js': ['ours', 1e-6], platform: ['native', 1e-7] }),
    ];
    const all = compareWithPeers([resultOf(rows)]);
    expect(all.map(({ ours, peer, ratio }) => [ours, peer, ratio])).to.deep.equal([
      ['Sealwright js', 'fast', 0.5],
      ['Sealwright wasm-simd, fresh array', 'module', 1.5],
    ]);
    expect(peersText(all)).to.include('| Node v20 | js | 1 | 0 | **0.500 ×** | **0.500 ×** |');
    // Peers that do not protect a secret exponent.
    expect(compareWithPeers([{ ...resultOf(rows), suite: 'powers' }])).to.deep.equal([]);
    expect(extremesText(all)).to.include(
      'in 2 rows, Sealwright is at worst **0.500 ×** (A, 1 kB, js over fast, Node) and at best 1.50 × (A, 1 kB, wasm-simd',
    );
  });

  it('shows under which calls the load was worst, and what took longer than is allowed', () => {
    const about = { date: '2026-11-26', machine: 'a machine', platform: 'A browser' };
    const once = { statusMs: 20, popupMs: 300, lockMs: 40.4, pending: 0 };
    const row = { title: 'one', calls: 16, origins: 1, tries: [once] };
    const slow = [101, 400, 90].map((statusMs) => ({ statusMs, popupMs: 30, pending: 1 }));
    const missed = { title: 'two', calls: 400, origins: 4, tries: slow };
    const text = loadText([loadResult(about, [missed, row])]);
    expect(text).to.include(
      '| 100 ms | **missed** 101 ms (longest of 3: 400 ms): 400 of two, of 4 origins each |',
    );
    expect(text).to.include('| 500 ms | 300 ms: 16 of one |');
    expect(text).to.include('| 500 ms | 40 ms: 16 of one |');
    expect(text).to.include(
      '- A browser: 2 kinds of call, 16 and 400 at once of 1 and 4 origins, 2 rows; above a limit: 1 (400 of two, of 4 origins each);',
    );
  });

  it('measures every method of every algorithm, the expensive ones in all combinations', () => {
    const ofSubtle = KINDS.flatMap(({ call, combinations }) =>
      call.kind === 'subtle' ? [{ ...call, combinations }] : [],
    );
    for (const plan of PLANS) {
      const own = ofSubtle.filter((kind) => kind.plan === plan);
      const methods = own.flatMap((kind) => kind.methods);
      expect(new Set(methods).size, plan.name).to.equal(methods.length);
      expect(methods.length, plan.name).to.be.at.least(1);
    }
    const rowsOf = (title: string) =>
      KINDS.find((kind) => kind.title === title)!.combinations.map(
        ({ calls, origins }) => `${calls} ${origins}`,
      );
    const all = ['1 1', '16 1', '400 1', '1 4', '16 4', '400 4'];
    for (const title of ['Argon2id: deriveBits', 'RSA-PSS: generateKey', 'SHA-256: digest']) {
      expect(rowsOf(title), title).to.deep.equal(all);
    }
    expect(rowsOf('ML-KEM-768: every method')).to.deep.equal(['400 4']);
    const rows = KINDS.flatMap(({ combinations }) => combinations);
    expect(rows.length, 'a run takes as long').to.be.within(300, 600);
  });

  it('writes times and speeds with digits that mean something', () => {
    expect([2.5, 0.0123, 4.56e-7].map(timeText)).to.deep.equal(['2.50 s', '12.3 ms', '0.456 µs']);
    expect([0.01234, 12, 345.6, 6789].map(digits)).to.deep.equal([
      '0.0123',
      '12.0',
      '346',
      '6,789',
    ]);
    expect([0.123, 1.234, 4.56, 78.9, undefined].map(short)).to.deep.equal([
      '0.12',
      '1.23',
      '4.6',
      '79',
      '',
    ]);
  });
});

describe('bench: plots', () => {
  const chart = {
    title: 'A title',
    unit: 'MB/s',
    categories: ['one', 'two'],
    series: [{ name: 'ours', colour: '#0f6e84', values: [120, undefined] }],
  };

  it('draws bars with their numbers, and leaves out what was not measured', () => {
    const svg = svgOf(bars(chart, RESULT));
    expect(svg).to.match(/^<svg/).and.include('A title').and.include('>120<');
    expect(svg).not.to.include('NaN');
  });

  it('draws lines with their names at their ends, on a logarithmic axis too', () => {
    const svg = svgOf(lines({ ...chart, logarithmic: true }, RESULT));
    expect(svg).to.include('ours').and.include('Node v20');
    expect(svg).not.to.include('NaN');
  });

  it('draws every plot of every suite from a run that measured nothing', () => {
    for (const { plots } of SUITES) {
      for (const { draw } of plots) {
        const drawing = draw(resultOf([]));
        expect(drawing === undefined || svgOf(drawing).startsWith('<svg')).to.equal(true);
      }
    }
  });
});
