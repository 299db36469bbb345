/**
 * Published vectors that an engine has to reproduce before an algorithm of it is first used. They
 * cover what engines get wrong: every key size, empty messages, partial blocks, nonces that are
 * not 12 bytes, counters that wrap, keys longer than a block. The whole published sets are in the
 * tests; these are few enough to run at every start.
 */
import type { AlgorithmName, CipherName, CipherParams, KdfName } from './contract.ts';
import type { DigestName, HashName, KdfParams, MacName } from './contract.ts';
import { AEAD_ANSWERS } from './known-answers-aead.ts';
import { CIPHER_ANSWERS } from './known-answers-cipher.ts';
import { DIGEST_ANSWERS } from './known-answers-digest.ts';
import { KDF_ANSWERS } from './known-answers-kdf.ts';
import { MAC_ANSWERS } from './known-answers-mac.ts';

interface Published {
  /** Standard and section, or set and number. */
  readonly source: string;
}

export interface CipherAnswer<P> extends Published {
  readonly key: Uint8Array;
  readonly params: P;
  readonly plaintext: Uint8Array;
  /** An AEAD's tag is its end. */
  readonly ciphertext: Uint8Array;
}

export interface MacAnswer extends Published {
  readonly key: Uint8Array;
  readonly hash?: HashName;
  readonly message: Uint8Array;
  readonly tag: Uint8Array;
}

export interface DigestAnswer extends Published {
  readonly message: Uint8Array;
  readonly digest: Uint8Array;
}

export interface KdfAnswer<P> extends Published {
  readonly secret: Uint8Array;
  readonly params: P;
  readonly output: Uint8Array;
}

export type AnswerTypes = { readonly [A in CipherName]: CipherAnswer<CipherParams[A]> } & {
  readonly [A in MacName]: MacAnswer;
} & { readonly [A in DigestName]: DigestAnswer } & {
  readonly [A in KdfName]: KdfAnswer<KdfParams[A]>;
};

export const KNOWN_ANSWERS: { readonly [A in AlgorithmName]: readonly AnswerTypes[A][] } = {
  ...AEAD_ANSWERS,
  ...CIPHER_ANSWERS,
  ...MAC_ANSWERS,
  ...DIGEST_ANSWERS,
  ...KDF_ANSWERS,
};
