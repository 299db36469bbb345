import { expect } from 'chai';
import * as dictionaries from '../../../../extension/page/subtle/dictionaries.ts';
import { ALGORITHM_MEMBERS } from '../../../../src/rpc/methods/subtle-values.ts';
import { DEFINITIONS } from '../../../../src/subtle/algorithms/table.ts';
import { normalize } from '../../../../src/subtle/normalize.ts';
import type { Operation } from '../../../../src/subtle/algorithms/definition.ts';

const { ALGORITHMS } = dictionaries;

/** What is not an operation with parameters of its own: the library's streaming hashes have those of `digest`. */
const NOT_OF_PAGES = ['name', 'instead', 'exportKey', 'getPublicKey', 'createHash'];

/** The loader's function, which has no types. */
const LOADER: string = '../../../../scripts/evaluated.mjs';
const { sourceOf } = (await import(LOADER)) as {
  readonly sourceOf: (values: object) => string;
};

describe('The dictionaries of the page', () => {
  it('have the algorithms of src/subtle, and each one’s operations', () => {
    const theirs = DEFINITIONS.map((definition) => {
      const operations = Object.keys(definition);
      return [definition.name, operations.filter((one) => !NOT_OF_PAGES.includes(one)).sort()];
    });
    const ours = Object.entries(ALGORITHMS).map(([name, { operations }]) => {
      return [name, Object.keys(operations).sort()];
    });
    expect(Object.fromEntries(ours)).to.deep.equal(Object.fromEntries(theirs));
  });

  it('refuse what src/subtle refuses', () => {
    const refused = Object.entries(ALGORITHMS).flatMap(([name, { operations }]) =>
      Object.entries(operations).flatMap(([operation, members]) =>
        members
          .filter(({ type }) => type === 'refused')
          .map((member) => ({ name, operation: operation as Operation, member: member.name })),
      ),
    );
    expect(new Set(refused.map(({ name, member }) => `${name} ${member}`))).to.deep.equal(
      new Set(['AES-SIV iv', 'Argon2d salt', 'Argon2i salt', 'Argon2id salt']),
    );
    for (const { name, operation, member } of refused) {
      const reading = () => normalize(operation, { name, [member]: Uint8Array.of(1) });
      expect(reading).to.throw(TypeError, new RegExp(`^${name} has no ${member}: \\w`));
    }
  });

  it('have no member that cannot travel', () => {
    const all = Object.values(ALGORITHMS).flatMap(({ operations }) =>
      Object.values(operations).flat(),
    );
    for (const { name } of all) expect(ALGORITHM_MEMBERS).to.include(name);
  });

  it('ask for the flag of raw building blocks in each operation, and nowhere else', () => {
    const flagged = Object.entries(ALGORITHMS).filter(([, { operations }]) =>
      Object.values(operations).every((members) => members.some(({ type }) => type === 'flag')),
    );
    expect(flagged.map(([name]) => name)).to.have.members(['AES-ECB', 'AES-CBC-MAC', 'Salsa20']);
  });

  it('are the same as values, which a build puts in their place', async () => {
    const source = sourceOf(dictionaries);
    const built: unknown = await import(`data:text/javascript,${encodeURIComponent(source)}`);
    expect({ ...(built as object) }).to.deep.equal({ ...dictionaries });
    // What occurs several times is written once.
    expect(source.match(/functionName/g)).to.have.length(1);
  });
});
