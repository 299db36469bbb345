/**
 * Published vectors that an engine must reproduce before the first use of an algorithm. They cover frequent errors of
 * implementations: every key size, empty messages, partial blocks, nonces of other lengths than 12 bytes, counters that
 * wrap, keys longer than a block. They are few enough to run at every start. The tests have the complete published
 * sets.
 */
import type { AlgorithmName } from '../contract.ts';
import { AEAD_ANSWERS, SIV_ANSWERS } from './aead.ts';
import type { AnswerTypes } from './answers.ts';
import { ARX_ANSWERS } from './arx.ts';
import { CIPHER_ANSWERS } from './cipher.ts';
import { DIGEST_ANSWERS } from './digest.ts';
import { KDF_ANSWERS } from './kdf.ts';
import { KECCAK_ANSWERS } from './keccak.ts';
import { MAC_ANSWERS } from './mac.ts';
import { CURVE448_ANSWERS, PLATFORM_ANSWERS } from './platform.ts';
import { POST_QUANTUM_ANSWERS } from './post-quantum.ts';
import { POWER_ANSWERS } from './power.ts';

/** The known answers of every algorithm. */
export const KNOWN_ANSWERS: { readonly [A in AlgorithmName]: readonly AnswerTypes[A][] } = {
  ...AEAD_ANSWERS,
  ...SIV_ANSWERS,
  ...ARX_ANSWERS,
  ...CIPHER_ANSWERS,
  ...MAC_ANSWERS,
  ...DIGEST_ANSWERS,
  ...KECCAK_ANSWERS,
  ...KDF_ANSWERS,
  ...PLATFORM_ANSWERS,
  ...CURVE448_ANSWERS,
  ...POWER_ANSWERS,
  ...POST_QUANTUM_ANSWERS,
};
