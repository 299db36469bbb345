/**
 * What an engine is: one way to run some of the algorithms of floor 0. All lengths are in bytes.
 *
 * Rules that hold for every engine and are not repeated below:
 * - All engines that have an algorithm give the same bytes for the same input.
 * - An engine may lack an algorithm, and may lack sizes of one that it has (`gap`). It never hands
 *   work on to another engine: that is the registry's decision.
 * - Inputs are never changed, except `into`. The caller leaves them alone until the result is there.
 * - `into` has room for the whole result and may begin at the very byte where the data begin; the
 *   result is then a view of it. Any other overlap is undefined.
 * - Work may be done at once or later; `await` takes both.
 * - Whatever does not verify is an AuthenticationError (src/crypto/errors.ts), and leaves no
 *   plaintext in `into`. An engine that breaks down throws EngineError before it changes `into`.
 */
import type { OddPower } from '../crypto/bigint/odd-power.ts';
import type { Hash, HashName, Sha3Name, ShaName } from '../crypto/contracts.ts';
import type { ScryptCost } from '../crypto/kdf/scrypt.ts';
import type { SalsaRounds } from '../crypto/stream/salsa20.ts';

/** In the order in which `auto` prefers them; the GPU engines only where the caller opts in. */
export const ENGINE_NAMES = ['native', 'wasm-simd', 'wasm', 'js', 'webgl', 'webgpu'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

export type { HashName } from '../crypto/contracts.ts';

export type Awaitable<T> = T | Promise<T>;

/**
 * What an implementation says about its timing.
 *
 * - `by-construction`: no load address and no branch depends on a secret.
 * - `platform`: what the browser's or the runtime's own library claims for it.
 * - `no`: loads depend on secrets (AES tables, GHASH tables). Not side-channel safe.
 */
export type ConstantTime = 'by-construction' | 'platform' | 'no';

interface Offer {
  readonly constantTime: ConstantTime;
}

/** A cipher or AEAD; `P` are the parameters of one message. */
export interface Cipher<P> extends Offer {
  /**
   * Why this engine cannot take such a key and message parameters, although it has the algorithm;
   * undefined if it can. Absent: it takes all that the algorithm's standard allows.
   */
  gap?(keyBytes: number, params?: P): Awaitable<string | undefined>;
  /** @param key as long as the algorithm's standard says; copied, so that the caller may wipe it */
  withKey(key: Uint8Array): Awaitable<KeyedCipher<P>>;
}

export interface KeyedCipher<P> {
  /** An AEAD returns ciphertext ‖ tag. */
  encrypt(params: P, data: Uint8Array, into?: Uint8Array): Awaitable<Uint8Array>;
  /** @throws AuthenticationError if tag, padding or integrity check do not verify */
  decrypt(params: P, data: Uint8Array, into?: Uint8Array): Awaitable<Uint8Array>;
  /**
   * As if each were encrypted by itself, in an engine that is faster at many.
   *
   * @returns results in the order of the messages: views of `into` where that was given
   */
  encryptMany?(messages: readonly CipherMessage<P>[]): Awaitable<Uint8Array[]>;
  /** The inverse; undefined in the place of what `decrypt` would refuse. */
  decryptMany?(messages: readonly CipherMessage<P>[]): Awaitable<(Uint8Array | undefined)[]>;
  wipe(): void;
}

/** One of many under one key. */
export interface CipherMessage<P> {
  readonly params: P;
  readonly data: Uint8Array;
  readonly into?: Uint8Array | undefined;
}

export interface AeadParams {
  /** To encrypt: one that was never used before under this key. */
  readonly nonce: Uint8Array;
  readonly associatedData: Uint8Array;
  readonly tagBytes: number;
}

export interface CtrParams {
  /** The first counter block, 16 bytes. */
  readonly counter: Uint8Array;
  /** How many of its last bits count (1 … 128); the others stay as they are. */
  readonly counterBits: number;
}

export interface CbcParams {
  /** 16 bytes. Padding is PKCS#7, as in the Web Cryptography API. */
  readonly iv: Uint8Array;
}

export interface SivParams {
  /** Up to 126 strings, whose number and borders count (RFC 5297, section 2.6). */
  readonly associatedData: readonly Uint8Array[];
}

export interface SalsaParams {
  /** 8 bytes */
  readonly nonce: Uint8Array;
  readonly rounds: SalsaRounds;
  /** Number of the first block, 0 … 2^64 - 1 */
  readonly counter: number | bigint;
}

/** ECB and key wrap have no parameters. */
export type NoParams = Readonly<Record<string, never>>;

export interface CipherParams {
  'AES-GCM': AeadParams;
  'AES-CCM': AeadParams;
  'AES-OCB': AeadParams;
  'AES-CTR': CtrParams;
  'AES-CBC': CbcParams;
  'AES-ECB': NoParams;
  'AES-KW': NoParams;
  'AES-SIV': SivParams;
  'AES-GCM-SIV': AeadParams;
  'ChaCha20-Poly1305': AeadParams;
  'XChaCha20-Poly1305': AeadParams;
  Salsa20: SalsaParams;
}
export type CipherName = keyof CipherParams;

/** What HMAC and its kin are built over; BLAKE2b and BLAKE3 have keyed modes of their own. */
export type MacHashName = ShaName | Sha3Name;

export interface MacAlgorithm extends Offer {
  /** Why this engine has no such MAC over this hash; undefined if it has. */
  gap?(hash: MacHashName | undefined): Awaitable<string | undefined>;
  /**
   * @param key HMAC: any length, 0 included; AES: 16, 24 or 32 bytes; copied
   * @param hash for HMAC
   */
  withKey(key: Uint8Array, hash?: MacHashName): Awaitable<KeyedMac>;
}

export interface KeyedMac {
  /** @returns the whole tag */
  sign(data: Uint8Array): Awaitable<Uint8Array>;
  /** The tags of many messages, in their order, in an engine that is faster at many. */
  signMany?(messages: readonly Uint8Array[]): Awaitable<Uint8Array[]>;
  /** True if `tag` is the whole tag of `data`; compared without early exit. */
  verify(tag: Uint8Array, data: Uint8Array): Awaitable<boolean>;
  wipe(): void;
}
export type MacName = 'HMAC' | 'AES-CMAC' | 'AES-CBC-MAC';

export type DigestName = HashName;

export interface DigestAlgorithm extends Offer {
  digest(data: Uint8Array): Awaitable<Uint8Array>;
  /** A hash that takes the message in pieces, where the engine has one. */
  create?(): Hash;
}

/** A key derivation; `P` are its parameters beside secret and length. */
export interface Kdf<P> extends Offer {
  /** Why this engine cannot derive so many bytes from such a secret; undefined if it can. */
  gap?(secretBytes: number, params: P, lengthBytes: number): Awaitable<string | undefined>;
  /**
   * @param secret any length, 0 included
   * @param lengthBytes 0 included
   */
  derive(secret: Uint8Array, params: P, lengthBytes: number): Awaitable<Uint8Array>;
}

export interface HkdfParams {
  readonly hash: MacHashName;
  readonly salt: Uint8Array;
  readonly info: Uint8Array;
}

export interface Pbkdf2Params {
  readonly hash: MacHashName;
  readonly salt: Uint8Array;
  readonly iterations: number;
}

export interface ScryptParams extends ScryptCost {
  readonly salt: Uint8Array;
}

/** RFC 9106, section 3.1; version 0x13. */
export interface Argon2Params {
  /** S */
  readonly nonce: Uint8Array;
  /** m */
  readonly memoryKiB: number;
  /** t */
  readonly passes: number;
  /** p */
  readonly parallelism: number;
  /** K */
  readonly secret: Uint8Array;
  /** X */
  readonly associatedData: Uint8Array;
}

export interface KdfParams {
  HKDF: HkdfParams;
  PBKDF2: Pbkdf2Params;
  scrypt: ScryptParams;
  Argon2id: Argon2Params;
}
export type KdfName = keyof KdfParams;

/** An algorithm of key pairs that is the platform's: keys and operations stay there. */
export interface PlatformAlgorithm extends Offer {
  readonly subtle: SubtleCrypto;
}
export type PlatformName =
  'RSA-OAEP' | 'RSASSA-PKCS1-v1_5' | 'RSA-PSS' | 'ECDH' | 'ECDSA' | 'X25519' | 'Ed25519';

/** A classical algorithm: the engine raises to powers, all else is floor 0's. */
export interface PowerAlgorithm extends Offer {
  readonly power: OddPower;
}
export type PowerName = 'DH' | 'DSA';

/** What every algorithm looks like where an engine has it. */
export type AlgorithmTypes = { readonly [A in CipherName]: Cipher<CipherParams[A]> } & {
  readonly [A in MacName]: MacAlgorithm;
} & { readonly [A in DigestName]: DigestAlgorithm } & {
  readonly [A in KdfName]: Kdf<KdfParams[A]>;
} & { readonly [A in PlatformName]: PlatformAlgorithm } & {
  readonly [A in PowerName]: PowerAlgorithm;
};
export type AlgorithmName = keyof AlgorithmTypes;
export type Algorithms = Partial<AlgorithmTypes>;

/** What a probe found: the algorithms that are really there, or why there are none. */
export type Probe =
  | { readonly available: true; readonly algorithms: Algorithms }
  | { readonly available: false; readonly reason: string };

export interface Engine {
  readonly name: EngineName;
  /** Looks what is there, by trying it. Called once by a registry; must not throw. */
  probe(): Awaitable<Probe>;
  /** Wipes keys and gives memory, workers and contexts back. */
  close(): void;
}

/** The engine itself broke down (context lost, out of memory): another one may do better. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}
