/**
 * X-Wing (draft-connolly-cfrg-xwing-kem, section 5): ML-KEM-768 of the module and X25519 of the platform. A private key is the
 * seed of 32 bytes.
 */
import { concat, copyOf, utf8, wipe } from '../../../crypto/bytes.ts';
import { cshake } from '../../../crypto/hash/cshake.ts';
import { SHA3_256 } from '../../../crypto/hash/sha3.ts';
import { KEMS } from '../../../crypto/post-quantum.ts';
import { EngineError } from '../../contract.ts';
import type { KemAlgorithm } from '../../contract.ts';
import { NATIVE_X25519 } from '../../kem/native-x25519.ts';
import type { X25519 } from '../../kem/native-x25519.ts';
import type { SyncKem } from './ml-kem.ts';

/** XWingLabel (section 5.3) */
const LABEL = /* @__PURE__ */ utf8('\\.//^\\');
const EMPTY = new Uint8Array(0);
const KEY_BYTES = 32;
const SEED_BYTES = KEMS['ML-KEM-768'].seedBytes;
const PUBLIC_KEY_BYTES = KEMS['ML-KEM-768'].publicKeyBytes;
const CIPHERTEXT_BYTES = KEMS['ML-KEM-768'].ciphertextBytes;

/** @param mlKem loads ML-KEM-768 */
export function xWing(mlKem: () => Promise<SyncKem>, x25519: X25519 = NATIVE_X25519): KemAlgorithm {
  const curve = curveOf(x25519);
  return {
    constantTime: 'platform',
    async publicKey(seed) {
      const { ownSeed, ownKey } = expanded(seed);
      try {
        return concat((await mlKem()).publicKey(ownSeed), await curve.publicKey(ownKey));
      } finally {
        wipe(ownSeed, ownKey);
      }
    },
    async encapsulate(publicKey, randomness) {
      const theirs = publicKey.subarray(PUBLIC_KEY_BYTES);
      const ephemeral = copyOf(randomness.subarray(KEY_BYTES));
      try {
        const kem = await mlKem();
        const point = await curve.publicKey(ephemeral);
        const agreed = await curve.agree(ephemeral, theirs, 'publicKey');
        const made = kem.encapsulate(
          publicKey.subarray(0, PUBLIC_KEY_BYTES),
          randomness.subarray(0, KEY_BYTES),
        );
        const sharedKey = combined(made.sharedKey, agreed, point, theirs);
        return { sharedKey, ciphertext: concat(made.ciphertext, point) };
      } finally {
        wipe(ephemeral);
      }
    },
    async decapsulate(seed, ciphertext) {
      const { ownSeed, ownKey } = expanded(seed);
      const point = ciphertext.subarray(CIPHERTEXT_BYTES);
      try {
        const kem = await mlKem();
        const ownPoint = await curve.publicKey(ownKey);
        const agreed = await curve.agree(ownKey, point, 'ciphertext');
        const key = kem.decapsulate(ownSeed, ciphertext.subarray(0, CIPHERTEXT_BYTES));
        return combined(key, agreed, point, ownPoint);
      } finally {
        wipe(ownSeed, ownKey);
      }
    },
  };
}

/** expandDecapsulationKey (section 5.2): the seed of ML-KEM-768, and the private key of X25519 */
function expanded(seed: Uint8Array): { readonly ownSeed: Uint8Array; readonly ownKey: Uint8Array } {
  const outputBytes = SEED_BYTES + KEY_BYTES;
  const params = { outputBytes, functionName: EMPTY, customization: EMPTY };
  const bytes = cshake(256, params).update(seed).digest();
  return { ownSeed: bytes.subarray(0, SEED_BYTES), ownKey: bytes.subarray(SEED_BYTES) };
}

/** Combiner (section 5.3). The two secrets are wiped. */
function combined(
  ofMlKem: Uint8Array,
  agreed: Uint8Array,
  point: Uint8Array,
  publicKey: Uint8Array,
): Uint8Array {
  const hash = SHA3_256.create();
  for (const part of [ofMlKem, agreed, point, publicKey, LABEL]) hash.update(part);
  wipe(ofMlKem, agreed);
  return hash.digest();
}

interface Curve {
  publicKey(privateKey: Uint8Array): Promise<Uint8Array>;
  /** @throws RangeError for a point of low order. @param what the argument that has it */
  agree(privateKey: Uint8Array, publicKey: Uint8Array, what: string): Promise<Uint8Array>;
}

/** X25519 whose absence is a failure of the engine. */
function curveOf(x25519: X25519): Curve {
  const running = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw new EngineError('this platform has no X25519', { cause: error });
    }
  };
  return {
    publicKey: (privateKey) => running(x25519.publicKey(privateKey)),
    async agree(privateKey, publicKey, what) {
      const agreed = await running(x25519.agree(privateKey, publicKey));
      if (agreed === undefined) throw new RangeError(`${what}: a point of low order`);
      return agreed;
    },
  };
}
