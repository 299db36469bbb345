import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { concat, toHex } from '../../../src/crypto/bytes.ts';
import { ML_KEMS } from '../../../src/crypto/lattice/ml-kem.ts';
import { decode, encode, encodedBytes } from '../../../src/crypto/lattice/ml-kem-coding.ts';
import {
  COEFFICIENTS,
  dot,
  inverseNtt,
  newPolynomial,
  ntt,
  Q,
  reduced,
  type Polynomial,
} from '../../../src/crypto/lattice/ml-kem-ntt.ts';
import { sampleNoise, sampleNtt } from '../../../src/crypto/lattice/ml-kem-sampling.ts';
import { KEMS } from '../../../src/crypto/post-quantum.ts';
import { loadMlKem } from '../../../src/engine/wasm/lattice/ml-kem.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { loadWasm } from '../../support/wasm.ts';
import { compressed, decompressed, describeMlKem, ML_KEM_NAMES } from './ml-kem-suite.ts';

describeMlKem('src/crypto', () => Promise.resolve(ML_KEMS));

const shake = (bits: 128 | 256, length: number, ...parts: Uint8Array[]): Uint8Array =>
  createHash(`shake${bits}`, { outputLength: length })
    .update(concat(...parts))
    .digest();
const sha3 = (bits: 256 | 512, ...parts: Uint8Array[]): Uint8Array =>
  createHash(`sha3-${bits}`)
    .update(concat(...parts))
    .digest();

const randomPolynomial = (): Polynomial => newPolynomial().map(() => Math.floor(Math.random() * Q));

for (const name of ML_KEM_NAMES) {
  describe(`${name} in src/crypto`, () => {
    const kem = ML_KEMS[name];
    const { publicKeyBytes, ciphertextBytes } = KEMS[name];

    it('does what the module of WebAssembly does', async () => {
      const other = (await loadMlKem(loadWasm)).sets[name];
      const [seed, randomness] = [randomBytes(64), randomBytes(32)];
      const publicKey = kem.publicKey(seed);
      expect(other.publicKey(seed)).to.deep.equal(publicKey);
      const made = kem.encapsulate(publicKey, randomness);
      expect(other.encapsulate(publicKey, randomness)).to.deep.equal(made);
      for (const ciphertext of [made.ciphertext, randomBytes(ciphertextBytes)]) {
        const key = other.decapsulate(seed, ciphertext);
        expect(kem.decapsulate(seed, ciphertext)).to.deep.equal(key);
      }
    });

    it('refuses arguments of another length or type by their names (section 7)', () => {
      const [seed, publicKey] = [new Uint8Array(64), kem.publicKey(new Uint8Array(64))];
      const [ciphertext, m] = [new Uint8Array(ciphertextBytes), new Uint8Array(32)];
      const shorter = (bytes: Uint8Array): Uint8Array => bytes.subarray(1);
      const longer = (bytes: Uint8Array): Uint8Array => concat(bytes, Uint8Array.of(0));
      for (const changed of [shorter, longer]) {
        expect(() => kem.publicKey(changed(seed))).to.throw(RangeError, /^seed must have 64 /);
        expect(() => kem.encapsulate(changed(publicKey), m)).to.throw(
          RangeError,
          new RegExp(`^publicKey must have ${publicKeyBytes} bytes`),
        );
        expect(() => kem.encapsulate(publicKey, changed(m))).to.throw(RangeError, /^randomness /);
        expect(() => kem.decapsulate(changed(seed), ciphertext)).to.throw(RangeError, /^seed /);
        expect(() => kem.decapsulate(seed, changed(ciphertext))).to.throw(
          RangeError,
          new RegExp(`^ciphertext must have ${ciphertextBytes} bytes`),
        );
      }
      expect(() => kem.publicKey('seed' as never)).to.throw(TypeError, /^seed must be/);
      expect(() => kem.decapsulate(seed, [] as never)).to.throw(TypeError, /^ciphertext must be/);
    });

    it('leaves its arguments alone, and takes views of other memory', () => {
      const all = randomBytes(1 + 64 + 32);
      const [seed, m] = [all.subarray(1, 65), all.subarray(65)];
      const before = all.slice();
      const { ciphertext, sharedKey } = kem.encapsulate(kem.publicKey(seed), m);
      expect(kem.decapsulate(Buffer.from(seed), Buffer.from(ciphertext))).to.deep.equal(sharedKey);
      expect(all).to.deep.equal(before);
    });

    it('leaves nothing of a secret in memory', () => {
      const [seed, m] = [randomBytes(64), randomBytes(32)];
      const { k, eta1, du } = PARAMETERS[name];
      const publicKey = kem.publicKey(seed);
      const { ciphertext } = kem.encapsulate(publicKey, m);
      const [rho, t] = [publicKey.subarray(-32), vectorOf(12, k, publicKey)];
      const matrix = t.flatMap((_, i) => t.map((__, j) => sampleNtt(rho, j, i)));
      const isPublic = new Set(
        [...t, ...matrix, ...vectorOf(du, k, ciphertext).map(ntt)].map(String),
      );
      const sigma = sha3(512, seed.subarray(0, 32), Uint8Array.of(k)).subarray(32);
      const derived = sha3(512, m, sha3(256, publicKey));
      const [sharedKey, r] = [derived.subarray(0, 32), derived.subarray(32)];
      const [noise, otherNoise] = [sigma, r].map((from) =>
        shake(256, 64 * eta1, from, Uint8Array.of(0)),
      );
      const rejected = shake(256, 32, seed.subarray(32), ciphertext);
      const secrets = [sigma, r, m, sharedKey, rejected, noise!, otherNoise!];
      const calls = [
        () => kem.publicKey(seed),
        () => kem.encapsulate(publicKey, m).sharedKey,
        () => kem.decapsulate(seed, ciphertext),
      ];
      for (const [i, call] of calls.entries()) {
        const { result, made } = allocationsOf(call);
        expect(made.length).to.be.above(40);
        for (const array of made.filter((one) => one !== result)) {
          if (array instanceof Uint8Array) {
            const found = secrets.findIndex((secret) =>
              Buffer.from(array).includes(Buffer.from(secret)),
            );
            expect(found, `call ${i}, ${array.length} bytes`).to.equal(-1);
          } else {
            const isLeft = array.some((word) => word !== 0) && !isPublic.has(String(array));
            expect(isLeft, `call ${i}, ${array.length} words`).to.equal(false);
          }
        }
      }
    });
  });
}

/** Table 2 */
const PARAMETERS = {
  'ML-KEM-512': { k: 2, eta1: 3, du: 10 },
  'ML-KEM-768': { k: 3, eta1: 2, du: 10 },
  'ML-KEM-1024': { k: 4, eta1: 2, du: 11 },
} as const;

function vectorOf(d: 10 | 11 | 12, k: number, bytes: Uint8Array): Polynomial[] {
  return Array.from({ length: k }, (_, i) => decode(d, bytes.subarray(i * encodedBytes(d))));
}

/** The result of a call, and the arrays that it made by `new` or `of`. */
function allocationsOf(call: () => Uint8Array) {
  const made: (Uint8Array | Int32Array)[] = [];
  const originals = { Uint8Array, Int32Array };
  const recording = <C extends Uint8ArrayConstructor | Int32ArrayConstructor>(of: C): C =>
    new Proxy(of, {
      construct(target, args, newTarget) {
        const array = Reflect.construct(target, args, newTarget) as Uint8Array;
        made.push(array);
        return array;
      },
    });
  Object.assign(globalThis, {
    Uint8Array: recording(Uint8Array),
    Int32Array: recording(Int32Array),
  });
  try {
    return { result: call(), made };
  } finally {
    Object.assign(globalThis, originals);
  }
}

describe('the parts of ML-KEM', () => {
  /** f · g modulo q and X^256 + 1, by the definition. */
  function product(f: Polynomial, g: Polynomial): number[] {
    const terms = new Array<number>(COEFFICIENTS).fill(0);
    f.forEach((a, i) =>
      g.forEach((b, j) => {
        const sign = i + j < COEFFICIENTS ? 1 : -1;
        terms[(i + j) % COEFFICIENTS]! += sign * a * b;
      }),
    );
    return terms.map((term) => ((term % Q) + Q) % Q);
  }

  it('multiply polynomials by their transforms, and transform back', () => {
    const largest = newPolynomial().fill(Q - 1);
    const pairs = [[largest, largest]] as [Polynomial, Polynomial][];
    for (let i = 0; i < 20; i++) pairs.push([randomPolynomial(), randomPolynomial()]);
    for (const [f, g] of pairs) {
      const [a, b] = [ntt(f.slice()), ntt(g.slice())];
      expect(inverseNtt(a.slice())).to.deep.equal(f);
      expect([...inverseNtt(dot([a], [b]))]).to.deep.equal(product(f, g));
    }
  });

  it('sum four products of the largest coefficients without an overflow', () => {
    const largest = newPolynomial().fill(Q - 1);
    const four = [largest, largest, largest, largest];
    const one = dot([largest], [largest]);
    expect(dot(four, four)).to.deep.equal(one.map((term) => (4 * term) % Q));
  });

  it('reduce everything up to 45 q', () => {
    for (let x = 0; x < 45 * Q; x++) {
      if (reduced(x) !== x % Q) expect.fail(`${reduced(x)} for ${x}`);
    }
  });

  it('compress all coefficients and decompress all words', () => {
    for (const bits of [1, 4, 5, 10, 11] as const) {
      for (let first = 0; first < Q; first += COEFFICIENTS) {
        const f = newPolynomial().map((_, i) => Math.min(first + i, Q - 1));
        const packed = new Uint8Array(encodedBytes(bits));
        encode(bits, f, packed);
        const words = [...f].map((x) => compressed(x, bits));
        const number = words.reduce((sum, word, i) => sum | (BigInt(word) << BigInt(i * bits)), 0n);
        expect(toHex(packed.toReversed()), `${bits} bits from ${first} on`).to.equal(
          number.toString(16).padStart(2 * packed.length, '0'),
        );
        expect([...decode(bits, packed)]).to.deep.equal(words.map((y) => decompressed(y, bits)));
      }
    }
  });

  it('read and write whole coefficients of 12 bits', () => {
    const f = newPolynomial().map((_, i) => 13 * i);
    const packed = new Uint8Array(encodedBytes(12));
    encode(12, f, packed);
    expect([...packed.subarray(0, 6)]).to.deep.equal([0, 0xd0, 0, 26, 0x70, 2]);
    expect(decode(12, packed)).to.deep.equal(f);
  });

  it('sample a transform from three blocks, and from more where these do not do', () => {
    let isShort = false;
    for (let i = 0; !isShort; i++) {
      const rho = sha3(256, Uint8Array.of(i & 255, i >> 8));
      const stream = shake(128, 6 * 168, rho, Uint8Array.of(2, 1));
      const candidates = Array.from({ length: stream.length / 3 }, (_, at) => {
        const [a, b, c] = stream.subarray(3 * at) as unknown as [number, number, number];
        return [a | ((b & 15) << 8), (b >> 4) | (c << 4)];
      }).flat();
      const accepted = candidates.filter((candidate) => candidate < Q);
      expect([...sampleNtt(rho, 2, 1)], toHex(rho)).to.deep.equal(accepted.slice(0, COEFFICIENTS));
      isShort = candidates.slice(0, 336).filter((candidate) => candidate < Q).length < COEFFICIENTS;
    }
  });

  it('sample noise as the standard counts its bits', () => {
    const seed = randomBytes(32);
    for (const eta of [2, 3] as const) {
      const bytes = shake(256, 64 * eta, seed, Uint8Array.of(7));
      const bit = (i: number): number => (bytes[i >> 3]! >> (i & 7)) & 1;
      const sum = (from: number): number =>
        Array.from({ length: eta }, (_, i) => bit(from + i)).reduce((a, b) => a + b);
      const expected = Array.from({ length: COEFFICIENTS }, (_, i) => {
        const x = sum(2 * i * eta) - sum(2 * i * eta + eta);
        return (x + Q) % Q;
      });
      expect([...sampleNoise(eta, seed, 7)]).to.deep.equal(expected);
    }
  });
});
