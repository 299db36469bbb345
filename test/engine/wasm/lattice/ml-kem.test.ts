import { ml_kem1024, ml_kem512, ml_kem768 } from '@noble/post-quantum/ml-kem.js';
import { expect } from 'chai';
import { toHex } from '../../../../src/crypto/bytes.ts';
import { KEMS } from '../../../../src/crypto/post-quantum.ts';
import { bytesOfWords, Q } from '../../../../src/engine/wasm/generator/lattice/ml-kem-field.ts';
import {
  codingFunctions,
  COMPRESSED_BITS,
} from '../../../../src/engine/wasm/generator/lattice/ml-kem-coding.ts';
import { ModuleText } from '../../../../src/engine/wasm/generator/dsl/module.ts';
import { SECRETS } from '../../../../src/engine/wasm/generator/lattice/ml-kem-layout.ts';
import { loadMlKem } from '../../../../src/engine/wasm/lattice/ml-kem.ts';
import type { SyncKem } from '../../../../src/engine/wasm/lattice/ml-kem.ts';
import { IS_NIGHTLY } from '../../../support/nightly.ts';
import { randomBytes } from '../../../support/random-bytes.ts';
import { assembleCached, loadWasm } from '../../../support/wasm.ts';

const NOBLE = {
  'ML-KEM-512': ml_kem512,
  'ML-KEM-768': ml_kem768,
  'ML-KEM-1024': ml_kem1024,
} as const;
const NAMES = Object.keys(NOBLE) as (keyof typeof NOBLE)[];
const CASES = IS_NIGHTLY ? 1_000 : 8;

for (const name of NAMES) {
  describe(`${name} in WebAssembly`, () => {
    let kem: SyncKem;
    before(async () => {
      kem = (await loadMlKem(loadWasm)).sets[name];
    });

    it(`does what @noble/post-quantum does, in ${CASES} random cases`, () => {
      for (let i = 0; i < CASES; i++) {
        const [seed, randomness] = [randomBytes(64), randomBytes(32)];
        const label = `seed ${toHex(seed)}, m ${toHex(randomness)}`;
        const { publicKey, secretKey } = NOBLE[name].keygen(seed);
        expect(kem.publicKey(seed), label).to.deep.equal(publicKey);
        const { sharedSecret, cipherText } = NOBLE[name].encapsulate(publicKey, randomness);
        const made = kem.encapsulate(publicKey, randomness);
        expect(made.ciphertext, label).to.deep.equal(cipherText);
        expect(made.sharedKey, label).to.deep.equal(sharedSecret);
        expect(kem.decapsulate(seed, cipherText), label).to.deep.equal(sharedSecret);
        // Rejected implicitly: one bit, in u or in v
        cipherText[(i * 577) % cipherText.length]! ^= 1 << (i % 8);
        expect(kem.decapsulate(seed, cipherText), label).to.deep.equal(
          NOBLE[name].decapsulate(cipherText, secretKey),
        );
      }
    }).timeout(120_000);

    it('refuses a public key of which one coefficient is not reduced, each in its place', () => {
      const publicKey = kem.publicKey(new Uint8Array(64));
      const encodedBytes = KEMS[name].publicKeyBytes - 32;
      for (let at = 0; at < encodedBytes; at += IS_NIGHTLY ? 3 : 33) {
        const [first, second] = [publicKey.slice(), publicKey.slice()];
        setWord(first, at, Q, undefined);
        setWord(second, at, undefined, 0xfff);
        for (const key of [first, second]) {
          expect(() => kem.encapsulate(key, new Uint8Array(32))).to.throw(RangeError);
        }
        setWord(publicKey, at, Q - 1, Q - 1);
      }
      expect(kem.encapsulate(publicKey, new Uint8Array(32)).sharedKey).to.have.lengthOf(32);
    });
  });
}

it('ML-KEM: nothing of a key stays in the module', async () => {
  const { sets: kems, memory } = await loadMlKem(loadWasm);
  const isClear = () => memory.subarray(SECRETS).every((byte) => byte === 0);
  for (const name of NAMES) {
    const seed = randomBytes(64);
    const publicKey = kems[name].publicKey(seed);
    expect(isClear()).to.equal(true);
    const { ciphertext } = kems[name].encapsulate(publicKey, randomBytes(32));
    expect(isClear()).to.equal(true);
    kems[name].decapsulate(seed, ciphertext);
    expect(isClear()).to.equal(true);
    expect(() => kems[name].encapsulate(publicKey.fill(255), randomBytes(32))).to.throw(RangeError);
    expect(isClear()).to.equal(true);
  }
});

/** FIPS 203, section 4.2.1, with integers. */
const compress = (x: number, bits: number): number =>
  Math.floor((x * 2 ** (bits + 1) + Q) / (2 * Q)) % 2 ** bits;
const decompress = (y: number, bits: number): number =>
  Math.floor((Q * y + 2 ** (bits - 1)) / 2 ** bits);

it('ML-KEM: compression is right for all coefficients, and decompression for all words', async () => {
  const text = new ModuleText(65_536);
  codingFunctions(text);
  const [FROM, PACKED, TO] = [0, 1_024, 2_048];
  for (const bits of COMPRESSED_BITS) {
    text.func(`both${bits}`, {}, (body) => {
      body.call(`pack${bits}`, FROM, PACKED);
      body.call(`unpack${bits}`, PACKED, TO);
    });
  }
  const { instance } = await WebAssembly.instantiate(
    await assembleCached('ml-kem-coding', text.toString()),
  );
  const exported = instance.exports as Record<string, () => void> & { memory: WebAssembly.Memory };
  const memory = new Uint8Array(exported.memory.buffer);
  for (const bits of COMPRESSED_BITS) {
    for (let first = 0; first < Q; first += 256) {
      const words = Array.from({ length: 256 }, (_, i) => Math.min(first + i, Q - 1));
      memory.set(bytesOfWords(words), FROM);
      exported[`both${bits}`]!();
      const back = new Int16Array(memory.slice(TO, TO + 512).buffer);
      const expected = words.map((word) => decompress(compress(word, bits), bits));
      expect([...back], `${bits} bits from ${first} on`).to.deep.equal(expected);
    }
  }
});

/** Two coefficients of 12 bits in three bytes. */
function setWord(key: Uint8Array, at: number, low: number | undefined, high: number | undefined) {
  const word = key[at]! | (key[at + 1]! << 8) | (key[at + 2]! << 16);
  const changed = ((high ?? word >> 12) << 12) | (low ?? word & 0xfff);
  key.set([changed & 255, (changed >> 8) & 255, changed >> 16], at);
}
