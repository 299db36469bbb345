import { concat, fromBase64url, fromHex, wipe } from '../../crypto/bytes.ts';
import { hasSmallOrder } from '../../crypto/ed25519.ts';
import { platformSubtle } from '../../engine/native/native-crypto.ts';
import { isKeyPairName } from '../../format/wire/recipient-table.ts';
import type { PublicKey } from '../../format/wire/public-key.ts';
import { deriveEd25519Key } from '../../keys/ring/key-derivation.ts';
import type { UserKeyMaterial } from '../../keys/ring/key-ring.ts';
import type { SigningAlgorithm } from '../../keys/ring/kinds.ts';
import type { RandomSource } from '../../random/contract.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { Workshop } from '../../rpc/workshop.ts';

/** A signing key of one generation. */
interface SigningKey {
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

/** PrivateKeyInfo (RFC 8410 section 7) of Ed25519, up to the 32 bytes of the key. */
const ED25519_PKCS8 = fromHex('302e020100300506032b657004220420');

/** What signatures are made with. */
export interface SignaturesDeps {
  /** For DSA and RSA, whose keys it reads. */
  readonly workshop: Workshop;
  /** For the seed of DSA and RSA-PSS. */
  readonly random: RandomSource;
  /** The platform's, for Ed25519; the platform's by default. */
  readonly platform?: Pick<SubtleCrypto, 'importKey' | 'exportKey' | 'sign' | 'verify'>;
}

/**
 * Makes and verifies signatures with signing keys. It signs the bytes as they are: the caller adds the prefix
 * (src/format/wire/signed-bytes.ts).
 *
 * Every method throws SealwrightError UNSUPPORTED if the browser lacks the algorithm.
 */
export class Signatures {
  readonly #deps: SignaturesDeps;

  constructor(deps: SignaturesDeps) {
    this.#deps = deps;
  }

  async sign({ algorithm, key }: SigningKey, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const { workshop, random } = this.#deps;
    return supported(async () => {
      if (algorithm === 'Ed25519') {
        return new Uint8Array(
          await this.#platform.sign(algorithm, await this.#ed25519(key), bytes),
        );
      }
      const secrets = { privateKey: Uint8Array.from(key), seed: random.bytes(32) };
      const input = { secrets, params: { algorithm, data: bytes } };
      return workshop
        .call('vault', 'signature.sign', input)
        .finally(() => wipe(secrets.privateKey));
    });
  }

  async publicKeyOf({ algorithm: type, key, publicKey }: SigningKey): Promise<PublicKey> {
    if (publicKey !== undefined) return { type, bytes: Uint8Array.from(publicKey) };
    return supported(async () => {
      const { x } = await this.#platform.exportKey('jwk', await this.#ed25519(key));
      return { type, bytes: fromBase64url(x!) };
    });
  }

  /**
   * @param signature of any length
   * @throws SealwrightError INVALID_ARGUMENT for a public key that is invalid or not for signatures
   */
  async verify(
    { type: algorithm, bytes: publicKey }: PublicKey,
    bytes: Uint8Array<ArrayBuffer>,
    signature: Uint8Array,
  ): Promise<boolean> {
    if (isKeyPairName(algorithm)) throw notForSignatures();
    try {
      return await supported(async () => {
        if (algorithm === 'Ed25519') return this.#verified(publicKey, bytes, signature);
        const params = { algorithm, publicKey, signature, data: bytes };
        return this.#deps.workshop.call('vault', 'signature.verify', { secrets: {}, params });
      });
    } catch (error) {
      if (error instanceof DOMException && error.name === 'DataError') throw notForSignatures();
      if (error instanceof RangeError) throw new SealwrightError('INVALID_ARGUMENT', error.message);
      throw error;
    }
  }

  get #platform() {
    return this.#deps.platform ?? platformSubtle();
  }

  /** Under a public key of small order one signature verifies for many messages: such a key verifies nothing. */
  async #verified(
    publicKey: Uint8Array<ArrayBuffer>,
    bytes: Uint8Array<ArrayBuffer>,
    signature: Uint8Array,
  ): Promise<boolean> {
    const name = 'Ed25519';
    const key = await this.#platform.importKey('raw', publicKey, name, true, ['verify']);
    if (hasSmallOrder(publicKey) || hasSmallOrder(signature)) return false;
    try {
      return await this.#platform.verify(name, key, Uint8Array.from(signature), bytes);
    } catch (error) {
      // Not every platform answers a signature of another length with false.
      if (error instanceof DOMException && error.name === 'OperationError') return false;
      throw error;
    }
  }

  /** The key is extractable, because the platform exports the public half only with the private one. */
  async #ed25519(key: Uint8Array): Promise<CryptoKey> {
    const derived = deriveEd25519Key(key);
    const pkcs8 = concat(ED25519_PKCS8, derived);
    try {
      return await this.#platform.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign']);
    } finally {
      wipe(pkcs8, derived);
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

/** The error for a public key that cannot verify signatures. */
function notForSignatures(): SealwrightError {
  return new SealwrightError('INVALID_ARGUMENT', 'publicKey: this is not a key for signatures');
}
