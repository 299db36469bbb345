/**
 * Published vectors that an engine has to reproduce before an algorithm of it is first used. They
 * cover what engines get wrong: every key size, empty messages, partial blocks, nonces that are
 * not 12 bytes, counters that wrap, keys longer than a block. The whole published sets are in the
 * tests; these are few enough to run at every start.
 */
import type { DhGroup } from '../../crypto/classical/dh.ts';
import type { DsaPrivateKey, DsaPublicKey } from '../../crypto/classical/dsa.ts';
import type { AlgorithmName, CipherName, CipherParams, KdfName, KdfParams } from '../contract.ts';
import type { DigestName, MacHashName, MacName, PlatformName } from '../contract.ts';
import { AEAD_ANSWERS } from './aead.ts';
import { ARX_ANSWERS } from './arx.ts';
import { CIPHER_ANSWERS } from './cipher.ts';
import { DIGEST_ANSWERS } from './digest.ts';
import { KDF_ANSWERS } from './kdf.ts';
import { MAC_ANSWERS } from './mac.ts';
import { PLATFORM_ANSWERS } from './platform.ts';
import { POWER_ANSWERS } from './power.ts';
import { SIV_ANSWERS } from './siv.ts';

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
  readonly hash?: MacHashName;
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

/** Parameters are those of the import and of the operation, together. */
type PlatformParams = Readonly<Record<string, unknown>>;

export interface SignatureAnswer extends Published {
  readonly kind: 'signature';
  readonly publicKey: JsonWebKey;
  readonly params: PlatformParams;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

export interface DecryptionAnswer extends Published {
  readonly kind: 'decryption';
  readonly privateKey: JsonWebKey;
  readonly params: PlatformParams;
  readonly ciphertext: Uint8Array;
  readonly plaintext: Uint8Array;
}

export interface AgreementAnswer extends Published {
  readonly kind: 'agreement';
  readonly privateKey: JsonWebKey;
  readonly publicKey: JsonWebKey;
  readonly params: PlatformParams;
  readonly secret: Uint8Array;
}

export type PlatformAnswer = SignatureAnswer | DecryptionAnswer | AgreementAnswer;

export interface DhAnswer extends Published {
  readonly group: DhGroup;
  readonly privateKey: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly peerPublic: Uint8Array;
  readonly secret: Uint8Array;
}

export interface DsaAnswer extends Published {
  readonly key: DsaPrivateKey & DsaPublicKey;
  readonly message: Uint8Array;
  /** RFC 6979 lays it down. */
  readonly signature: Uint8Array;
}

export type AnswerTypes = { readonly [A in CipherName]: CipherAnswer<CipherParams[A]> } & {
  readonly [A in MacName]: MacAnswer;
} & { readonly [A in DigestName]: DigestAnswer } & {
  readonly [A in KdfName]: KdfAnswer<KdfParams[A]>;
} & { readonly [A in PlatformName]: PlatformAnswer } & {
  readonly DH: DhAnswer;
  readonly DSA: DsaAnswer;
};

export const KNOWN_ANSWERS: { readonly [A in AlgorithmName]: readonly AnswerTypes[A][] } = {
  ...AEAD_ANSWERS,
  ...SIV_ANSWERS,
  ...ARX_ANSWERS,
  ...CIPHER_ANSWERS,
  ...MAC_ANSWERS,
  ...DIGEST_ANSWERS,
  ...KDF_ANSWERS,
  ...PLATFORM_ANSWERS,
  ...POWER_ANSWERS,
};
