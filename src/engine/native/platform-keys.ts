/** Key pairs of WebCrypto for callers without a registry: for the import of other products' keys. */

const P256 = { name: 'ECDH', namedCurve: 'P-256' } as const;

/**
 * ECDH over P-256 (RFC 7518, section 4.6).
 *
 * @param privateKey with `d`; members that do not belong to the key are ignored
 * @returns the x-coordinate of the shared point, 32 bytes, to be wiped
 * @throws DOMException, TypeError for keys of other curves
 */
export async function nativeP256Agreement(
  privateKey: JsonWebKey,
  publicKey: JsonWebKey,
): Promise<Uint8Array<ArrayBuffer>> {
  const { subtle } = globalThis.crypto;
  const { kty, crv, x, y, d } = privateKey;
  const own = { kty, crv, x, y, d } as JsonWebKey;
  const secret = await subtle.importKey('jwk', own, P256, false, ['deriveBits']);
  const half = { kty: publicKey.kty, crv: publicKey.crv, x: publicKey.x, y: publicKey.y };
  const point = await subtle.importKey('jwk', half as JsonWebKey, P256, false, []);
  return new Uint8Array(await subtle.deriveBits({ name: 'ECDH', public: point }, secret, 256));
}

/**
 * Reads an RSA key pair with the parser of the platform.
 *
 * @param pkcs8 PrivateKeyInfo (RFC 5208)
 * @param spki SubjectPublicKeyInfo (RFC 5280, section 4.1)
 * @returns both halves as JSON Web Keys (RFC 7518, section 6.3)
 * @throws DOMException for other bytes
 */
export async function nativeRsaKeyPair(
  pkcs8: Uint8Array<ArrayBuffer>,
  spki: Uint8Array<ArrayBuffer>,
): Promise<{ readonly privateKey: JsonWebKey; readonly publicKey: JsonWebKey }> {
  const { subtle } = globalThis.crypto;
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-1' };
  const secret = await subtle.importKey('pkcs8', pkcs8, algorithm, true, ['decrypt']);
  const half = await subtle.importKey('spki', spki, algorithm, true, ['encrypt']);
  return {
    privateKey: await subtle.exportKey('jwk', secret),
    publicKey: await subtle.exportKey('jwk', half),
  };
}
