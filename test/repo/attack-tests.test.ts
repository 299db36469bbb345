import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { IN_CHROMIUM } from '../../scripts/test-parts.mjs';

/* SECURITY.md has a row for each attack test and fault of the threat model, and names the tests of each. */
const PAGE = readFileSync('SECURITY.md', 'utf8');
const ROW = /^\| ([TR]\d+) \|.*$/gm;
/** A file with words of the titles of its tests: `test/a.test.ts: "one", "another"`. */
const NAMED = /(test\/[\w./-]+\.test\.ts): ((?:"[^"]+"(?:, )?)+)/g;
const NOT_YET = 'not tested yet: ';

const numbered = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${letter}${i + 1}`);

describe('the attacks and faults in SECURITY.md', () => {
  const rows = Array.from(PAGE.matchAll(ROW), ([text, id]) => ({ text, id }));
  const namesOf = (text: string) =>
    Array.from(text.matchAll(NAMED), ([, file, titles]) =>
      Array.from(titles!.matchAll(/"([^"]+)"/g), ([, title]) => ({ file: file!, title: title! })),
    ).flat();

  it('have a row each, in order', () => {
    expect(rows.map(({ id }) => id)).to.deep.equal([...numbered('T', 20), ...numbered('R', 13)]);
  });

  it('name a test, or say why one is missing', () => {
    const without = rows.filter(({ text }) => namesOf(text).length === 0);
    expect(without.filter(({ text }) => !text.includes(NOT_YET))).to.deep.equal([]);
    expect(PAGE).to.include(`Rows without a test: ${without.length} of ${rows.length}.`);
  });

  it('name no test that `npm test` runs in one browser alone', () => {
    const files = rows.flatMap(({ text }) => namesOf(text)).map(({ file }) => file);
    expect(IN_CHROMIUM.filter((file) => files.includes(file))).to.deep.equal([]);
    expect(IN_CHROMIUM.filter((file) => !existsSync(file))).to.deep.equal([]);
  });

  it('name tests that exist', () => {
    const missing = rows
      .flatMap(({ text }) => namesOf(text))
      .filter(
        ({ file, title }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(title),
      );
    expect(missing).to.deep.equal([]);
  });
});
