/**
 * The post-quantum algorithms of the engine `js`: ML-KEM of src/crypto, X-Wing over it, and signatures by
 * @noble/post-quantum; and X448 and Ed448, by @noble/curves. key-pairs.ts loads this file at the first use: in the library it is a script of its own (scripts/library.mjs).
 */
import { ed448, x448 } from '@noble/curves/ed448.js';
import { ml_dsa44, ml_dsa65, ml_dsa87 } from '@noble/post-quantum/ml-dsa.js';
import * as slh from '@noble/post-quantum/slh-dsa.js';
import { copyOf, wipe } from '../../crypto/bytes.ts';
import { ML_KEMS } from '../../crypto/lattice/ml-kem.ts';
import type { KemName, SignatureName } from '../../crypto/post-quantum.ts';
import type { AgreementAlgorithm, KemAlgorithm, SignatureAlgorithm } from '../contract.ts';
import { PORTABLE_X25519 } from '../kem/x25519.ts';
import { xWing } from '../kem/x-wing.ts';

/** The key encapsulation mechanisms; key-pairs.ts has what they claim about their timing. */
export const JS_KEMS: Readonly<Record<KemName, Omit<KemAlgorithm, 'constantTime'>>> = {
  ...ML_KEMS,
  'MLKEM768-X25519': xWing({
    mlKem: () => ML_KEMS['ML-KEM-768'],
    x25519: () => PORTABLE_X25519,
  }),
};

/** FIPS 204: a private key is the seed ξ. */
function mlDsa(dsa: typeof ml_dsa65): SignatureAlgorithm {
  const publicKey = (seed: Uint8Array) => {
    const pair = dsa.keygen(seed);
    wipe(pair.secretKey);
    return pair.publicKey;
  };
  return {
    constantTime: 'no',
    publicKey,
    keyPair: (seed) => ({ privateKey: copyOf(seed), publicKey: publicKey(seed) }),
    sign(seed, message, context, randomness) {
      const { secretKey } = dsa.keygen(seed);
      try {
        return dsa.sign(message, secretKey, { context, extraEntropy: randomness });
      } finally {
        wipe(secretKey);
      }
    },
    verify: (key, message, context, signature) => dsa.verify(signature, message, key, { context }),
  };
}

/** FIPS 205, figure 15: a private key is SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root, and its second half the public key. */
function slhDsa(dsa: typeof slh.slh_dsa_sha2_128f): SignatureAlgorithm {
  return {
    constantTime: 'no',
    publicKey: (privateKey) => copyOf(privateKey.subarray(privateKey.length / 2)),
    keyPair(seed) {
      const { secretKey, publicKey } = dsa.keygen(seed);
      return { privateKey: secretKey, publicKey };
    },
    sign: (privateKey, message, context, randomness) =>
      dsa.sign(message, privateKey, { context, extraEntropy: randomness }),
    verify: (key, message, context, signature) => dsa.verify(signature, message, key, { context }),
  };
}

/** RFC 7748, section 5. Not constant-time: JavaScript's BigInt is not. */
export const JS_X448: AgreementAlgorithm = {
  constantTime: 'no',
  publicKey: (privateKey) => x448.getPublicKey(privateKey),
  agree(privateKey, publicKey) {
    try {
      return x448.getSharedSecret(privateKey, publicKey);
    } catch (error) {
      // The lengths are right, so the only other error is a result of zero.
      throw new RangeError('publicKey: a point of low order', { cause: error });
    }
  },
};

/** RFC 8032, section 5.2, without a pre-hash. A seed is the private key. */
const ED448: SignatureAlgorithm = {
  constantTime: 'no',
  publicKey: (privateKey) => ed448.getPublicKey(privateKey),
  keyPair: (seed) => ({ privateKey: copyOf(seed), publicKey: ed448.getPublicKey(seed) }),
  sign: (privateKey, message, context) => ed448.sign(message, privateKey, { context }),
  verify: (key, message, context, signature) =>
    ed448.verify(signature, message, key, { context, zip215: false }),
};

/** The signature algorithms. */
export const JS_SIGNATURES: Readonly<Record<SignatureName | 'Ed448', SignatureAlgorithm>> = {
  Ed448: ED448,
  'ML-DSA-44': mlDsa(ml_dsa44),
  'ML-DSA-65': mlDsa(ml_dsa65),
  'ML-DSA-87': mlDsa(ml_dsa87),
  'SLH-DSA-SHA2-128s': slhDsa(slh.slh_dsa_sha2_128s),
  'SLH-DSA-SHA2-128f': slhDsa(slh.slh_dsa_sha2_128f),
  'SLH-DSA-SHA2-192s': slhDsa(slh.slh_dsa_sha2_192s),
  'SLH-DSA-SHA2-192f': slhDsa(slh.slh_dsa_sha2_192f),
  'SLH-DSA-SHA2-256s': slhDsa(slh.slh_dsa_sha2_256s),
  'SLH-DSA-SHA2-256f': slhDsa(slh.slh_dsa_sha2_256f),
  'SLH-DSA-SHAKE-128s': slhDsa(slh.slh_dsa_shake_128s),
  'SLH-DSA-SHAKE-128f': slhDsa(slh.slh_dsa_shake_128f),
  'SLH-DSA-SHAKE-192s': slhDsa(slh.slh_dsa_shake_192s),
  'SLH-DSA-SHAKE-192f': slhDsa(slh.slh_dsa_shake_192f),
  'SLH-DSA-SHAKE-256s': slhDsa(slh.slh_dsa_shake_256s),
  'SLH-DSA-SHAKE-256f': slhDsa(slh.slh_dsa_shake_256f),
};
