/* Ed25519 (RFC 8032) of the platform, with the keys as bytes. */
import { concat, fromBase64url, fromHex, wipe } from '../../crypto/bytes.ts';
import { hasSmallOrder } from '../../crypto/ed25519.ts';

/** Length of a public key, and of the private key that it belongs to. */
export const ED25519_KEY_BYTES = 32;
/** Length of a signature. */
export const ED25519_SIGNATURE_BYTES = 64;

/** What is needed of SubtleCrypto. */
export type Ed25519Platform = Pick<SubtleCrypto, 'importKey' | 'exportKey' | 'sign' | 'verify'>;

/** PrivateKeyInfo (RFC 8410 section 7) of Ed25519, up to the 32 bytes of the key. */
const PKCS8_HEAD = fromHex('302e020100300506032b657004220420');
const NAME = 'Ed25519';

/**
 * Signs (RFC 8032 section 5.1.6).
 *
 * @param privateKey 32 bytes
 * @returns 64 bytes
 * @throws DOMException NotSupportedError where the platform has no Ed25519
 */
export async function signEd25519(
  privateKey: Uint8Array,
  data: Uint8Array<ArrayBuffer>,
  platform: Ed25519Platform = crypto.subtle,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await platform.sign(NAME, await imported(privateKey, platform), data));
}

/**
 * The public key of a private one (RFC 8032 section 5.1.5).
 *
 * @param privateKey 32 bytes
 * @returns 32 bytes
 * @throws DOMException NotSupportedError where the platform has no Ed25519
 */
export async function ed25519PublicKey(
  privateKey: Uint8Array,
  platform: Ed25519Platform = crypto.subtle,
): Promise<Uint8Array<ArrayBuffer>> {
  const { x } = await platform.exportKey('jwk', await imported(privateKey, platform));
  return fromBase64url(x!);
}

/**
 * Verifies (RFC 8032 section 5.1.7). Under a public key of small order one signature verifies for many messages: such a
 * key verifies nothing.
 *
 * @param signature of any length
 * @throws DOMException NotSupportedError where the platform has no Ed25519, DataError for a public key that it refuses
 */
export async function verifyEd25519(
  publicKey: Uint8Array<ArrayBuffer>,
  signature: Uint8Array,
  data: Uint8Array<ArrayBuffer>,
  platform: Ed25519Platform = crypto.subtle,
): Promise<boolean> {
  const key = await platform.importKey('raw', publicKey, NAME, true, ['verify']);
  if (hasSmallOrder(publicKey) || hasSmallOrder(signature)) return false;
  try {
    return await platform.verify(NAME, key, Uint8Array.from(signature), data);
  } catch (error) {
    // Not every platform answers a signature of another length with false.
    if (error instanceof DOMException && error.name === 'OperationError') return false;
    throw error;
  }
}

/** The key is extractable, because the platform exports the public half only with the private one. */
async function imported(privateKey: Uint8Array, platform: Ed25519Platform): Promise<CryptoKey> {
  const pkcs8 = concat(PKCS8_HEAD, privateKey);
  try {
    return await platform.importKey('pkcs8', pkcs8, NAME, true, ['sign']);
  } finally {
    wipe(pkcs8);
  }
}
