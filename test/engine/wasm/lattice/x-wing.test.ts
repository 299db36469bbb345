import { ml_kem768_x25519 as XWing } from '@noble/post-quantum/hybrid.js';
import { expect } from 'chai';
import { fromHex, toHex } from '../../../../src/crypto/bytes.ts';
import { isEngineError } from '../../../../src/engine/contract.ts';
import type { KemAlgorithm } from '../../../../src/engine/contract.ts';
import { NATIVE_X25519 } from '../../../../src/engine/kem/native-x25519.ts';
import { loadMlKem } from '../../../../src/engine/wasm/lattice/ml-kem.ts';
import { xWing } from '../../../../src/engine/wasm/lattice/x-wing.ts';
import { IS_NIGHTLY } from '../../../support/nightly.ts';
import { randomBytes } from '../../../support/random-bytes.ts';
import { readPublished } from '../../../support/vectors.ts';
import { loadWasm } from '../../../support/wasm.ts';
import { errorOf } from '../../../support/outcomes.ts';

const CASES = IS_NIGHTLY ? 1_000 : 8;
describe('X-Wing in WebAssembly', () => {
  const mlKem = async () => (await loadMlKem(loadWasm)).sets['ML-KEM-768'];
  let kem: KemAlgorithm;
  before(async () => {
    const loaded = await mlKem();
    kem = xWing(() => Promise.resolve(loaded));
  });

  it('gives the vectors of the draft', async () => {
    const { vectors } = readPublished('x-wing.json') as {
      vectors: readonly Record<'seed' | 'eseed' | 'pk' | 'ct' | 'ss', string>[];
    };
    expect(vectors).to.have.length(3);
    for (const { seed, eseed, pk, ct, ss } of vectors) {
      expect(toHex(await kem.publicKey(fromHex(seed)))).to.equal(pk);
      const sent = await kem.encapsulate(fromHex(pk), fromHex(eseed));
      expect([toHex(sent.ciphertext), toHex(sent.sharedKey)]).to.deep.equal([ct, ss]);
      expect(toHex(await kem.decapsulate(fromHex(seed), fromHex(ct)))).to.equal(ss);
    }
  });

  it(`does what @noble/post-quantum does, in ${CASES} random cases`, async () => {
    for (let i = 0; i < CASES; i++) {
      const [seed, randomness] = [randomBytes(32), randomBytes(64)];
      const label = `seed ${toHex(seed)}, randomness ${toHex(randomness)}`;
      const publicKey = XWing.getPublicKey(seed);
      expect(await kem.publicKey(seed), label).to.deep.equal(publicKey);
      const { sharedSecret, cipherText } = XWing.encapsulate(publicKey, randomness);
      const made = await kem.encapsulate(publicKey, randomness);
      expect(made, label).to.deep.equal({ sharedKey: sharedSecret, ciphertext: cipherText });
      expect(await kem.decapsulate(seed, cipherText), label).to.deep.equal(sharedSecret);
      cipherText[(i * 577) % cipherText.length]! ^= 1 << (i % 8);
      const rejected = XWing.decapsulate(cipherText, seed);
      expect(await kem.decapsulate(seed, cipherText), label).to.deep.equal(rejected);
    }
  }).timeout(120_000);

  it('refuses points of low order, and a public key whose ML-KEM part is not reduced', async () => {
    const seed = randomBytes(32);
    const publicKey = await kem.publicKey(seed);
    const { ciphertext } = await kem.encapsulate(publicKey, randomBytes(64));
    const [lowKey, lowText, unreduced] = [publicKey.slice(), ciphertext.slice(), publicKey.slice()];
    lowKey.fill(0, lowKey.length - 32);
    lowText.fill(0, lowText.length - 32);
    unreduced.fill(255, 0, 3);
    for (const key of [lowKey, unreduced]) {
      expect(await errorOf(kem.encapsulate(key, randomBytes(64)))).to.be.instanceOf(RangeError);
    }
    expect(await errorOf(kem.decapsulate(seed, lowText))).to.be.instanceOf(RangeError);
  });

  it('fails as an engine where the platform has no X25519', async () => {
    const absent = () => Promise.reject(new DOMException('X25519', 'NotSupportedError'));
    const without = xWing(mlKem, { ...NATIVE_X25519, publicKey: absent, agree: absent });
    const [seed, randomness] = [randomBytes(32), randomBytes(64)];
    const publicKey = await kem.publicKey(seed);
    const { ciphertext } = await kem.encapsulate(publicKey, randomness);
    for (const work of [
      without.publicKey(seed),
      without.encapsulate(publicKey, randomness),
      without.decapsulate(seed, ciphertext),
    ]) {
      expect(await errorOf(work)).to.satisfy(isEngineError);
    }
  });
});
