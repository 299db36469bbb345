/**
 * X-Wing (draft-connolly-cfrg-xwing-kem, section 5): ML-KEM-768 and X25519 together. A private key is the seed of 32 bytes
 * from which both are expanded.
 */
import { concat, copyOf, utf8, wipe } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { KEMS } from '../../crypto/post-quantum.ts';
import type { Awaitable, KemAlgorithm } from '../contract.ts';
import type { X25519 } from './native-x25519.ts';

/** What it is made of. */
export interface XWingParts {
  /** ML-KEM-768; called at each use, because it may be loaded. */
  readonly mlKem: () => Awaitable<Omit<KemAlgorithm, 'constantTime'>>;
  /** Called at each use, because selecting an implementation takes time. */
  readonly x25519: () => Awaitable<Pick<X25519, 'publicKey' | 'agree'>>;
  readonly shake256: (data: Uint8Array, outputBytes: number) => Uint8Array;
  readonly sha3: (data: Uint8Array) => Uint8Array;
}

/** XWingLabel (section 5.3) */
const LABEL = /* @__PURE__ */ utf8('\\.//^\\');
const KEY_BYTES = 32;
const { seedBytes, publicKeyBytes, ciphertextBytes } = KEMS['ML-KEM-768'];

/** Throws RangeError for a public key or a ciphertext that has a point of low order. */
export function xWing(parts: XWingParts): Omit<KemAlgorithm, 'constantTime'> {
  return {
    async publicKey(seed) {
      const { ownSeed, ownKey } = expanded(parts, seed);
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
        const sharedKey = combined(parts, made.sharedKey, agreed, point, theirs);
        return { sharedKey, ciphertext: concat(made.ciphertext, point) };
      } finally {
        wipe(ephemeral);
      }
    },
    async decapsulate(seed, ciphertext) {
      const { ownSeed, ownKey } = expanded(parts, seed);
      const point = ciphertext.subarray(ciphertextBytes);
      try {
        const [kem, curve] = [await parts.mlKem(), await parts.x25519()];
        const ownPoint = await curve.publicKey(ownKey);
        const agreed = await curve.agree(ownKey, point);
        if (!agreed) throw new RangeError('ciphertext: a point of low order');
        const key = await kem.decapsulate(ownSeed, ciphertext.subarray(0, ciphertextBytes));
        return combined(parts, key, agreed, point, ownPoint);
      } finally {
        wipe(ownSeed, ownKey);
      }
    },
  };
}

/** expandDecapsulationKey (section 5.2): the seed of ML-KEM-768, and the private key of X25519 */
function expanded({ shake256 }: XWingParts, seed: Uint8Array) {
  checkBytes('seed', seed, KEY_BYTES);
  const bytes = shake256(seed, seedBytes + KEY_BYTES);
  return { ownSeed: bytes.subarray(0, seedBytes), ownKey: bytes.subarray(seedBytes) };
}

/** Combiner (section 5.3). The two secrets are wiped. */
function combined(
  { sha3 }: XWingParts,
  ofMlKem: Uint8Array,
  agreed: Uint8Array,
  point: Uint8Array,
  publicKey: Uint8Array,
): Uint8Array {
  const input = concat(ofMlKem, agreed, point, publicKey, LABEL);
  try {
    return sha3(input);
  } finally {
    wipe(ofMlKem, agreed, input);
  }
}
