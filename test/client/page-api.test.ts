import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Sealwright as Contract } from '../../src/client/page-api.ts';
import { Sealwright } from '../../extension/page/api/api.ts';

const PUBLISHED = process.env['SEALWRIGHT_CONTRACT'] ?? '../shared/contract/page-api.d.ts';

/** The extension's page methods. */
type Methods = Omit<Contract, keyof EventTarget | 'sync' | 'subtle' | 'verify'>;
const conforms = (provider: Sealwright): Methods => provider;

describe('the types of the contract', () => {
  it(`equal the published text (${PUBLISHED})`, function () {
    if (!existsSync(PUBLISHED)) this.skip();
    const types = readFileSync('src/client/page-api.ts', 'utf8');
    expect(words(types)).to.equal(words(readFileSync(PUBLISHED, 'utf8')));
  });

  it('are implemented by the extension (checked by the compiler)', () => {
    expect(conforms).to.be.a('function');
    const promised = readFileSync('src/client/page-api.ts', 'utf8').match(
      /interface Sealwright extends[^]*?\n\}/,
    )![0];
    const names = [...promised.matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm)].map(
      (match) => match[1]!,
    );
    expect(names).to.have.length.above(25);
    for (const name of names.filter((one) => one !== 'info')) {
      expect(name in Sealwright.prototype, name).to.equal(true);
    }
  });
});

/** Removes differences of formatting. */
function words(text: string): string {
  return text
    .replace(/[\s;,|]+/g, ' ')
    .replace(/ ?([<>{}()[\]]) ?/g, '$1')
    .trim();
}
