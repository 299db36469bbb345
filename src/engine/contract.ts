/**
 * The contract of an engine: one implementation of some of the algorithms of src/crypto. All lengths are in
 * bytes.
 *
 * Rules for every engine, not repeated below:
 * - All engines that have an algorithm give the same bytes for the same input.
 * - An engine may lack an algorithm, and may lack sizes of one that it has (`gap`). It never passes work to
 * another engine; the registry does.
 * - Inputs are never changed, except `into`. The caller does not change them before the result is available.
 * - `into` has at least the length of the result and may begin at the same byte as the data; the result is
 * then a view of it. It overlaps nothing else: the caller copies what it would (src/subtle does).
 * - A result may be a value or a promise; `await` takes both.
 * - `signal` ends the work with its reason, which leaves `into` undefined; an engine may ignore it.
 * - Data that do not verify give an AuthenticationError (src/crypto/errors.ts), and leave no plaintext in
 * `into`. An engine that fails itself throws EngineError before it changes `into`.
 */
import type { Hash, HashName } from '../crypto/contracts.ts';
import type { OddPower } from '../crypto/bigint/odd-power.ts';
import type { KmacParams } from '../crypto/mac/kmac.ts';
import type { KemName } from '../crypto/post-quantum.ts';
import type {
  AeadParams,
  AgreementName,
  ByteSignatureName,
  CipherName,
  CipherParams,
  KdfName,
  KdfParams,
  KmacName,
  MacHashName,
  MacName,
  PlatformName,
  PowerName,
  XofName,
  XofParams,
} from '../crypto/subtle/parameters.ts';

export type {
  AeadParams,
  Argon2Params,
  CbcParams,
  CipherName,
  CipherParams,
  CtrParams,
  HkdfParams,
  KdfName,
  KdfParams,
  KmacName,
  MacHashName,
  MacName,
  NoParams,
  Pbkdf2Params,
  PlatformName,
  PowerName,
  SalsaParams,
  ScryptParams,
  SivParams,
  XofName,
  XofParams,
} from '../crypto/subtle/parameters.ts';

/** The order in which `auto` prefers them. Threads and GPU engines need the caller's opt-in. */
export const ENGINE_NAMES = [
  'native',
  'wasm-threads',
  'wasm-simd',
  'js',
  'webgl',
  'webgpu',
] as const;
/** The name of an engine, also in reports. */
export type EngineName = (typeof ENGINE_NAMES)[number];

export type { HashName } from '../crypto/contracts.ts';

/** A value, or the promise of it. `await` takes both. */
export type Awaitable<T> = T | Promise<T>;

/**
 * The claim of an implementation about its timing.
 *
 * - `by-construction`: no load address and no branch depends on a secret.
 * - `platform`: the claim of the browser's or runtime's library.
 * - `no`: loads depend on secrets (AES tables, GHASH tables). Not side-channel safe.
 */
export type ConstantTime = 'by-construction' | 'platform' | 'no';

interface Offer {
  readonly constantTime: ConstantTime;
}

/** A cipher or AEAD; `P` are the parameters of one message. */
export interface Cipher<P> extends Offer {
  /**
   * Why this engine cannot process such a key and message parameters, although it has the algorithm;
   * undefined if it can. Absent: it supports all that the algorithm's standard allows.
   */
  gap?(keyBytes: number, params?: P): Awaitable<string | undefined>;
  /** @param key of the length in the algorithm's standard; copied, so that the caller may wipe it */
  withKey(key: Uint8Array): Awaitable<KeyedCipher<P>>;
}

/** A cipher or AEAD under one key. `wipe` it after use. */
export interface KeyedCipher<P> {
  /** An AEAD returns ciphertext ‖ tag. */
  encrypt(
    params: P,
    data: Uint8Array,
    into?: Uint8Array,
    signal?: AbortSignal,
  ): Awaitable<Uint8Array>;
  /** @throws AuthenticationError if tag, padding or integrity check do not verify */
  decrypt(
    params: P,
    data: Uint8Array,
    into?: Uint8Array,
    signal?: AbortSignal,
  ): Awaitable<Uint8Array>;
  /**
   * Encrypts each message separately; for engines that are faster with many.
   *
   * @returns results in the order of the messages: views of `into` if given
   */
  encryptMany?(messages: readonly CipherMessage<P>[]): Awaitable<Uint8Array[]>;
  /** The inverse; undefined for each message that `decrypt` would refuse. */
  decryptMany?(messages: readonly CipherMessage<P>[]): Awaitable<(Uint8Array | undefined)[]>;
  wipe(): void;
}

/** One of many messages under one key. */
export interface CipherMessage<P> {
  readonly params: P;
  readonly data: Uint8Array;
  readonly into?: Uint8Array | undefined;
}

/** A message authentication code. */
export interface MacAlgorithm extends Offer {
  /** Why this engine has no such MAC over this hash; undefined if it has one. */
  gap?(hash: MacHashName | undefined): Awaitable<string | undefined>;
  /**
   * @param key HMAC: any length, 0 included; AES: 16, 24 or 32 bytes; copied
   * @param hash for HMAC
   */
  withKey(key: Uint8Array, hash?: MacHashName): Awaitable<KeyedMac>;
}

/** Bytes, and the place for their Base64. */
export interface Base64Message {
  readonly data: Uint8Array;
  readonly text: Uint8Array;
}

/** A MAC under one key. `wipe` it after use. */
export interface KeyedMac {
  /** @returns the whole tag */
  sign(data: Uint8Array): Awaitable<Uint8Array>;
  /** The tags of many messages, in their order; for engines that are faster with many. */
  signMany?(messages: readonly Uint8Array[]): Awaitable<Uint8Array[]>;
  /**
   * The tags of the Base64 of many messages (RFC 4648, section 4: padded), in their order; for engines that are faster
   * than encoding first.
   *
   * @param messages `text` receives the Base64 of `data`: 4 · ⌈data.length / 3⌉ characters in ASCII
   */
  signBase64Many?(messages: readonly Base64Message[]): Uint8Array[];
  /** True if `tag` is the whole tag of `data`; compared without early exit. */
  verify(tag: Uint8Array, data: Uint8Array): Awaitable<boolean>;
  wipe(): void;
}
/** Every hash that an engine may digest with. */
export type DigestName = HashName;

/** A hash function. */
export interface DigestAlgorithm extends Offer {
  digest(data: Uint8Array, signal?: AbortSignal): Awaitable<Uint8Array>;
  /** A hash that takes the message in pieces; not every engine has one. */
  create?(): Hash;
}

/** An extendable-output function: a hash with parameters, whose output has any length. */
export interface XofAlgorithm<P> extends Offer {
  /** @returns `outputBytes` of the parameters */
  digest(params: P, data: Uint8Array): Awaitable<Uint8Array>;
  /** One that takes the message in pieces; not every engine has one. */
  create?(params: P): Hash;
}

/** KMAC (SP 800-185, section 4). */
export interface KmacAlgorithm extends Offer {
  /** @param key any length; copied */
  withKey(key: Uint8Array): Awaitable<KeyedKmac>;
}

/** KMAC under one key. `wipe` it after use. */
export interface KeyedKmac {
  /** @returns a tag of `outputBytes` of the parameters */
  sign(params: KmacParams, data: Uint8Array): Awaitable<Uint8Array>;
  /** True if `tag` is the tag of `outputBytes` of `data`; compared without early exit. */
  verify(params: KmacParams, tag: Uint8Array, data: Uint8Array): Awaitable<boolean>;
  wipe(): void;
}

/** A key derivation; `P` are its parameters other than secret and length. */
export interface Kdf<P> extends Offer {
  /** Why this engine cannot derive so many bytes from such a secret; undefined if it can. */
  gap?(secretBytes: number, params: P, lengthBytes: number): Awaitable<string | undefined>;
  /**
   * @param secret any length, 0 included
   * @param lengthBytes 0 included
   */
  derive(secret: Uint8Array, params: P, lengthBytes: number): Awaitable<Uint8Array>;
}

/** An algorithm of key pairs; keys and operations stay in the platform. */
export interface PlatformAlgorithm extends Offer {
  readonly subtle: SubtleCrypto;
}

/** A classical algorithm: the engine only does modular exponentiation; src/crypto does the rest. */
export interface PowerAlgorithm extends Offer {
  readonly power: OddPower;
}

/** A key encapsulation mechanism with seeds for private keys (`KEMS` has the lengths). */
export interface KemAlgorithm extends Offer {
  /** @returns the public key of a seed */
  publicKey(seed: Uint8Array): Awaitable<Uint8Array>;
  /**
   * @param publicKey of the right length
   * @param randomness never used twice; a platform that draws its own ignores it
   * @throws RangeError for an invalid public key
   */
  encapsulate(publicKey: Uint8Array, randomness: Uint8Array): Awaitable<Encapsulated>;
  /**
   * @param ciphertext of the right length
   * @returns the shared key, 32 bytes; another one for a ciphertext that was not made for this seed
   * @throws RangeError for a ciphertext that no sender can have made
   */
  decapsulate(seed: Uint8Array, ciphertext: Uint8Array): Awaitable<Uint8Array>;
}

/** A shared key of 32 bytes, and the ciphertext that discloses it to the recipient. */
export interface Encapsulated {
  readonly sharedKey: Uint8Array;
  readonly ciphertext: Uint8Array;
}

/** A key agreement whose keys are bytes: X448 (RFC 7748), with 56 bytes for either key and the secret. */
export interface AgreementAlgorithm extends Offer {
  /** @returns the public key of a private one */
  publicKey(privateKey: Uint8Array): Awaitable<Uint8Array>;
  /**
   * @returns the shared secret, which the caller wipes
   * @throws RangeError if it is all zeros: a public key of low order (RFC 7748, section 6.2)
   */
  agree(privateKey: Uint8Array, publicKey: Uint8Array): Awaitable<Uint8Array>;
}

/**
 * A signature algorithm whose keys are bytes: the post-quantum ones (`SIGNATURES` has the lengths), and Ed448 (RFC
 * 8032) with 57 bytes for either key and 114 for a signature.
 */
export interface SignatureAlgorithm extends Offer {
  /** Why this engine takes no context of so many bytes; undefined if it does. */
  gap?(contextBytes: number): string | undefined;
  /** @param seed uniformly random, never used twice */
  keyPair(seed: Uint8Array): Awaitable<SignatureKeyPair>;
  /** @returns the public key of a private one */
  publicKey(privateKey: Uint8Array): Awaitable<Uint8Array>;
  /**
   * @param randomness never used twice; ignored by a platform that draws its own, and by Ed448, which needs none
   * @param context at most 255 bytes
   */
  sign(
    privateKey: Uint8Array,
    message: Uint8Array,
    context: Uint8Array,
    randomness: Uint8Array,
  ): Awaitable<Uint8Array>;
  /** @param signature of the right length */
  verify(
    publicKey: Uint8Array,
    message: Uint8Array,
    context: Uint8Array,
    signature: Uint8Array,
  ): Awaitable<boolean>;
}

/** The two halves as bytes. */
export interface SignatureKeyPair {
  readonly privateKey: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** The type of each algorithm's implementation in an engine. */
export type AlgorithmTypes = { readonly [A in CipherName]: Cipher<CipherParams[A]> } & {
  readonly [A in MacName]: MacAlgorithm;
} & { readonly [A in DigestName]: DigestAlgorithm } & {
  readonly [A in XofName]: XofAlgorithm<XofParams[A]>;
} & { readonly [A in KmacName]: KmacAlgorithm } & {
  readonly [A in KdfName]: Kdf<KdfParams[A]>;
} & { readonly [A in PlatformName]: PlatformAlgorithm } & {
  readonly [A in PowerName]: PowerAlgorithm;
} & { readonly [A in KemName]: KemAlgorithm } & {
  readonly [A in ByteSignatureName]: SignatureAlgorithm;
} & { readonly [A in AgreementName]: AgreementAlgorithm };
/** Every algorithm that an engine may have. */
export type AlgorithmName = keyof AlgorithmTypes;
/** The algorithms that an engine has. */
export type Algorithms = Partial<AlgorithmTypes>;

/**
 * The result of a probe: the available algorithms, or the reason why there are none. `lacks`: why some of them are
 * missing that the engine usually has.
 */
export type Probe =
  | { readonly available: true; readonly algorithms: Algorithms; readonly lacks?: string }
  | { readonly available: false; readonly reason: string };

/** One implementation of some algorithms. A registry probes it and closes it. */
export interface Engine {
  readonly name: EngineName;
  /** Finds out by trials what is available here. A registry calls it once; must not throw. */
  probe(): Awaitable<Probe>;
  /** Why an engine that was available is so no more; absent for those to which this cannot happen. */
  fault?(): string | undefined;
  /** Wipes keys and frees memory, workers and contexts. */
  close(): void;
}

/**
 * AES-GCM of another engine, which hashes what a card encrypts.
 *
 * @param keyBytes length of the key
 * @param params with a nonce of 12 bytes
 * @returns its cipher; a text, the reason, where no engine takes such a message
 */
export type GcmBeside = (
  keyBytes: number,
  params?: AeadParams,
) => Awaitable<Cipher<AeadParams> | string>;

/** What an engine on a graphics card gets from the registry that it is in. */
export interface CardOptions {
  readonly beside: GcmBeside;
}

/** The engine itself failed (context lost, out of memory). Another one may do the work. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}

/** By its name: an engine that is a script of its own has a class of its own. */
export function isEngineError(error: unknown): error is EngineError {
  return error instanceof Error && error.name === 'EngineError';
}
