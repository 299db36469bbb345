/**
 * X-Wing (draft-connolly-cfrg-xwing-kem, section 5): ML-KEM-768 and X25519 together. A private key is the seed of 32 bytes
 * from which both are expanded.
 */
import { concat, copyOf, utf8, wipe } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { shake } from '../../crypto/hash/cshake.ts';
import { sha3_256 } from '../../crypto/hash/sha3.ts';
import { KEMS } from '../../crypto/post-quantum.ts';
import type { Awaitable, KemAlgorithm } from '../contract.ts';
import type { X25519 } from './native-x25519.ts';

/** What it is made of. */
export interface XWingParts {
  /** ML-KEM-768; called at each use, because it may be loaded. */
  readonly mlKem: () => Awaitable<Omit<KemAlgorithm, 'constantTime'>>;
  /** Called at each use, because selecting an implementation takes time. */
  readonly x25519: () => Awaitable<Pick<X25519, 'publicKey' | 'agree'>>;
}

/** XWingLabel (section 5.3) */
const LABEL = /* @__PURE__ */ utf8('\\.//^\\');
const KEY_BYTES = 32;
const { seedBytes, publicKeyBytes, ciphertextBytes } = KEMS['ML-KEM-768'];

/** Throws RangeError for a public key or a ciphertext that has a point of low order. */
export function xWing(parts: XWingParts): Omit<KemAlgorithm, 'constantTime'> {
  return {
    async publicKey(seed) {
      const { ownSeed, ownKey } = expandedSeed(seed);
      try {
        const [kem, curve] = [await parts.mlKem(), await parts.x25519()];
        return concat(await kem.publicKey(ownSeed), await curve.publicKey(ownKey));
      } finally {
        wipe(ownSeed, ownKey);
      }
    },
    async encapsulate(publicKey, randomness) {
      const theirs = publicKey.subarray(publicKeyBytes);
      const ephemeral = copyOf(randomness.subarray(KEY_BYTES));
      try {
        const [kem, curve] = [await parts.mlKem(), await parts.x25519()];
        const point = await curve.publicKey(ephemeral);
        const agreed = await curve.agree(ephemeral, theirs);
        if (!agreed) throw new RangeError('publicKey: a point of low order');
        const made = await kem.encapsulate(
          publicKey.subarray(0, publicKeyBytes),
          randomness.subarray(0, KEY_BYTES),
        );
        const sharedKey = combined(made.sharedKey, agreed, point, theirs);
        return { sharedKey, ciphertext: concat(made.ciphertext, point) };
      } finally {
        wipe(ephemeral);
      }
    },
    async decapsulate(seed, ciphertext) {
      const { ownSeed, ownKey } = expandedSeed(seed);
      const point = ciphertext.subarray(ciphertextBytes);
      try {
        const [kem, curve] = [await parts.mlKem(), await parts.x25519()];
        const ownPoint = await curve.publicKey(ownKey);
        const agreed = await curve.agree(ownKey, point);
        if (!agreed) throw new RangeError('ciphertext: a point of low order');
        const key = await kem.decapsulate(ownSeed, ciphertext.subarray(0, ciphertextBytes));
        return combined(key, agreed, point, ownPoint);
      } finally {
        wipe(ownSeed, ownKey);
      }
    },
  };
}

/** expandDecapsulationKey (section 5.2): the seed of ML-KEM-768, and the private key of X25519, both to be wiped */
export function expandedSeed(seed: Uint8Array) {
  checkBytes('seed', seed, KEY_BYTES);
  const bytes = shake(256, seedBytes + KEY_BYTES, seed);
  return { ownSeed: bytes.subarray(0, seedBytes), ownKey: bytes.subarray(seedBytes) };
}

/** Combiner (section 5.3). The two secrets are wiped. */
function combined(
  ofMlKem: Uint8Array,
  agreed: Uint8Array,
  point: Uint8Array,
  publicKey: Uint8Array,
): Uint8Array {
  try {
    return sha3_256(ofMlKem, agreed, point, publicKey, LABEL);
  } finally {
    wipe(ofMlKem, agreed);
  }
}
