import { ml_kem1024, ml_kem512, ml_kem768 } from '@noble/post-quantum/ml-kem.js';
import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import type { MlKem, MlKemName } from '../../../src/crypto/lattice/ml-kem.ts';
import { Q } from '../../../src/crypto/lattice/ml-kem-ntt.ts';
import { KEMS } from '../../../src/crypto/post-quantum.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { randomBytes } from '../../support/random-bytes.ts';

/** The independent implementation. */
export const NOBLE = {
  'ML-KEM-512': ml_kem512,
  'ML-KEM-768': ml_kem768,
  'ML-KEM-1024': ml_kem1024,
} as const;
export const ML_KEM_NAMES = Object.keys(NOBLE) as readonly MlKemName[];

/** Compress_d of FIPS 203, section 4.2.1, with integers. */
export const compressed = (x: number, bits: number): number =>
  Math.floor((x * 2 ** (bits + 1) + Q) / (2 * Q)) % 2 ** bits;
/** Decompress_d likewise. */
export const decompressed = (y: number, bits: number): number =>
  Math.floor((Q * y + 2 ** (bits - 1)) / 2 ** bits);

const CASES = IS_NIGHTLY ? 1_000 : 8;

/** What an implementation of ML-KEM does, with every parameter set. @param where for the names of tests */
export function describeMlKem(
  where: string,
  load: () => Promise<Readonly<Record<MlKemName, MlKem>>>,
): void {
  for (const name of ML_KEM_NAMES) {
    describe(`${name} in ${where}`, () => {
      let kem: MlKem;
      before(async () => {
        kem = (await load())[name];
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

      it('rejects ciphertexts without a sender as @noble/post-quantum does', () => {
        const seed = randomBytes(64);
        const { secretKey } = NOBLE[name].keygen(seed);
        const { ciphertextBytes } = KEMS[name];
        const [zeros, ones] = [new Uint8Array(ciphertextBytes), new Uint8Array(ciphertextBytes)];
        for (const ciphertext of [zeros, ones.fill(0xff), randomBytes(ciphertextBytes)]) {
          expect(kem.decapsulate(seed, ciphertext), toHex(ciphertext)).to.deep.equal(
            NOBLE[name].decapsulate(ciphertext, secretKey),
          );
        }
      });

      it('refuses a public key of which one coefficient is not reduced, each in its place', () => {
        const publicKey = kem.publicKey(new Uint8Array(64));
        const encodedBytes = KEMS[name].publicKeyBytes - 32;
        for (let at = 0; at < encodedBytes; at += IS_NIGHTLY ? 3 : 33) {
          const [first, second] = [publicKey.slice(), publicKey.slice()];
          setWord(first, at, Q, undefined);
          setWord(second, at, undefined, 0xfff);
          for (const key of [first, second]) {
            expect(() => kem.encapsulate(key, new Uint8Array(32))).to.throw(
              RangeError,
              'publicKey is not a key of ML-KEM',
            );
          }
          setWord(publicKey, at, Q - 1, Q - 1);
        }
        expect(kem.encapsulate(publicKey, new Uint8Array(32)).sharedKey).to.have.lengthOf(32);
      });
    });
  }
}

/** Two coefficients of 12 bits in three bytes. */
function setWord(key: Uint8Array, at: number, low: number | undefined, high: number | undefined) {
  const word = key[at]! | (key[at + 1]! << 8) | (key[at + 2]! << 16);
  const changed = ((high ?? word >> 12) << 12) | (low ?? word & 0xfff);
  key.set([changed & 255, (changed >> 8) & 255, changed >> 16], at);
}
