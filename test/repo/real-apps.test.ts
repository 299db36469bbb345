import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { APPLICATIONS } from '../real-apps/applications.ts';
import { PROGRAMS } from '../real-apps/markup/programs.ts';
import {
  applicationsTable,
  isFoundOften,
  markupTable,
  withTable,
  type MarkupRow,
  type Row,
} from '../real-apps/table.ts';

const ROW = {
  application: 'A wiki',
  version: '1.2',
  field: 'page',
  way: 'marked',
  date: '2026-11-29',
  browsers: { chromium: { done: ['write', 'save'], problem: null } },
} satisfies Row;

describe('the table of real applications', () => {
  it('says of each field what was done in which browser, and what was not', () => {
    const browsers = {
      ...ROW.browsers,
      firefox: { done: ['write'], problem: 'save: no sealed text' },
    };
    const rows = applicationsTable([ROW, { ...ROW, browsers }]).split('\n');
    expect(rows.slice(-2)).to.deep.equal([
      '| A wiki 1.2 | page | always sealed | write, save | not tried | 2026-11-29 |',
      '| A wiki 1.2 | page | always sealed | write, save | write; then not | 2026-11-29 |',
    ]);
  });

  it('in docs/fields.md is that of the last run, which tried every field of the list', () => {
    const text = readFileSync('docs/fields.md', 'utf8');
    const results = readFileSync('bench/results/realapps.json', 'utf8');
    const { rows } = JSON.parse(results) as { rows: Row[] };
    expect(withTable(text, 'realapps', applicationsTable(rows))).to.equal(text);
    const listed = APPLICATIONS.flatMap(({ title, fields }) =>
      fields.map((field) => `${title}: ${field.title}`),
    );
    expect(rows.map(({ application, field }) => `${application}: ${field}`)).to.deep.equal(listed);
  });
});

describe('the table of markup and mail', () => {
  const text = readFileSync('docs/fields.md', 'utf8');
  const { rows } = JSON.parse(readFileSync('bench/results/markup.json', 'utf8')) as {
    rows: MarkupRow[];
  };

  it('in docs/fields.md is that of the last run, which tried every program of the list', () => {
    expect(withTable(text, 'markup', markupTable(rows))).to.equal(text);
    expect(rows.map(({ program }) => program)).to.deep.equal(PROGRAMS.map(({ title }) => title));
  });

  it('has no program in which too many texts are lost', () => {
    const lost = rows.filter((row, index) => !isFoundOften(row, PROGRAMS[index]?.leastOfOld));
    expect(lost).to.deep.equal([]);
  });
});
