import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { CONSUMERS, problemsOf } from '../consumers/consumers.ts';
import { consumersTable, withTable, type ConsumerResult } from '../consumers/table.ts';

const RIGHT = { engines: { subtle: 'wasm-simd' }, wrong: [] };
const MISSING = {
  engines: { subtle: 'js' },
  wrong: [],
  reason: 'https://a/aes.wasm: 404: copy it',
};

describe('what is found in a toolchain', () => {
  it('is right with the wasm engine', () => {
    expect(problemsOf({ page: RIGHT })).to.deep.equal([]);
  });

  it('is wrong with another answer, another engine, or nothing at all', () => {
    expect(problemsOf({ page: { ...RIGHT, wrong: ['modExp: 7'] } })).to.deep.equal([
      'page: modExp: 7',
    ]);
    expect(problemsOf({ page: MISSING })).to.deep.equal([
      `page: subtle runs in js: ${MISSING.reason}`,
    ]);
    expect(problemsOf({})).to.have.length(1);
  });

  it('is named in the table with its engines, and the reason where one is not wasm-simd', () => {
    const row = (places: ConsumerResult['places']) =>
      consumersTable([{ title: 'A', places, problems: [] }])
        .split('\n')
        .at(-1);
    expect(row({ page: RIGHT })).to.equal('| A | page | wasm-simd | right |');
    expect(row({ page: MISSING })).to.equal('| A | page | js (404) | right |');
  });
});

describe('the table of toolchains in docs/bundlers.md', () => {
  it('is that of the last run, which found every toolchain right', () => {
    const text = readFileSync('bench/results/consumers.json', 'utf8');
    const { consumers } = JSON.parse(text) as { consumers: ConsumerResult[] };
    expect(consumers.map(({ title }) => title)).to.deep.equal(CONSUMERS.map(({ title }) => title));
    expect(consumers.flatMap(({ problems }) => problems)).to.deep.equal([]);
    const document = readFileSync('docs/bundlers.md', 'utf8');
    expect(withTable(document, consumersTable(consumers))).to.equal(document);
  });
});
