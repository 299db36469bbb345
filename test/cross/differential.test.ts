/** A sample of `npm run differential`, and faults that it must detect. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { ALGORITHMS } from '../../src/crypto/subtle/table.ts';
import type { Subtle } from '../../src/library/subtle.ts';
import { loadWasm } from '../support/wasm.ts';
import { caseOf, pairKeys, platformDifferences, runCases, subtlesOf } from './differential.ts';

const subtles = await subtlesOf(loadWasm);
const keys = await pairKeys(subtles.auto);

describe('random calls of subtle, right and wrong', function () {
  this.timeout(120_000);
  const seed = randomBytes(4).toString('hex');

  it('give the same bytes, or the same error, under every engine', async () => {
    const { differences } = await runCases({ seed, from: 0, to: 1500 }, keys, subtles);
    expect(differences, `npm run differential -- --seed ${seed}`).to.deep.equal([]);
  });

  it('are the same for the same seed, and of every algorithm', () => {
    const titles = (text: string) =>
      Array.from({ length: 6000 }, (_, i) => caseOf(text, i, keys).title);
    const all = titles('a');
    expect(all.slice(0, 100)).to.deep.equal(titles('a').slice(0, 100));
    expect(all.slice(0, 100)).to.not.deep.equal(titles('b').slice(0, 100));
    const text = all.join('\n').toLowerCase();
    const missing = Object.keys(ALGORITHMS).filter((name) => !text.includes(name.toLowerCase()));
    // One set of each of these: their keys differ by lengths alone.
    expect(missing.filter((name) => !/^(?:ML-|MLKEM|SLH-)/.test(name))).to.deep.equal([]);
  });

  const FAULTS: Record<string, Partial<Subtle>> = {
    'other bytes': {
      digest: async (algorithm, data) => {
        const digest = await subtles.js!.digest(algorithm, data);
        new Uint8Array(digest)[0]! ^= 1;
        return digest;
      },
    },
    'another error': {
      importKey: (async (...args: Parameters<Subtle['importKey']>) => {
        try {
          return await subtles.js!.importKey(...args);
        } catch {
          throw new RangeError('wrong');
        }
      }) as Subtle['importKey'],
    },
    'no error': {
      decrypt: (() => Promise.resolve(new ArrayBuffer(0))) as unknown as Subtle['decrypt'],
    },
  };
  for (const [title, fault] of Object.entries(FAULTS)) {
    it(`show an engine that gives ${title}`, async () => {
      const faulty = new Proxy(subtles.js!, {
        get: (js, name: keyof Subtle) => fault[name] ?? js[name].bind(js),
      });
      const run = { seed: 'faults', from: 0, to: 300 };
      const { differences } = await runCases(run, keys, { auto: subtles.auto, js: faulty });
      expect(differences).to.not.be.empty;
    });
  }

  it('show a platform that gives another outcome, and none that lacks an algorithm', () => {
    const run = { seed: 'a', from: 5, to: 7 };
    const given = ['key → 3:aa', 'DataError'];
    const beside = (others: string[]) =>
      platformDifferences(run, keys, { one: given, two: others });
    expect(beside(given)).to.deep.equal([]);
    expect(beside(['key → NotSupportedError', 'DataError'])).to.deep.equal([]);
    expect(beside(['key → 3:ab', 'DataError'])[0]!.title).to.contain('case 5');
    expect(beside(['key → 3:aa', 'OperationError'])[0]!.title).to.contain('case 6');
  });
});
