import { concat, fromBase64url, fromHex, wipe } from '../../crypto/bytes.ts';
import { isKeyPairName } from '../../format/wire/recipient-table.ts';
import type { PublicKey } from '../../format/wire/public-key.ts';
import { deriveEd25519Key } from '../../keys/ring/key-derivation.ts';
import type { UserKeyMaterial } from '../../keys/ring/key-ring.ts';
import type { SigningAlgorithm } from '../../keys/ring/user-key.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { wipeKey, type SubtleKey, type KeyAlgorithmInfo } from '../../subtle/key.ts';
import type { SubtleAlgorithm } from '../../subtle/params.ts';
import type { Subtle } from '../../subtle/subtle.ts';
import { bitLength } from '../../crypto/bigint/modular.ts';

/** A signing key of one generation. */
export interface SigningKey {
  readonly algorithm: SigningAlgorithm;
  /** Ed25519: 32 bytes, from which its key is derived. Others: PKCS #8. */
  readonly key: Uint8Array;
  /** SubjectPublicKeyInfo; absent for Ed25519. */
  readonly publicKey?: Uint8Array;
}

/** @throws RangeError for a key of another kind */
export function signingKeys({ kind, algorithm, generations }: UserKeyMaterial): SigningKey[] {
  if (kind !== 'signing') throw new RangeError('ref: the key is not for signing');
  return generations.map((each) => ({ ...each, algorithm: algorithm as SigningAlgorithm }));
}

/** The parameters of each algorithm (docs/keys.md). Pages cannot choose them. */
const PARAMETERS: Readonly<Record<SigningAlgorithm, SubtleAlgorithm>> = {
  Ed25519: { name: 'Ed25519' },
  DSA: { name: 'DSA', hash: 'SHA-256' },
  'RSASSA-PKCS1-v1_5': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  'RSA-PSS': { name: 'RSA-PSS', hash: 'SHA-256', saltLength: 32 },
};

/** PrivateKeyInfo (RFC 8410 section 7) of Ed25519, up to the 32 bytes of the key. */
const ED25519_PKCS8 = fromHex('302e020100300506032b657004220420');

/**
 * Makes and verifies signatures with signing keys. It signs the bytes as they are: the caller adds the prefix
 * (src/format/wire/signed-bytes.ts).
 *
 * Every method throws SealwrightError UNSUPPORTED if the browser lacks the algorithm.
 */
export class Signatures {
  readonly #subtle: () => Promise<Subtle>;

  constructor(subtle: () => Promise<Subtle>) {
    this.#subtle = subtle;
  }

  async sign(signingKey: SigningKey, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    return supported(async () => {
      const subtle = await this.#subtle();
      const key = await this.#privateKey(subtle, signingKey);
      try {
        return new Uint8Array(await subtle.sign(PARAMETERS[signingKey.algorithm], key, bytes));
      } finally {
        wipeKey(key);
      }
    });
  }

  async publicKeyOf(signingKey: SigningKey): Promise<PublicKey> {
    const { algorithm: type, publicKey } = signingKey;
    if (publicKey !== undefined) return { type, bytes: Uint8Array.from(publicKey) };
    return supported(async () => {
      const subtle = await this.#subtle();
      const key = await this.#privateKey(subtle, signingKey);
      const { x } = await subtle.exportKey('jwk', key);
      return { type, bytes: fromBase64url(x!) };
    });
  }

  /**
   * @param signature of any length
   * @throws SealwrightError INVALID_ARGUMENT for a public key that is invalid or not for signatures
   */
  async verify(
    publicKey: PublicKey,
    bytes: Uint8Array<ArrayBuffer>,
    signature: Uint8Array,
  ): Promise<boolean> {
    return supported(async () => {
      const subtle = await this.#subtle();
      const { algorithm, key } = await readSigningPublicKey(subtle, publicKey);
      const tag = Uint8Array.from(signature);
      try {
        return await subtle.verify(PARAMETERS[algorithm], key, tag, bytes);
      } catch (error) {
        if (!(error instanceof DOMException) || error.name !== 'OperationError') throw error;
        // DSA throws OperationError for an invalid group. The platform throws it for a malformed signature.
        if (algorithm === 'DSA') throw notForSignatures();
        return false;
      }
    });
  }

  /** The key is extractable, because the platform exports Ed25519's public half only with the private one. */
  async #privateKey(subtle: Subtle, { algorithm, key }: SigningKey): Promise<SubtleKey> {
    const derived = algorithm === 'Ed25519' ? deriveEd25519Key(key) : undefined;
    const pkcs8 = derived ? concat(ED25519_PKCS8, derived) : Uint8Array.from(key);
    try {
      return await subtle.importKey('pkcs8', pkcs8, PARAMETERS[algorithm], true, ['sign']);
    } finally {
      wipe(pkcs8, derived ?? pkcs8);
    }
  }
}

/** Early browsers lack Ed25519 (Chromium before 137). No library replaces it. */
async function supported<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'NotSupportedError') throw error;
    throw new SealwrightError('UNSUPPORTED', 'This browser cannot sign with keys of this kind');
  }
}

/** Bits of the modulus. Shorter ones are insecure; the time grows with the cube of the length. */
const MODULUS_BITS = { min: 2048, max: 8192 } as const;

/** A public key in the form that `subtle` imports. */
export interface SigningPublicKey {
  readonly algorithm: SigningAlgorithm;
  readonly key: SubtleKey;
}

/**
 * @throws SealwrightError INVALID_ARGUMENT for a key that is not for signatures, or of a size that
 *   is not accepted here; DOMException NotSupportedError if the browser lacks the algorithm
 */
export async function readSigningPublicKey(
  subtle: Subtle,
  { type, bytes }: PublicKey,
): Promise<SigningPublicKey> {
  if (isKeyPairName(type)) throw notForSignatures();
  const format = type === 'Ed25519' ? 'raw' : 'spki';
  const wanted = { name: type, ...(type !== 'Ed25519' && { hash: 'SHA-256' }) };
  try {
    const key = await subtle.importKey(format, bytes, wanted, true, ['verify']);
    requireModulus(key.algorithm);
    return { algorithm: type, key };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'DataError') throw notForSignatures();
    throw error;
  }
}

/**
 * Does nothing for Ed25519, which has one size.
 * @throws SealwrightError INVALID_ARGUMENT for a modulus of less than 2,048 or more than 8,192 bits
 */
export function requireModulus({ p, modulusLength }: KeyAlgorithmInfo): void {
  const bits = p === undefined ? modulusLength : bitLength(p);
  if (bits === undefined || (bits >= MODULUS_BITS.min && bits <= MODULUS_BITS.max)) return;
  const sizes = `${MODULUS_BITS.min} to ${MODULUS_BITS.max} bits`;
  throw new SealwrightError('INVALID_ARGUMENT', `publicKey: its modulus must have ${sizes}`);
}

/** The error for a public key that cannot verify signatures. */
export function notForSignatures(): SealwrightError {
  return new SealwrightError('INVALID_ARGUMENT', 'publicKey: this is not a key for signatures');
}
