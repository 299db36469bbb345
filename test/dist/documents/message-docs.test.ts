import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';

/*
 * The examples of these pages are whole programs: each runs in Node over the built library, which it imports
 * by the names of package.json.
 */
const PAGES: Readonly<Record<string, number>> = { 'docs/messages.md': 4, 'docs/sync.md': 1 };

for (const [page, atLeast] of Object.entries(PAGES)) {
  describe(page, () => {
    const examples = [...readFileSync(page, 'utf8').matchAll(/```js\n([^]*?)```/g)];

    it('has examples', () => {
      expect(examples).to.have.length.of.at.least(atLeast);
    });

    for (const [at, [, example]] of examples.entries()) {
      const subpaths = [...example!.matchAll(/from '(sealwright[^']*)'/g)].map(([, name]) => name!);
      it(`runs its example ${at + 1}, of ${subpaths.join(' and ')}`, () => {
        const words = ['--input-type=module', '--eval', example!];
        expect(execFileSync(process.execPath, words, { encoding: 'utf8' })).to.equal('');
      }).timeout(30_000);
    }
  });
}
