import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

/* docs/users-answers.md promises that tests hold what it says: they have to exist under these names. */
const PAGE = readFileSync('docs/users-answers.md', 'utf8');
const NAMED = /(test\/[\w./-]+\.test\.ts): "([^"]+)"/g;

describe('what answers users’ complaints', () => {
  const named = Array.from(PAGE.matchAll(NAMED), ([, file, title]) => ({ file, title }));

  it('is held by tests that exist', () => {
    const missing = named.filter(
      ({ file, title }) => !existsSync(file!) || !readFileSync(file!, 'utf8').includes(title!),
    );
    expect(missing).to.deep.equal([]);
  });

  it('names a test in every row', () => {
    const rows = PAGE.split('\n').filter((line) => /^\| \d+ \|/.test(line));
    expect(rows.length).to.be.greaterThan(15);
    expect(rows.filter((row) => row.match(NAMED) === null)).to.deep.equal([]);
  });
});
