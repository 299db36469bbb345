import { wipe } from '../../crypto/bytes.ts';
import {
  ed25519PublicKey,
  signEd25519,
  verifyEd25519,
  type Ed25519Platform,
} from '../../engine/native/ed25519.ts';
import { isKeyPairName } from '../../format/wire/recipient-table.ts';
import type { PublicKey } from '../../format/wire/public-key.ts';
import { deriveEd25519Key } from '../../keys/ring/key-derivation.ts';
import type { UserKeyMaterial } from '../../keys/ring/key-ring.ts';
import type { SigningAlgorithm } from '../../keys/ring/kinds.ts';
import type { RandomSource } from '../../random/contract.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { MAX_SUBTLE_BYTES } from '../../rpc/limits.ts';
import { whereSupported } from '../errors.ts';
import type { Workshop } from '../../rpc/workshop.ts';

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

/** What signatures are made with. */
export interface SignaturesDeps {
  /** For DSA and RSA, whose keys it reads, and for long data. */
  readonly workshop: Workshop;
  /** For the seed of DSA and RSA-PSS. */
  readonly random: RandomSource;
  /** The platform's, for Ed25519; the platform's by default. */
  readonly platform?: Ed25519Platform;
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
      if (isHere(algorithm, bytes)) {
        return withEd25519Key(key, (own) => signEd25519(own, bytes, this.#deps.platform));
      }
      const own = algorithm === 'Ed25519' ? deriveEd25519Key(key) : Uint8Array.from(key);
      const secrets = { privateKey: own, seed: random.bytes(32) };
      const input = { secrets, params: { algorithm, data: bytes } };
      return workshop
        .call('vault', 'signature.sign', input)
        .finally(() => wipe(secrets.privateKey));
    });
  }

  async publicKeyOf({ algorithm: type, key, publicKey }: SigningKey): Promise<PublicKey> {
    if (publicKey !== undefined) return { type, bytes: Uint8Array.from(publicKey) };
    return supported(async () => {
      const { platform } = this.#deps;
      return { type, bytes: await withEd25519Key(key, (own) => ed25519PublicKey(own, platform)) };
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
        if (isHere(algorithm, bytes)) {
          return verifyEd25519(publicKey, signature, bytes, this.#deps.platform);
        }
        const params = { algorithm, publicKey, signature, data: bytes };
        return this.#deps.workshop.call('vault', 'signature.verify', { secrets: {}, params });
      });
    } catch (error) {
      if (error instanceof DOMException && error.name === 'DataError') throw notForSignatures();
      if (error instanceof RangeError) throw new SealwrightError('INVALID_ARGUMENT', error.message);
      throw error;
    }
  }
}

/** Whether the platform signs or verifies on this thread: longer data would block it for longer than others may wait. */
function isHere(algorithm: SigningAlgorithm, { length }: Uint8Array): boolean {
  return algorithm === 'Ed25519' && length <= MAX_SUBTLE_BYTES;
}

/** Wipes the derived key after the work. */
async function withEd25519Key<T>(key: Uint8Array, work: (own: Uint8Array) => Promise<T>) {
  const own = deriveEd25519Key(key);
  try {
    return await work(own);
  } finally {
    wipe(own);
  }
}

/** @throws SealwrightError UNSUPPORTED where the platform has no such keys */
const supported = <T>(work: () => Promise<T>): Promise<T> =>
  whereSupported('This browser cannot sign with keys of this kind', work);

/** The error for a public key that cannot verify signatures. */
function notForSignatures(): SealwrightError {
  return new SealwrightError('INVALID_ARGUMENT', 'publicKey: this is not a key for signatures');
}
