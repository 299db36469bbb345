import { expect } from 'chai';
import { KEM_NAMES, KEMS, SIGNATURES } from '../../src/crypto/post-quantum.ts';
import type {
  AlgorithmName,
  CipherName,
  CipherParams,
  DigestName,
  KdfParams,
  MacName,
} from '../../src/engine/contract.ts';
import type { Subject } from './subject.ts';

/*
 * Buffers of Node are Uint8Arrays, but their `slice` is a view: an implementation that copies by it would
 * change what its caller owns, or forget it.
 */

const LENGTHS = [0, 1, 15, 16, 17, 32, 100, 1040, 5000];

const pattern = (length: number, seed: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (i * 131 + seed * 17 + 3) & 0xff);

const AEAD = { associatedData: pattern(21, 2), tagBytes: 16 };
/** By cipher: the key's length, the parameters of one message, and what its messages are multiples of. */
const CIPHERS: { readonly [A in CipherName]: readonly [number, CipherParams[A], number] } = {
  'AES-GCM': [16, { ...AEAD, nonce: pattern(12, 1) }, 1],
  'AES-CCM': [16, { ...AEAD, nonce: pattern(13, 1) }, 1],
  'AES-OCB': [32, { ...AEAD, nonce: pattern(12, 1) }, 1],
  'AES-GCM-SIV': [32, { ...AEAD, nonce: pattern(12, 1) }, 1],
  'ChaCha20-Poly1305': [32, { ...AEAD, nonce: pattern(12, 1) }, 1],
  'XChaCha20-Poly1305': [32, { ...AEAD, nonce: pattern(24, 1) }, 1],
  'AES-SIV': [32, { associatedData: [pattern(21, 2), pattern(16, 1)] }, 1],
  'AES-CTR': [16, { counter: pattern(16, 1), counterBits: 64 }, 1],
  'AES-CBC': [16, { iv: pattern(16, 1) }, 1],
  'AES-ECB': [16, {}, 16],
  'AES-KW': [16, {}, 8],
  Salsa20: [32, { nonce: pattern(8, 1), rounds: 20, counter: 0 }, 1],
};
const MACS: readonly MacName[] = ['HMAC', 'AES-CMAC', 'AES-CBC-MAC'];
const DIGESTS: readonly DigestName[] = ['SHA-256', 'SHA-512', 'SHA3-256', 'BLAKE2b', 'BLAKE3'];
const KDFS: Partial<KdfParams> = {
  HKDF: { hash: 'SHA-256', salt: pattern(9, 4), info: pattern(11, 5) },
  PBKDF2: { hash: 'SHA-256', salt: pattern(9, 4), iterations: 10 },
  scrypt: { salt: pattern(9, 4), N: 16, r: 2, p: 1 },
};

/** One set of SLH-DSA: the others share its code. */
const SIGNERS = ['Ed448', 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87', 'SLH-DSA-SHA2-128f'] as const;
/** RFC 8032, section 5.2: it draws nothing at random. */
const ED448 = { seedBytes: 57, randomnessBytes: 0 };

/** Keys, data, nonces and salts as Buffers give what arrays give, and stay as they are. */
export function describeBuffers(subject: Subject): void {
  describe('Buffers at odd offsets', () => {
    for (const name of names(CIPHERS)) {
      if (!subject.has(name)) continue;
      it(`${name} takes them, also in place`, async () => {
        const [keyBytes, params, multiple] = CIPHERS[name];
        const key = pattern(keyBytes, 7);
        for (const length of LENGTHS) {
          if (length % multiple !== 0 || (name === 'AES-KW' && length < 16)) continue;
          const data = pattern(length, 9);
          const sealed = await subject.encrypt(name, key, params, data);
          const label = `${length} bytes`;
          const given = new Given();
          const ownKey = given.buffer(key);
          const ownParams = given.all(params);
          expect(
            same(await subject.encrypt(name, ownKey, ownParams, given.buffer(data)), sealed),
            label,
          ).to.equal(true);
          expect(
            same(await subject.decrypt(name, ownKey, ownParams, given.buffer(sealed)), data),
            label,
          ).to.equal(true);
          given.check(label);
          const place = atOddOffset(sealed);
          const opened = await subject.decrypt(name, ownKey, ownParams, place, place);
          expect(same(opened, data), `${label}, in place`).to.equal(true);
          given.check(label);
        }
      });
    }

    for (const name of MACS.filter((mac) => subject.has(mac))) {
      it(`${name} takes them`, async () => {
        for (const length of LENGTHS) {
          if (name === 'AES-CBC-MAC' && (length === 0 || length % 16 !== 0)) continue;
          const hash = name === 'HMAC' ? 'SHA-256' : undefined;
          const tag = await subject.sign(name, pattern(16, 7), pattern(length, 9), hash);
          const given = new Given();
          const [key, data] = [given.buffer(pattern(16, 7)), given.buffer(pattern(length, 9))];
          expect(same(await subject.sign(name, key, data, hash), tag)).to.equal(true);
          expect(await subject.verify(name, key, given.buffer(tag), data, hash)).to.equal(true);
          given.check(`${length} bytes`);
        }
      });
    }

    for (const name of DIGESTS.filter((digest) => subject.has(digest))) {
      it(`${name} takes them`, async () => {
        for (const length of LENGTHS) {
          const given = new Given();
          const digest = await subject.digest(name, given.buffer(pattern(length, 9)));
          const expected = await subject.digest(name, pattern(length, 9));
          expect(same(digest, expected), `${length} bytes`).to.equal(true);
          given.check(`${length} bytes`);
        }
      });
    }

    for (const name of names(KDFS)) {
      if (!subject.has(name)) continue;
      it(`${name} takes them`, async () => {
        const params = KDFS[name] as KdfParams[typeof name];
        const expected = await subject.derive(name, pattern(20, 7), params, 64);
        const given = new Given();
        const secret = given.buffer(pattern(20, 7));
        const derived = await subject.derive(name, secret, given.all(params), 64);
        expect(same(derived, expected)).to.equal(true);
        given.check(name);
      });
    }

    for (const name of KEM_NAMES) {
      const kem = subject.has(name) ? subject.algorithms?.[name] : undefined;
      if (kem === undefined) continue;
      it(`${name} takes them`, async () => {
        const seed = pattern(KEMS[name].seedBytes, 7);
        const publicKey = await kem.publicKey(seed);
        const given = new Given();
        const ownSeed = given.buffer(seed);
        expect(same(await kem.publicKey(ownSeed), publicKey)).to.equal(true);
        const randomness = given.buffer(pattern(KEMS[name].randomnessBytes, 9));
        const made = await kem.encapsulate(given.buffer(publicKey), randomness);
        const got = await kem.decapsulate(ownSeed, given.buffer(made.ciphertext));
        expect(same(got, made.sharedKey)).to.equal(true);
        given.check(name);
      });
    }

    for (const name of SIGNERS) {
      const signer = subject.has(name) ? subject.algorithms?.[name] : undefined;
      if (signer === undefined) continue;
      it(`${name} takes them`, async () => {
        const { seedBytes, randomnessBytes } = name === 'Ed448' ? ED448 : SIGNATURES[name];
        const expected = await signer.keyPair(pattern(seedBytes, 7));
        const given = new Given();
        const seed = given.buffer(pattern(seedBytes, 7));
        const pair = await signer.keyPair(seed);
        expect(same(pair.publicKey, expected.publicKey)).to.equal(true);
        const randomness = given.buffer(pattern(randomnessBytes, 9));
        const [message, context] = [given.buffer(pattern(300, 1)), given.buffer(pattern(0, 2))];
        const privateKey = given.buffer(pair.privateKey);
        const signature = await signer.sign(privateKey, message, context, randomness);
        const args = [message, context, given.buffer(signature)] as const;
        expect(await signer.verify(given.buffer(pair.publicKey), ...args)).to.equal(true);
        const own = await signer.publicKey(privateKey);
        expect(same(own, pair.publicKey)).to.equal(true);
        given.check(name);
        // Both are the caller's, who may overwrite them.
        seed.fill(0);
        privateKey.fill(0);
        expect(same(pair.privateKey, expected.privateKey), 'a copy of the seed').to.equal(true);
        expect(same(own, pair.publicKey), 'a copy of the public half').to.equal(true);
      });
    }
  });
}

function names<T extends object>(table: T): (keyof T & AlgorithmName)[] {
  return Object.keys(table) as (keyof T & AlgorithmName)[];
}

/** Every byte: a Buffer and an array are not deeply equal for chai. */
const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** A Buffer of these bytes at an odd offset, with room after it. */
function atOddOffset(bytes: Uint8Array): Buffer {
  const room = Buffer.alloc(bytes.length + 16, 0xa5);
  room.set(bytes, 3);
  return room.subarray(3, 3 + bytes.length);
}

/** What a test has handed over. */
class Given {
  readonly #buffers: { readonly given: Buffer; readonly before: Uint8Array }[] = [];

  buffer(bytes: Uint8Array): Buffer {
    const given = atOddOffset(bytes);
    this.#buffers.push({ given, before: new Uint8Array(given) });
    return given;
  }

  /** The same parameters, each array as a Buffer. */
  all<P extends object>(params: P): P {
    const entries = Object.entries(params).map(([name, value]: [string, unknown]) => {
      if (value instanceof Uint8Array) return [name, this.buffer(value)];
      if (Array.isArray(value)) return [name, value.map((each: Uint8Array) => this.buffer(each))];
      return [name, value];
    });
    return Object.fromEntries(entries) as P;
  }

  /** Nothing of it has changed. */
  check(label: string): void {
    for (const { given, before } of this.#buffers) {
      expect(same(given, before), `${label}: the caller's array`).to.equal(true);
    }
  }
}
