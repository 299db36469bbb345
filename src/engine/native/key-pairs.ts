/** RSA and elliptic curves of WebCrypto. A probe imports published public keys. */
import { fromHex as hex, toBase64url } from '../../crypto/bytes.ts';
import type { Algorithms, PlatformAlgorithm, PlatformName } from '../contract.ts';
import { attempt } from './platform.ts';

interface PublicKey {
  readonly name: PlatformName;
  readonly jwk: JsonWebKey;
  readonly params?: Readonly<Record<string, string>>;
  readonly usages: readonly KeyUsage[];
}

const base64url = (digits: string): string => toBase64url(hex(digits));
const HASH = { hash: 'SHA-256' };
const CURVE = { namedCurve: 'P-256' };

/** Odd and of 1,024 bits: platforms check nothing else before the key is used. */
const RSA = { kty: 'RSA', e: 'AQAB', n: base64url(`c${'5'.repeat(255)}`) };

/** SP 800-186, section 3.2.1.3: the base point of P-256. */
const EC = {
  kty: 'EC',
  crv: 'P-256',
  x: base64url('6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'),
  y: base64url('4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5'),
};

/** RFC 7748, section 4.1, and RFC 8032, section 5.1: the base points. */
const X25519 = { kty: 'OKP', crv: 'X25519', x: base64url(`09${'00'.repeat(31)}`) };
const ED25519 = { kty: 'OKP', crv: 'Ed25519', x: base64url(`58${'66'.repeat(31)}`) };

const PUBLIC_KEYS: readonly PublicKey[] = [
  { name: 'RSA-OAEP', jwk: RSA, params: HASH, usages: ['encrypt'] },
  { name: 'RSASSA-PKCS1-v1_5', jwk: RSA, params: HASH, usages: ['verify'] },
  { name: 'RSA-PSS', jwk: RSA, params: HASH, usages: ['verify'] },
  { name: 'ECDH', jwk: EC, params: CURVE, usages: [] },
  { name: 'ECDSA', jwk: EC, params: CURVE, usages: ['verify'] },
  { name: 'X25519', jwk: X25519, usages: [] },
  { name: 'Ed25519', jwk: ED25519, usages: ['verify'] },
];

/** @returns the algorithms of key pairs whose public keys the platform imports */
export async function probePairs(subtle: SubtleCrypto): Promise<Algorithms> {
  const algorithm: PlatformAlgorithm = { constantTime: 'platform', subtle };
  const found = await Promise.all(
    PUBLIC_KEYS.map(async ({ name, jwk, params, usages }) =>
      (await attempt(() => subtle.importKey('jwk', jwk, { ...params, name }, false, usages)))
        ? [[name, algorithm]]
        : [],
    ),
  );
  return Object.fromEntries(found.flat()) as Algorithms;
}
