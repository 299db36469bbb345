/** The tests of every implementation of scrypt. */
import { scryptSync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { toHex, utf8 } from '../../../src/crypto/bytes.ts';
import type { ScryptCost } from '../../../src/crypto/kdf/scrypt.ts';
import { describeSample } from '../../support/depth.ts';
import { hex, parseFields, parseRsp, sjclVectors } from '../../support/vectors.ts';
import type { Fields } from '../../support/vectors.ts';

type Arguments = readonly [
  password: Uint8Array,
  salt: Uint8Array,
  cost: ScryptCost,
  lengthBytes: number,
];

export interface ScryptLike {
  derive(...args: Arguments): Uint8Array;
  steps(...args: Arguments): Generator<number, Uint8Array, void>;
}

const SALT = utf8('salt');

function reference(...[password, salt, cost, lengthBytes]: Arguments): string {
  return scryptSync(password, salt, lengthBytes, { ...cost, maxmem: 2 ** 28 }).toString('hex');
}

/** @param load called once before the tests */
export function describeScryptFunction(
  name: string,
  load: () => ScryptLike | Promise<ScryptLike>,
): void {
  describe(name, () => {
    let scrypt: ScryptLike;
    before(async () => {
      scrypt = await load();
    });

    describeSample(
      'cryptography_vectors/KDF/scrypt.txt',
      parseAffordable,
      (vector) => {
        const number = (field: string): number => Number(vector[field]);
        const cost = { N: number('n'), r: number('r'), p: number('p') };
        const [password, salt] = [utf8(vector['password']!), utf8(vector['salt']!)];
        const key = scrypt.derive(password, salt, cost, number('length'));
        expect(toHex(key)).to.equal(vector['derived_key']);
      },
      3,
    );

    describeSample(
      'vectors/libraries/boringssl-scrypt.txt',
      (text) => parseFields(text, 'password'),
      (vector) => {
        const [password, salt] = ['password', 'salt'].map((field) =>
          utf8(JSON.parse(vector[field]!) as string),
        );
        const cost = { N: Number(vector['n']), r: Number(vector['r']), p: Number(vector['p']) };
        const expected = hex(vector, 'key');
        expect(scrypt.derive(password!, salt!, cost, expected.length)).to.deep.equal(expected);
      },
      3,
    );

    describeSample(
      'sjcl/scrypt_vectors.js',
      parseSjclScrypt,
      (vector) => {
        const { password, salt, N, r, p, dkLen, expected } = vector;
        const key = scrypt.derive(utf8(password), utf8(salt), { N, r, p }, dkLen);
        expect(toHex(key)).to.equal(expected);
      },
      6,
    );

    it('agrees with OpenSSL', () => {
      const data = fc.uint8Array({ maxLength: 100 });
      const cost = fc.record({
        N: fc.constantFrom(2, 4, 16, 128),
        r: fc.integer({ min: 1, max: 9 }),
        p: fc.integer({ min: 1, max: 3 }),
      });
      fc.assert(
        fc.property(data, data, cost, fc.integer({ min: 1, max: 150 }), (password, salt, c, n) => {
          expect(toHex(scrypt.derive(password, salt, c, n))).to.equal(
            reference(password, salt, c, n),
          );
        }),
        { numRuns: 40 },
      );
    });

    it('gives one key on both sides of a progress step, also if it does not divide N', () => {
      for (const cost of [
        { N: 8192, r: 1, p: 2 },
        { N: 4096, r: 5, p: 1 },
        { N: 16384, r: 3, p: 1 },
      ]) {
        const key = scrypt.derive(SALT, SALT, cost, 40);
        expect(toHex(key)).to.equal(reference(SALT, SALT, cost, 40));
      }
    });

    it('reports progress from 0 to 1', () => {
      const steps = scrypt.steps(SALT, SALT, { N: 16384, r: 4, p: 2 }, 32);
      const shares: number[] = [];
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) shares.push(step.value);
      expect(shares.length).to.be.at.least(8);
      expect(shares).to.deep.equal([...shares].sort((a, b) => a - b));
      expect(shares.at(-1)).to.equal(1);
    });

    it('can be stopped half-way', () => {
      const steps = scrypt.steps(SALT, SALT, { N: 65536, r: 8, p: 1 }, 32);
      expect(steps.next().done).to.equal(false);
      steps.return(new Uint8Array(0));
      expect(steps.next()).to.deep.equal({ done: true, value: undefined });
    });

    it('runs two derivations alternately', () => {
      const costs = [
        { N: 8192, r: 4, p: 1 },
        { N: 4096, r: 8, p: 2 },
      ];
      const open = new Map(costs.map((cost) => [scrypt.steps(SALT, SALT, cost, 32), cost]));
      while (open.size > 0) {
        for (const [steps, cost] of open) {
          const step = steps.next();
          if (step.done !== true) continue;
          expect(toHex(step.value)).to.equal(reference(SALT, SALT, cost, 32));
          open.delete(steps);
        }
      }
    });

    it('refuses invalid arguments at once', () => {
      const ask = (cost: unknown, lengthBytes: unknown = 32, password: unknown = SALT) => {
        const args = [password, SALT, cost, lengthBytes] as unknown as Arguments;
        return () => scrypt.steps(...args);
      };
      const good = { N: 16, r: 1, p: 1 };
      for (const N of [0, 1, 2 ** 16, 2 ** 32]) {
        expect(ask({ ...good, N }), `N = ${N}`).to.throw(RangeError, 'N must be');
      }
      expect(ask({ ...good, N: 48 })).to.throw(RangeError, 'power of two');
      expect(ask({ ...good, r: 0 })).to.throw(RangeError, 'r must be');
      expect(ask({ N: 16, r: 2 ** 15, p: 2 ** 15 })).to.throw(RangeError, 'p must be');
      expect(ask({ ...good, N: 1.5 })).to.throw(TypeError, 'N must be');
      expect(ask(good, 0)).to.throw(RangeError, 'lengthBytes');
      expect(ask(good, 32, 'password')).to.throw(TypeError, 'password');
    });
  });
}

/** RFC 7914 has a vector of a gigabyte, which adds nothing to the others. */
function parseAffordable(text: string): Fields[] {
  return parseRsp(text).filter((vector) => Number(vector['n']) <= 2 ** 14);
}

interface SjclScrypt extends ScryptCost {
  readonly password: string;
  readonly salt: string;
  readonly dkLen: number;
  readonly expected: string;
}

function parseSjclScrypt(text: string): SjclScrypt[] {
  return sjclVectors(text) as SjclScrypt[];
}
