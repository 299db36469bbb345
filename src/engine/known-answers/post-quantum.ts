/**
 * Known answers of the post-quantum algorithms. Keys and signatures have kilobytes, so they stand here by their SHA-256:
 * the seed is 00 01 02 …, the ciphertext too, which no sender made. A KEM rejects it implicitly (FIPS 203, algorithm 18,
 * line 11), so the shared key follows from the seed and the ciphertext.
 */
import {
  KEM_NAMES,
  KEMS,
  SIGNATURE_NAMES,
  SIGNATURES,
  type KemName,
  type SignatureName,
} from '../../crypto/post-quantum.ts';
import { fromHex as hex } from '../../crypto/bytes.ts';
import type { KemAnswer, PostQuantumAnswer } from './answers.ts';

const counting = (lengthBytes: number): Uint8Array =>
  Uint8Array.from({ length: lengthBytes }, (_, i) => i);

/** SHA-256 of the public key, and the shared key. */
const OF_KEMS: Readonly<Record<KemName, readonly [string, string]>> = {
  'ML-KEM-512': [
    '3ae268dccc5456ac0d0f9b39257dc48fe081383b97c400512d712b739762daee',
    'b4c11e3388f87e0934017b97128fdf6a457693304266ca51444490fafdf3b929',
  ],
  'ML-KEM-768': [
    '0b7934c83125c788995e2ba6bd761e33046b3e40571be53e023309a29f398cc9',
    '2dcec6eacd41f41e98bbf1e6c4b6d1cfa76d83079fa78decb49d77f6ff9b796d',
  ],
  'ML-KEM-1024': [
    'c7b8fa0aa471d5ae18922d6ccad5b31e1d84f92ae723abfd13747018740a8530',
    'fa0e8f717366945dc1177a1b3eef44bd329bc1d0987e4e4a12bc0373aa096a37',
  ],
  'MLKEM768-X25519': [
    'c9a3565ffde4f72b51661be391ee13e46378d7f06dd5c8bf5af9d2cfb5b8336b',
    '1761a6ea181dd3fbeca4f2198d0d6d5528d6a11e3a888292681b43e86aa99ac1',
  ],
};

/**
 * SHA-256 of the public key. The other sets of SLH-DSA share the code of these, and take up to seconds for a key pair:
 * their answer is that they refuse a signature of zeros.
 */
const OF_SIGNATURES: Readonly<Partial<Record<SignatureName, string>>> = {
  'ML-DSA-44': '9f107644c1084526af3bc8098680b05499a2325a644e388fb4f970e058d19d46',
  'ML-DSA-65': 'd666806e11cee19a7c989f7445f90dd419cf4d2d51db8c0fdb4c0f0a542238c9',
  'ML-DSA-87': '91dc389cfaa01470b7f66eee45a4ae9026d154817c754dfe22298b3fa241ffcd',
  'SLH-DSA-SHA2-128f': 'f577b74987c6313ffa546b8885ca8450c7f427c20f0d9b52d166264016b8beba',
  'SLH-DSA-SHA2-192f': '305951b67f8a79021a7f6ad01ac0e4ecc111f7c8aeb07579741431f1e6cbe9d9',
  'SLH-DSA-SHAKE-128f': '99197c0060fec43eaefd42ebb68848f66cf3b2db814670dee2ac5c37d4aade64',
};

const SOURCE = 'of the seed 00 01 02 …';

function kemAnswer(name: KemName): KemAnswer {
  const { seedBytes, ciphertextBytes } = KEMS[name];
  const [publicKeySha256, sharedKey] = OF_KEMS[name];
  return {
    source: SOURCE,
    seed: counting(seedBytes),
    publicKeySha256: hex(publicKeySha256),
    ciphertext: counting(ciphertextBytes),
    sharedKey: hex(sharedKey),
  };
}

function signatureAnswer(name: SignatureName): PostQuantumAnswer {
  const { seedBytes, publicKeyBytes, signatureBytes } = SIGNATURES[name];
  const publicKeySha256 = OF_SIGNATURES[name];
  return {
    source: SOURCE,
    ...(publicKeySha256 !== undefined && {
      keyPair: { seed: counting(seedBytes), publicKeySha256: hex(publicKeySha256) },
    }),
    signs: name.startsWith('ML-DSA'),
    publicKeyBytes,
    signatureBytes,
  };
}

/** One answer for each algorithm. */
export const POST_QUANTUM_ANSWERS = {
  ...(Object.fromEntries(KEM_NAMES.map((name) => [name, [kemAnswer(name)]])) as unknown as Record<
    KemName,
    readonly KemAnswer[]
  >),
  ...(Object.fromEntries(
    SIGNATURE_NAMES.map((name) => [name, [signatureAnswer(name)]]),
  ) as unknown as Record<SignatureName, readonly PostQuantumAnswer[]>),
};
