/**
 * ML-KEM (FIPS 203): key encapsulation by module lattices, in the three parameter sets of section 8. A private key is the seed
 * d ‖ z, from which each call expands what it needs (section 3.3 allows that form), so that the checks of expanded keys
 * in section 7.3 have nothing to check.
 *
 * Time and places in memory depend on ρ and on public keys alone, as far as a JavaScript engine keeps to the operations that
 * are written here. Everything else is wiped before a call returns.
 */
import { copyOf, wipe } from '../bytes.ts';
import { checkBytes } from '../errors.ts';
import { shake } from '../hash/cshake.ts';
import { sha3_256, sha3_512 } from '../hash/sha3.ts';
import { KEMS } from '../post-quantum.ts';
import { decode, encode, encodedBytes, isReduced, type Bits } from './ml-kem-coding.ts';
import { add, dot, inverseNtt, ntt, subtract, type Vector } from './ml-kem-ntt.ts';
import { sampleNoise, sampleNtt, type Eta } from './ml-kem-sampling.ts';

/** The parameter sets (section 8). */
export type MlKemName = 'ML-KEM-512' | 'ML-KEM-768' | 'ML-KEM-1024';

/** One parameter set. */
export interface MlKem {
  /**
   * ML-KEM.KeyGen (algorithm 19), without its random bytes.
   *
   * @param seed d ‖ z, 64 bytes
   * @returns the encapsulation key: 800, 1,184 or 1,568 bytes
   */
  publicKey(seed: Uint8Array): Uint8Array;
  /**
   * ML-KEM.Encaps (algorithm 20), without its random bytes.
   *
   * @param publicKey the encapsulation key
   * @param randomness m, 32 bytes, used once
   * @returns the shared key, 32 bytes, and the ciphertext: 768, 1,088 or 1,568 bytes
   * @throws TypeError, RangeError for arguments of a wrong type or length; RangeError for a key with a coefficient that is
   * not below q (section 7.2)
   */
  encapsulate(
    publicKey: Uint8Array,
    randomness: Uint8Array,
  ): { readonly sharedKey: Uint8Array; readonly ciphertext: Uint8Array };
  /**
   * ML-KEM.Decaps (algorithm 21).
   *
   * @param seed d ‖ z, 64 bytes
   * @returns the shared key, 32 bytes; another one, which follows from z, for a ciphertext that no sender made for this seed
   * @throws TypeError, RangeError for arguments of a wrong type or length
   */
  decapsulate(seed: Uint8Array, ciphertext: Uint8Array): Uint8Array;
}

/** Table 2; η₂ is 2 in all of them. */
interface Parameters {
  readonly k: 2 | 3 | 4;
  readonly eta1: Eta;
  readonly du: Bits;
  readonly dv: Bits;
}

const ETA_2 = 2;
/** Of seeds, messages, hashes and shared keys. */
const KEY_BYTES = 32;

/** The parameter sets, by name. */
export const ML_KEMS: Readonly<Record<MlKemName, MlKem>> = {
  'ML-KEM-512': /* @__PURE__ */ mlKem('ML-KEM-512', { k: 2, eta1: 3, du: 10, dv: 4 }),
  'ML-KEM-768': /* @__PURE__ */ mlKem('ML-KEM-768', { k: 3, eta1: 2, du: 10, dv: 4 }),
  'ML-KEM-1024': /* @__PURE__ */ mlKem('ML-KEM-1024', { k: 4, eta1: 2, du: 11, dv: 5 }),
};

function mlKem(name: MlKemName, parameters: Parameters): MlKem {
  const { seedBytes, publicKeyBytes, ciphertextBytes, randomnessBytes } = KEMS[name];
  return {
    // KeyGen_internal (algorithm 16)
    publicKey(seed) {
      checkBytes('seed', seed, seedBytes);
      const { encoded, s } = keyPair(parameters, seed.subarray(0, KEY_BYTES));
      wipe(...s);
      return encoded;
    },
    // Encaps_internal (algorithm 17)
    encapsulate(publicKey, randomness) {
      checkBytes('publicKey', publicKey, publicKeyBytes);
      checkBytes('randomness', randomness, randomnessBytes);
      const key = encryptionKey(parameters, publicKey);
      const { sharedKey, r } = derived(randomness, publicKey);
      const ciphertext = encrypt(parameters, key, randomness, r);
      wipe(r);
      return { sharedKey, ciphertext };
    },
    // Decaps_internal (algorithm 18)
    decapsulate(seed, ciphertext) {
      checkBytes('seed', seed, seedBytes);
      checkBytes('ciphertext', ciphertext, ciphertextBytes);
      const { encoded, key, s } = keyPair(parameters, seed.subarray(0, KEY_BYTES));
      const m = decrypt(parameters, s, ciphertext);
      const { sharedKey, r } = derived(m, encoded);
      const rejected = shake(256, KEY_BYTES, seed.subarray(KEY_BYTES), ciphertext);
      const expected = encrypt(parameters, key, m, r);
      replaceUnlessEqual(sharedKey, rejected, ciphertext, expected);
      wipe(...s, m, r, rejected, expected);
      return sharedKey;
    },
  };
}

/** (K, r) ← G(m ‖ H(ek)): algorithm 17, line 1; algorithm 18, line 6 */
function derived(m: Uint8Array, publicKey: Uint8Array) {
  const both = sha3_512(m, sha3_256(publicKey));
  const sharedKey = copyOf(both.subarray(0, KEY_BYTES));
  const r = copyOf(both.subarray(KEY_BYTES));
  wipe(both);
  return { sharedKey, r };
}

/** Algorithm 18, lines 9 to 11: key ← other unless a = b, by a mask. All ciphertexts take the same time. */
function replaceUnlessEqual(
  key: Uint8Array,
  other: Uint8Array,
  a: Uint8Array,
  b: Uint8Array,
): void {
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a[i] ^ b[i];
  const mask = -difference >> 31; // all ones if there is a difference
  for (let i = 0; i < key.length; i++) key[i] ^= (key[i] ^ other[i]) & mask;
}

/** The encryption key of K-PKE, whose matrix follows from ρ. */
interface EncryptionKey {
  readonly t: Vector;
  /** The rows of Â. */
  readonly matrix: readonly Vector[];
}

function vector<T>(k: number, at: (i: number) => T): T[] {
  return Array.from({ length: k }, (_, i) => at(i));
}

/** Lines 3 to 7 of algorithm 13, and 4 to 8 of algorithm 14. */
function sampleMatrix(k: number, rho: Uint8Array): Vector[] {
  return vector(k, (i) => vector(k, (j) => sampleNtt(rho, j, i)));
}

/** K-PKE.KeyGen (algorithm 13). @param d 32 bytes @returns ek as bytes and expanded, and ŝ, to be wiped */
function keyPair({ k, eta1 }: Parameters, d: Uint8Array) {
  const seeds = sha3_512(d, Uint8Array.of(k));
  const [rho, sigma] = [seeds.subarray(0, KEY_BYTES), seeds.subarray(KEY_BYTES)];
  const matrix = sampleMatrix(k, rho);
  const s = vector(k, (i) => ntt(sampleNoise(eta1, sigma, i)));
  const e = vector(k, (i) => ntt(sampleNoise(eta1, sigma, k + i)));
  const t = matrix.map((row, i) => add(dot(row, s), e[i]));
  const encoded = new Uint8Array(k * encodedBytes(12) + KEY_BYTES);
  t.forEach((f, i) => encode(12, f, encoded.subarray(i * encodedBytes(12))));
  encoded.set(rho, k * encodedBytes(12));
  wipe(seeds, ...e);
  return { encoded, key: { t, matrix }, s };
}

/** Lines 2 to 8 of K-PKE.Encrypt (algorithm 14), and the modulus check of section 7.2. */
function encryptionKey({ k }: Parameters, publicKey: Uint8Array): EncryptionKey {
  const t = vector(k, (i) => decode(12, publicKey.subarray(i * encodedBytes(12))));
  if (!t.every(isReduced)) throw new RangeError('publicKey is not a key of ML-KEM');
  return { t, matrix: sampleMatrix(k, publicKey.subarray(k * encodedBytes(12))) };
}

/** The rest of K-PKE.Encrypt (algorithm 14). @param m 32 bytes @param r 32 bytes @returns the ciphertext */
function encrypt(
  { k, eta1, du, dv }: Parameters,
  { t, matrix }: EncryptionKey,
  m: Uint8Array,
  r: Uint8Array,
): Uint8Array {
  const y = vector(k, (i) => ntt(sampleNoise(eta1, r, i)));
  const e1 = vector(k, (i) => sampleNoise(ETA_2, r, k + i));
  const e2 = sampleNoise(ETA_2, r, 2 * k);
  const column = (i: number): Vector => matrix.map((row) => row[i]);
  const u = e1.map((e, i) => add(inverseNtt(dot(column(i), y)), e));
  const mu = decode(1, m);
  const v = add(add(inverseNtt(dot(t, y)), e2), mu);
  const ciphertext = new Uint8Array(k * encodedBytes(du) + encodedBytes(dv));
  u.forEach((f, i) => encode(du, f, ciphertext.subarray(i * encodedBytes(du))));
  encode(dv, v, ciphertext.subarray(k * encodedBytes(du)));
  wipe(...y, ...e1, e2, ...u, mu, v);
  return ciphertext;
}

/** K-PKE.Decrypt (algorithm 15). @returns m, 32 bytes, to be wiped */
function decrypt({ k, du, dv }: Parameters, s: Vector, ciphertext: Uint8Array): Uint8Array {
  const u = vector(k, (i) => ntt(decode(du, ciphertext.subarray(i * encodedBytes(du)))));
  const v = decode(dv, ciphertext.subarray(k * encodedBytes(du)));
  const product = inverseNtt(dot(s, u));
  const m = new Uint8Array(KEY_BYTES);
  encode(1, subtract(v, product), m);
  wipe(product, v);
  return m;
}
