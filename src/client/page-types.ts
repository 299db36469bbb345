/*
 * What the types of the page API have beside the published contract: bytes in a buffer of their own, and the
 * additions of `sealwright.subtle`. A value of these types is one of the contract's.
 */

type Bytes = BufferSource;

/** `Uint8Array<ArrayBuffer>`, written so that TypeScript before 5.7 understands it: for fetch and new Blob. */
export type OwnBytes = ReturnType<Uint8Array['slice']>;

/**
 * The parameters of all algorithms of `sealwright.subtle`, by the names of the Web Cryptography API.
 * docs/library.md says which algorithm takes which.
 */
export interface SealwrightAlgorithm {
  readonly name: string;
  readonly additionalData?: Bytes | readonly Bytes[] | undefined;
  readonly associatedData?: Bytes | undefined;
  /** ML-DSA, SLH-DSA, Ed448: at most 255 bytes. */
  readonly context?: Bytes | undefined;
  readonly counter?: Bytes | number | bigint | undefined;
  /** cSHAKE, KMAC, KangarooTwelve: separates the uses of an application. */
  readonly customization?: Bytes | undefined;
  /** TurboSHAKE: 1 to 127. Default: 31. */
  readonly domainSeparation?: number | undefined;
  /** cSHAKE: of a function of NIST's on top of it. */
  readonly functionName?: Bytes | undefined;
  readonly g?: Bytes | bigint | undefined;
  /** Of a user key: the generation to derive from. Default: 1. */
  readonly generation?: number | undefined;
  readonly group?: string | undefined;
  readonly hash?: string | { readonly name: string } | undefined;
  /** Required for AES-ECB, AES-CBC-MAC and Salsa20, which alone do not protect data. */
  readonly hazardous?: boolean | undefined;
  readonly info?: Bytes | undefined;
  readonly iterations?: number | undefined;
  readonly iv?: Bytes | undefined;
  readonly label?: Bytes | undefined;
  readonly length?: number | undefined;
  readonly memory?: number | undefined;
  readonly modulusLength?: number | undefined;
  readonly N?: number | undefined;
  readonly namedCurve?: string | undefined;
  /** Argon2id: the salt. */
  readonly nonce?: Bytes | undefined;
  /** cSHAKE, KMAC, TurboSHAKE, KangarooTwelve: in bits, a multiple of 8. */
  readonly outputLength?: number | undefined;
  readonly p?: Bytes | bigint | number | undefined;
  readonly parallelism?: number | undefined;
  readonly passes?: number | undefined;
  readonly public?: CryptoKey | undefined;
  readonly publicExponent?: Uint8Array | undefined;
  readonly q?: Bytes | bigint | undefined;
  readonly r?: number | undefined;
  readonly rounds?: number | undefined;
  readonly salt?: Bytes | undefined;
  readonly saltLength?: number | undefined;
  readonly secretValue?: Bytes | undefined;
  readonly tagLength?: number | undefined;
  readonly version?: number | undefined;
}

type Usage =
  | 'encrypt'
  | 'decrypt'
  | 'sign'
  | 'verify'
  | 'deriveKey'
  | 'deriveBits'
  | 'wrapKey'
  | 'unwrapKey'
  | 'encapsulateKey'
  | 'encapsulateBits'
  | 'decapsulateKey'
  | 'decapsulateBits';
type Usages = readonly Usage[];
type Format = 'raw' | 'pkcs8' | 'spki' | 'raw-secret' | 'raw-public' | 'raw-private' | 'raw-seed';

/** What `sealwright.subtle` takes beside the arguments of SubtleCrypto. */
interface SubtleAdditions {
  encrypt(algorithm: SealwrightAlgorithm, key: CryptoKey, data: Bytes): Promise<ArrayBuffer>;
  decrypt(algorithm: SealwrightAlgorithm, key: CryptoKey, data: Bytes): Promise<ArrayBuffer>;
  sign(algorithm: SealwrightAlgorithm, key: CryptoKey, data: Bytes): Promise<ArrayBuffer>;
  verify(
    algorithm: SealwrightAlgorithm,
    key: CryptoKey,
    signature: Bytes,
    data: Bytes,
  ): Promise<boolean>;
  digest(algorithm: SealwrightAlgorithm | string, data: Bytes): Promise<ArrayBuffer>;
  generateKey(
    algorithm: SealwrightAlgorithm,
    extractable: boolean,
    keyUsages: Usages,
  ): Promise<CryptoKey | CryptoKeyPair>;
  deriveBits(
    algorithm: SealwrightAlgorithm,
    baseKey: CryptoKey,
    length?: number | null,
  ): Promise<ArrayBuffer>;
  deriveKey(
    algorithm: SealwrightAlgorithm,
    baseKey: CryptoKey,
    derivedKeyType: SealwrightAlgorithm,
    extractable: boolean,
    keyUsages: Usages,
  ): Promise<CryptoKey>;
  /** A key of the user, by the id that a grant has for it. */
  importKey(
    format: 'sealwright',
    keyId: string,
    algorithm: SealwrightAlgorithm | string,
    extractable: false,
    keyUsages: Usages,
  ): Promise<CryptoKey>;
  importKey(
    format: 'jwk',
    keyData: JsonWebKey,
    algorithm: SealwrightAlgorithm | string,
    extractable: boolean,
    keyUsages: Usages,
  ): Promise<CryptoKey>;
  /** 'sealwright': a key that the vault keeps; `keyData` is its reference of 32 bytes. */
  importKey(
    format: Format | 'sealwright',
    keyData: Bytes,
    algorithm: SealwrightAlgorithm | string,
    extractable: boolean,
    keyUsages: Usages,
  ): Promise<CryptoKey>;
  exportKey(format: 'jwk', key: CryptoKey): Promise<JsonWebKey>;
  /** 'sealwright-ref': has the vault keep the key, under a grant on the app key. @returns its reference of 32 bytes */
  exportKey(format: Format | 'sealwright-ref', key: CryptoKey): Promise<ArrayBuffer>;
  /**
   * Takes a key that the vault keeps out of it, under a grant on the app key. Resolves also where the reference names no
   * key of this site.
   *
   * @param reference the 32 bytes that `exportKey('sealwright-ref', key)` gave
   */
  deleteKey(reference: Bytes): Promise<void>;
  wrapKey(
    format: Format | 'jwk',
    key: CryptoKey,
    wrappingKey: CryptoKey,
    wrapAlgorithm: SealwrightAlgorithm | string,
  ): Promise<ArrayBuffer>;
  unwrapKey(
    format: Format | 'jwk',
    wrappedKey: Bytes,
    unwrappingKey: CryptoKey,
    unwrapAlgorithm: SealwrightAlgorithm | string,
    unwrappedKeyAlgorithm: SealwrightAlgorithm | string,
    extractable: boolean,
    keyUsages: Usages,
  ): Promise<CryptoKey>;
  /** A new shared key of 32 bytes for the holder of a private key, and the ciphertext that carries it. */
  encapsulateKey(
    encapsulationAlgorithm: SealwrightAlgorithm | string,
    encapsulationKey: CryptoKey,
    sharedKeyAlgorithm: SealwrightAlgorithm | string,
    extractable: boolean,
    keyUsages: Usages,
  ): Promise<{ readonly sharedKey: CryptoKey; readonly ciphertext: ArrayBuffer }>;
  encapsulateBits(
    encapsulationAlgorithm: SealwrightAlgorithm | string,
    encapsulationKey: CryptoKey,
  ): Promise<{ readonly sharedKey: ArrayBuffer; readonly ciphertext: ArrayBuffer }>;
  decapsulateKey(
    decapsulationAlgorithm: SealwrightAlgorithm | string,
    decapsulationKey: CryptoKey,
    ciphertext: Bytes,
    sharedKeyAlgorithm: SealwrightAlgorithm | string,
    extractable: boolean,
    keyUsages: Usages,
  ): Promise<CryptoKey>;
  decapsulateBits(
    decapsulationAlgorithm: SealwrightAlgorithm | string,
    decapsulationKey: CryptoKey,
    ciphertext: Bytes,
  ): Promise<ArrayBuffer>;
  getPublicKey(key: CryptoKey, keyUsages: Usages): Promise<CryptoKey>;
  /**
   * Whether the algorithm has the operation, for pages, and takes parameters of these types and derives as much. At
   * once, not a promise.
   */
  supports(
    operation: string,
    algorithm: SealwrightAlgorithm | string,
    lengthOrAlgorithm?: number | SealwrightAlgorithm | string | null,
  ): boolean;
}

/** SubtleCrypto with the algorithms and the key format that `sealwright.subtle` adds. */
export type SealwrightSubtle = SubtleCrypto & SubtleAdditions;
