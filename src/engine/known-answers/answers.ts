/** Types of known answers: a published input and its output. */
import type { KemName, SignatureName } from '../../crypto/post-quantum.ts';
import type { DhGroup } from '../../crypto/classical/dh.ts';
import type { DsaPrivateKey, DsaPublicKey } from '../../crypto/classical/dsa.ts';
import type { KmacParams } from '../../crypto/mac/kmac.ts';
import type {
  CipherName,
  CipherParams,
  KdfName,
  KdfParams,
  KmacName,
  DigestName,
  MacHashName,
  MacName,
  PlatformName,
  XofName,
  XofParams,
} from '../contract.ts';

interface Published {
  /** Standard and section, or set and number. */
  readonly source: string;
}

/** One message under a cipher or an AEAD. */
export interface CipherAnswer<P> extends Published {
  readonly key: Uint8Array;
  readonly params: P;
  readonly plaintext: Uint8Array;
  /** Of an AEAD, with the tag at its end. */
  readonly ciphertext: Uint8Array;
}

/** One message and its full tag. */
export interface MacAnswer extends Published {
  readonly key: Uint8Array;
  readonly hash?: MacHashName;
  readonly message: Uint8Array;
  readonly tag: Uint8Array;
}

/** One message and its digest. */
export interface DigestAnswer extends Published {
  readonly message: Uint8Array;
  readonly digest: Uint8Array;
}

/** One message and what an extendable-output function makes of it. */
export interface XofAnswer<P> extends DigestAnswer {
  readonly params: P;
}

/** One message and its tag of a chosen length. */
export interface KmacAnswer extends Published {
  readonly key: Uint8Array;
  readonly params: KmacParams;
  readonly message: Uint8Array;
  readonly tag: Uint8Array;
}

/** One derived key. */
export interface KdfAnswer<P> extends Published {
  readonly secret: Uint8Array;
  readonly params: P;
  readonly output: Uint8Array;
}

/** Parameters are those of the import and of the operation, together. */
type PlatformParams = Readonly<Record<string, unknown>>;

/** A signature that must verify; with one bit changed, it must not. */
export interface SignatureAnswer extends Published {
  readonly kind: 'signature';
  readonly publicKey: JsonWebKey;
  readonly params: PlatformParams;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

/** A ciphertext that the private key must decrypt. */
export interface DecryptionAnswer extends Published {
  readonly kind: 'decryption';
  readonly privateKey: JsonWebKey;
  readonly params: PlatformParams;
  readonly ciphertext: Uint8Array;
  readonly plaintext: Uint8Array;
}

/** Two keys and the secret that they agree on. */
export interface AgreementAnswer extends Published {
  readonly kind: 'agreement';
  readonly privateKey: JsonWebKey;
  readonly publicKey: JsonWebKey;
  readonly params: PlatformParams;
  readonly secret: Uint8Array;
}

/** The known answers of an algorithm of key pairs. */
export type PlatformAnswer = SignatureAnswer | DecryptionAnswer | AgreementAnswer;

/** A Diffie-Hellman exchange. All numbers are big-endian and as long as the modulus. */
export interface DhAnswer extends Published {
  readonly group: DhGroup;
  readonly privateKey: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly peerPublic: Uint8Array;
  readonly secret: Uint8Array;
}

/** A deterministic DSA signature. */
export interface DsaAnswer extends Published {
  readonly key: DsaPrivateKey & DsaPublicKey;
  readonly message: Uint8Array;
  /** r ‖ s, as RFC 6979 prescribes it. */
  readonly signature: Uint8Array;
}

/** What follows from one seed of a KEM. Long outputs are given by their SHA-256. */
export interface KemAnswer extends Published {
  readonly seed: Uint8Array;
  readonly publicKeySha256: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly sharedKey: Uint8Array;
}

/** What follows from one seed of a signature algorithm. */
export interface PostQuantumAnswer extends Published {
  readonly keyPair?: { readonly seed: Uint8Array; readonly publicKeySha256: Uint8Array };
  /** Whether to sign and verify as well: not where that takes a second. */
  readonly signs: boolean;
  readonly publicKeyBytes: number;
  readonly signatureBytes: number;
}

/** Both public keys of an agreement between keys that are bytes, and its secret. */
export interface X448Answer extends Published {
  readonly privateKey: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly peerPublic: Uint8Array;
  readonly secret: Uint8Array;
}

/** A deterministic signature by a key that is bytes. */
export interface Ed448Answer extends Published {
  readonly privateKey: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly context: Uint8Array;
  readonly signature: Uint8Array;
}

/** The type of an algorithm's answers, by its name. */
export type AnswerTypes = { readonly [A in CipherName]: CipherAnswer<CipherParams[A]> } & {
  readonly [A in MacName]: MacAnswer;
} & { readonly [A in DigestName]: DigestAnswer } & {
  readonly [A in XofName]: XofAnswer<XofParams[A]>;
} & { readonly [A in KmacName]: KmacAnswer } & {
  readonly [A in KdfName]: KdfAnswer<KdfParams[A]>;
} & { readonly [A in PlatformName]: PlatformAnswer } & {
  readonly [A in KemName]: KemAnswer;
} & { readonly [A in SignatureName]: PostQuantumAnswer } & {
  readonly DH: DhAnswer;
  readonly DSA: DsaAnswer;
  readonly X448: X448Answer;
  readonly Ed448: Ed448Answer;
};
