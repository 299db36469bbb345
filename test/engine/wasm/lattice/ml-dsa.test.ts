import { ml_dsa44, ml_dsa65, ml_dsa87 } from '@noble/post-quantum/ml-dsa.js';
import { expect } from 'chai';
import { toHex } from '../../../../src/crypto/bytes.ts';
import { SIGNATURES } from '../../../../src/crypto/post-quantum.ts';
import { ModuleText } from '../../../../src/engine/wasm/generator/dsl/module.ts';
import { codingFunctions } from '../../../../src/engine/wasm/generator/lattice/ml-dsa-coding.ts';
import { bytesOfWords, Q } from '../../../../src/engine/wasm/generator/lattice/ml-dsa-field.ts';
import {
  BUFFER_BYTES,
  SECRETS,
} from '../../../../src/engine/wasm/generator/lattice/ml-dsa-layout.ts';
import { loadMlDsa } from '../../../../src/engine/wasm/lattice/ml-dsa.ts';
import type { SyncSignature } from '../../../../src/engine/wasm/lattice/ml-dsa.ts';
import { IS_NIGHTLY } from '../../../support/nightly.ts';
import { randomBytes } from '../../../support/random-bytes.ts';
import { assembleCached, loadWasm } from '../../../support/wasm.ts';

const NOBLE = { 'ML-DSA-44': ml_dsa44, 'ML-DSA-65': ml_dsa65, 'ML-DSA-87': ml_dsa87 } as const;
const NAMES = Object.keys(NOBLE) as (keyof typeof NOBLE)[];
const CASES = IS_NIGHTLY ? 1_000 : 8;
/** Before M in what is hashed: tr, 0, and the length of the context. */
const HEAD_BYTES = 66;

for (const name of NAMES) {
  describe(`${name} in WebAssembly`, () => {
    const { challengeBytes, omega, k } = {
      'ML-DSA-44': { challengeBytes: 32, omega: 80, k: 4 },
      'ML-DSA-65': { challengeBytes: 48, omega: 55, k: 6 },
      'ML-DSA-87': { challengeBytes: 64, omega: 75, k: 8 },
    }[name];
    const noble = NOBLE[name];
    const none = new Uint8Array(0);
    const seed = randomBytes(32);
    let dsa: SyncSignature;
    let publicKey: Uint8Array;
    before(async () => {
      dsa = (await loadMlDsa(loadWasm)).sets[name];
      publicKey = dsa.publicKey(seed);
    });

    it(`does what @noble/post-quantum does, in ${CASES} random cases`, () => {
      for (let i = 0; i < CASES; i++) {
        const [xi, randomness] = [
          randomBytes(32),
          i % 4 === 0 ? new Uint8Array(32) : randomBytes(32),
        ];
        const [message, context] = [randomBytes(i * 97), randomBytes((i * 51) % 256)];
        const label = `seed ${toHex(xi)}, rnd ${toHex(randomness)}, case ${i}`;
        const pair = noble.keygen(xi);
        expect(dsa.keyPair(xi), label).to.deep.equal({ privateKey: xi, publicKey: pair.publicKey });
        const options = { context, extraEntropy: randomness };
        const signature = noble.sign(message, pair.secretKey, options);
        expect(dsa.sign(xi, message, context, randomness), label).to.deep.equal(signature);
        expect(dsa.verify(pair.publicKey, message, context, signature), label).to.equal(true);
        signature[(i * 677) % signature.length]! ^= 1 << (i % 8);
        expect(dsa.verify(pair.publicKey, message, context, signature), label).to.equal(false);
      }
    }).timeout(240_000);

    it('hashes messages and contexts of all lengths around blocks and the buffer', () => {
      const { secretKey } = noble.keygen(seed);
      const edge = BUFFER_BYTES - HEAD_BYTES;
      const lengths = [
        0,
        1,
        68,
        69,
        70,
        71,
        205,
        206,
        207,
        edge - 1,
        edge,
        edge + 1,
        2 * BUFFER_BYTES + edge,
      ];
      for (const length of lengths) {
        for (const contextBytes of [0, 255]) {
          const [message, context] = [randomBytes(length), randomBytes(contextBytes)];
          const signature = noble.sign(message, secretKey, { context });
          expect(dsa.verify(publicKey, message, context, signature), `${length} bytes`).to.equal(
            true,
          );
          if (length > 0) message[length - 1]! ^= 1;
          else context.fill(1);
          const isSame = length === 0 && contextBytes === 0;
          expect(dsa.verify(publicKey, message, context, signature)).to.equal(isSame);
        }
      }
    });

    it('refuses hints that are not in order, too many, or not zero after their end', () => {
      const message = randomBytes(10);
      const signature = dsa.sign(seed, message, none, randomBytes(32));
      const at = SIGNATURES[name].signatureBytes - omega - k;
      const changed = (change: (hints: Uint8Array) => void): boolean => {
        const copy = signature.slice();
        change(copy.subarray(at));
        return dsa.verify(publicKey, message, none, copy);
      };
      const ends = signature.subarray(at + omega);
      const row = ends.findIndex((end, i) => end - (i > 0 ? ends[i - 1]! : 0) >= 2);
      const first = row > 0 ? ends[row - 1]! : 0;
      expect(row, 'a row with two hints').to.be.at.least(0);
      expect({
        unchanged: changed(() => undefined),
        'out of order': changed((hints) => hints.subarray(first, first + 2).reverse()),
        twice: changed((hints) => hints.copyWithin(first + 1, first, first + 1)),
        'a count below the one before': changed((hints) => (hints[omega + k - 1] = 0)),
        'a count above ω': changed((hints) => (hints[omega + k - 1] = omega + 1)),
        'a count of 255 in the first row': changed((hints) => (hints[omega] = 255)),
        'not zero after the last': changed((hints) => (hints[omega - 1]! += 1)),
        // The bound of z: γ₁ − β and more
        'z too large': (() => {
          const copy = signature.slice();
          copy.fill(0, challengeBytes, challengeBytes + 3);
          return dsa.verify(publicKey, message, none, copy);
        })(),
      }).to.deep.equal({
        unchanged: true,
        'out of order': false,
        twice: false,
        'a count below the one before': false,
        'a count above ω': false,
        'a count of 255 in the first row': false,
        'not zero after the last': false,
        'z too large': false,
      });
    });
  });
}

it('ML-DSA: nothing of a key or message stays in the module', async () => {
  const { sets: all, memory } = await loadMlDsa(loadWasm);
  const isClear = () => memory.subarray(SECRETS).every((byte) => byte === 0);
  for (const name of NAMES) {
    const seed = randomBytes(32);
    const { publicKey } = all[name].keyPair(seed);
    expect(isClear()).to.equal(true);
    const message = randomBytes(40_000);
    const signature = all[name].sign(seed, message, randomBytes(255), randomBytes(32));
    expect(isClear()).to.equal(true);
    all[name].verify(publicKey, message, randomBytes(255), signature);
    expect(isClear()).to.equal(true);
  }
});

/** FIPS 204, algorithm 36, with integers: r₁ and r₀. */
function decompose(r: number, gamma2: number): readonly [number, number] {
  const rest = r % (2 * gamma2);
  const low = rest > gamma2 ? rest - 2 * gamma2 : rest;
  return r - low === Q - 1 ? [0, low - 1] : [(r - low) / (2 * gamma2), low];
}

describe('ML-DSA: decomposition', () => {
  for (const divisor of [88, 32]) {
    it(`with γ₂ = (q − 1) / ${divisor} is right for ${IS_NIGHTLY ? 'all numbers' : 'all around each border'}`, async () => {
      const text = new ModuleText(65_536);
      codingFunctions(text);
      const [AT, HIGH, LOW] = [0, 1_024, 2_048];
      text.func('run', {}, (body) => body.call(`decompose${divisor}`, AT, HIGH, LOW));
      const bytes = await assembleCached(`ml-dsa-decompose-${divisor}`, text.toString());
      const { instance } = await WebAssembly.instantiate(bytes);
      const { run, memory } = instance.exports as { run: () => void; memory: WebAssembly.Memory };
      const view = new Int32Array(memory.buffer);
      const gamma2 = (Q - 1) / divisor;
      const firsts = IS_NIGHTLY
        ? Array.from({ length: Math.ceil(Q / 256) }, (_, i) => 256 * i)
        : Array.from({ length: divisor + 1 }, (_, i) => Math.max(0, i * gamma2 - 128));
      for (const first of firsts) {
        const words = Array.from({ length: 256 }, (_, i) => Math.min(first + i, Q - 1));
        new Uint8Array(memory.buffer).set(bytesOfWords(words), AT);
        run();
        const wrong = words.find((word, i) => {
          const [high, low] = decompose(word, gamma2);
          return view[HIGH / 4 + i] !== high || view[LOW / 4 + i] !== low;
        });
        expect(wrong).to.equal(undefined);
      }
    }).timeout(60_000);
  }
});
