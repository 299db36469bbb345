import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { BatchResult, Sealwright as Contract } from '../../src/client/page-api.ts';
import type { OwnBytes } from '../../src/client/page-types.ts';
import { Sealwright } from '../../extension/page/api/api.ts';
import { ALGORITHMS, NAMED_KEY } from '../../extension/page/subtle/dictionaries.ts';

const PUBLISHED = process.env['SEALWRIGHT_CONTRACT'] ?? '../shared/contract/page-api.d.ts';

/** The results as they are published: what arrives in messages has buffers of its own, which its type does not say. */
type Published<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Wide<R> : T[K];
};
type Wide<T> =
  T extends Promise<infer R>
    ? Promise<Wide<R>>
    : T extends OwnBytes
      ? Uint8Array
      : T extends TransformStream<infer I, OwnBytes>
        ? TransformStream<I, Uint8Array>
        : T extends BatchResult<OwnBytes>[]
          ? BatchResult<Uint8Array>[]
          : T;

/** The extension's page methods. */
type Methods = Published<Omit<Contract, keyof EventTarget | 'sync' | 'subtle' | 'verify'>>;
const conforms = (provider: Sealwright): Methods => provider;

describe('the types of the contract', () => {
  it(`equal the published text, but for narrower results (${PUBLISHED})`, function () {
    if (!existsSync(PUBLISHED)) this.skip();
    expect(words(published(readFileSync('src/client/page-api.ts', 'utf8')))).to.equal(
      words(readFileSync(PUBLISHED, 'utf8')),
    );
  });

  it('have every parameter of subtle', () => {
    const types = readFileSync('src/client/page-types.ts', 'utf8');
    const body = /interface SealwrightAlgorithm \{([^]*?)\n\}/.exec(types)![1]!;
    const names = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map((match) => match[1]!);
    const members = [...Object.values(ALGORITHMS).flatMap((each) => Object.values(each)), NAMED_KEY]
      .flat()
      .map(({ name }) => name);
    expect(names).to.have.members(['name', ...new Set(members)]);
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

/**
 * Results are narrower than published: bytes with a buffer of their own, and more of `subtle`. Keys for tokens came
 * after the publication.
 */
function published(types: string): string {
  return types
    .replaceAll(/^ *\| '(sign|open)Token'.*$/gm, '')
    .replaceAll(/ \| 'jose'/g, '')
    .replace(/^import .*$/m, '')
    .replaceAll('OwnBytes', 'Uint8Array')
    .replaceAll('SealwrightSubtle', 'SubtleCrypto');
}

/** Removes differences of formatting. */
function words(text: string): string {
  return text
    .replace(/[\s;,|]+/g, ' ')
    .replace(/ ?([<>{}()[\]]) ?/g, '$1')
    .trim();
}
