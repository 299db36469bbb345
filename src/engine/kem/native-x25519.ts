/** X25519 (RFC 7748, section 5) by the platform, with raw keys in and out. */
import { concat, fromHex, wipe } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { source } from '../native/platform.ts';

/** Private and public keys and results have 32 bytes each. */
export const X25519_BYTES = 32;

/** X25519 with raw keys of 32 bytes. */
export interface X25519 {
  readonly name: 'native' | 'js';
  /** @returns 32 bytes */
  publicKey(privateKey: Uint8Array): Promise<Uint8Array>;
  /** @returns the result, to be wiped; undefined if it is zero: a public key of low order */
  agree(privateKey: Uint8Array, publicKey: Uint8Array): Promise<Uint8Array | undefined>;
}

/** RFC 7748, section 6.1: the base point. */
const BASE_POINT = Uint8Array.of(9, ...new Uint8Array(X25519_BYTES - 1));

/**
 * RFC 8410, section 7: PrivateKeyInfo of id-X25519, up to the 32 bytes. The only form in which all platforms
 * import a private key without its public one.
 */
const PKCS8_PREFIX = fromHex('302e020100300506032b656e04220420');

/** Uses WebCrypto. Calls reject if the platform lacks X25519. */
export const NATIVE_X25519: X25519 = {
  name: 'native',
  publicKey: async (privateKey) => (await agree(privateKey, BASE_POINT))!,
  agree,
};

async function agree(
  privateKey: Uint8Array,
  publicKey: Uint8Array,
): Promise<Uint8Array | undefined> {
  checkKeys(privateKey, publicKey);
  const { subtle } = crypto;
  const pkcs8 = concat(PKCS8_PREFIX, privateKey);
  try {
    const own = await subtle.importKey('pkcs8', pkcs8, 'X25519', false, ['deriveBits']);
    const other = await subtle.importKey('raw', source(publicKey), 'X25519', false, []);
    const algorithm = { name: 'X25519', public: other };
    // Secure Curves in WebCrypto, "Derive Bits": an all-zero result is an OperationError.
    const bits = await unlessOperationError(subtle.deriveBits(algorithm, own, 256));
    return bits && nonZero(new Uint8Array(bits));
  } finally {
    wipe(pkcs8);
  }
}

/** @throws TypeError, RangeError with the name of the key that does not have 32 bytes */
export function checkKeys(privateKey: Uint8Array, publicKey: Uint8Array): void {
  checkBytes('privateKey', privateKey, X25519_BYTES);
  checkBytes('publicKey', publicKey, X25519_BYTES);
}

function nonZero(bytes: Uint8Array): Uint8Array | undefined {
  return bytes.some((byte) => byte !== 0) ? bytes : undefined;
}

async function unlessOperationError<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && error.name === 'OperationError') return undefined;
    throw error;
  }
}
