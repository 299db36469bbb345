import { bitLength } from '../../crypto/bigint/modular.ts';
import type { PublicKey } from '../../format/wire/public-key.ts';
import type { SigningAlgorithm } from '../../keys/ring/user-key.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { KeyAlgorithmInfo, SubtleKey } from '../../subtle/key.ts';
import type { Subtle } from '../../subtle/subtle.ts';

/** Bits of the modulus: less gives no security, more takes time with the cube of the length. */
const MODULUS_BITS = { min: 2048, max: 8192 } as const;

/** A public key as `subtle` takes it. */
export interface SigningPublicKey {
  readonly algorithm: SigningAlgorithm;
  readonly key: SubtleKey;
}

/**
 * @throws SealwrightError INVALID_ARGUMENT for what is no key for signatures, or one of a size that
 *   is not used here; DOMException NotSupportedError where the browser has not got the algorithm
 */
export async function readSigningPublicKey(
  subtle: Subtle,
  { type, bytes }: PublicKey,
): Promise<SigningPublicKey> {
  if (type === 'X25519' || type === 'X-Wing') throw notForSignatures();
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
 * Ed25519 has one size.
 * @throws SealwrightError INVALID_ARGUMENT for another modulus than of 2,048 to 8,192 bits
 */
export function requireModulus({ p, modulusLength }: KeyAlgorithmInfo): void {
  const bits = p === undefined ? modulusLength : bitLength(p);
  if (bits === undefined || (bits >= MODULUS_BITS.min && bits <= MODULUS_BITS.max)) return;
  const sizes = `${MODULUS_BITS.min} to ${MODULUS_BITS.max} bits`;
  throw new SealwrightError('INVALID_ARGUMENT', `publicKey: its modulus must have ${sizes}`);
}

export function notForSignatures(): SealwrightError {
  return new SealwrightError('INVALID_ARGUMENT', 'publicKey: this is no key for signatures');
}
