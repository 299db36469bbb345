/** The key pairs of the engine `js`, whose code is loaded at the first use of one of them. */
import {
  KEM_NAMES,
  SIGNATURE_NAMES,
  type KemName,
  type SignatureName,
} from '../../crypto/post-quantum.ts';
import type { AgreementAlgorithm, KemAlgorithm, SignatureAlgorithm } from '../contract.ts';

/** The extension's bundles contain it, because a service worker cannot load a script later; it runs at the first use. */
const load = () => import(/* webpackMode: "eager" */ './post-quantum.ts');

function kem(name: KemName): KemAlgorithm {
  const own = async () => (await load()).JS_KEMS[name];
  return {
    // The X25519 of X-Wing is by BigInt.
    constantTime: name === 'MLKEM768-X25519' ? 'no' : 'by-construction',
    publicKey: async (seed) => (await own()).publicKey(seed),
    encapsulate: async (publicKey, randomness) => (await own()).encapsulate(publicKey, randomness),
    decapsulate: async (seed, ciphertext) => (await own()).decapsulate(seed, ciphertext),
  };
}

function signature(name: SignatureName | 'Ed448'): SignatureAlgorithm {
  const own = async () => (await load()).JS_SIGNATURES[name];
  return {
    constantTime: 'no',
    keyPair: async (seed) => (await own()).keyPair(seed),
    publicKey: async (privateKey) => (await own()).publicKey(privateKey),
    sign: async (...of) => (await own()).sign(...of),
    verify: async (...of) => (await own()).verify(...of),
  };
}

const X448: AgreementAlgorithm = {
  constantTime: 'no',
  publicKey: async (privateKey) => (await load()).JS_X448.publicKey(privateKey),
  agree: async (...of) => (await load()).JS_X448.agree(...of),
};

/** Every post-quantum algorithm, X448 and Ed448. */
export const JS_KEY_PAIRS = {
  X448,
  Ed448: signature('Ed448'),
  ...(Object.fromEntries(KEM_NAMES.map((name) => [name, kem(name)])) as Record<
    KemName,
    KemAlgorithm
  >),
  ...(Object.fromEntries(SIGNATURE_NAMES.map((name) => [name, signature(name)])) as Record<
    SignatureName,
    SignatureAlgorithm
  >),
};
