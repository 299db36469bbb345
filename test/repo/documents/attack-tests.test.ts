import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { attackProblems, attackRows } from '../../../scripts/release.mjs';
import { IN_CHROMIUM } from '../../../scripts/test-parts.mjs';

/* docs/threats.md has a row for each attack test and fault of the threat model, and names the tests of each. */
const PAGE = readFileSync('docs/threats.md', 'utf8');
const FINDINGS = readFileSync('docs/design/findings.md', 'utf8');
const [FIRST] = attackRows(PAGE);
const ROW = new RegExp(`^\\| ${FIRST!.id} \\|.*\\n`, 'm');

describe('the attacks and faults in docs/threats.md', () => {
  it('have a row each, in order, which names tests that exist, or says why one is missing', () => {
    expect(attackProblems(PAGE)).to.deep.equal([]);
  });

  it('are missed where a row, its test, or the file of its test is', () => {
    const { id, tests } = FIRST!;
    for (const [page, problem] of [
      [PAGE.replace(ROW, ''), 'the rows are T2'],
      [PAGE.replace(ROW, `| ${id} | an attack |\n`), `${id} names no test`],
      [
        PAGE.replace(ROW, (row) => row.replace(tests[0]!.title, 'does what no test does')),
        'does not exist',
      ],
      [PAGE.replace('Rows without a test:', 'Rows:'), 'it does not say'],
    ] as const) {
      expect(attackProblems(page).join('\n')).to.include(problem);
    }
  });

  it('name no test that `npm run test:all` runs in one browser alone', () => {
    const files = attackRows(PAGE).flatMap(({ tests }) => tests.map(({ file }) => file));
    expect(files).to.have.length.of.at.least(33);
    expect(IN_CHROMIUM.filter((file) => files.includes(file))).to.deep.equal([]);
    expect(IN_CHROMIUM.filter((file) => !existsSync(file))).to.deep.equal([]);
  });
});

describe('the findings in docs/design/findings.md', () => {
  it('have a row each, in order, which names tests that exist, or says why one is missing', () => {
    const counts = new Map([
      ['A', 22],
      ['B', 11],
    ]);
    expect(attackProblems(FINDINGS, counts)).to.deep.equal([]);
  });
});
