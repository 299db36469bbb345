/**
 * What the standards ask of key pairs and not every platform checks: that the halves of a private key belong together,
 * because an Ed25519 signature with a wrong public half discloses the private one; and that no signature verifies by a
 * point of small order.
 */
import { attempt } from '../../engine/native/platform.ts';
import { concat, fromBase64url, fromHex, wipe } from '../../crypto/bytes.ts';
import { hasSmallOrder } from '../../crypto/ed25519.ts';
import type { RunVerify } from './definition.ts';
import { dataError } from '../errors.ts';
import { platformKeyOf } from '../key.ts';
import type { KeyPairData } from '../key-structure.ts';

/**
 * @param data a private key, and the public key that was given with it
 * @throws DataError if the public key is not that of the private one
 */
export async function checkHalves(subtle: SubtleCrypto, data: KeyPairData): Promise<void> {
  const { publicKey, privateKey } = data;
  const isOkp = publicKey.kty === 'OKP';
  const belongs = isOkp
    ? publicKey.x === (await publicHalf(subtle, publicKey.crv as OkpName, privateKey))
    : await attempt(() => verifiesOwn(subtle, data));
  if (belongs !== true) throw dataError('The public key is not that of the private key');
}

/** SP 800-56A, section 5.6.2.1.4: what the private key signs verifies by the public key. */
async function verifiesOwn(
  subtle: SubtleCrypto,
  { publicKey, privateKey }: KeyPairData,
): Promise<boolean> {
  const algorithm =
    publicKey.kty === 'RSA'
      ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
      : { name: 'ECDSA', hash: 'SHA-256', namedCurve: publicKey.crv! };
  const message = new Uint8Array(0);
  const { point, ...jwk } = publicKey;
  const verifier = point
    ? await subtle.importKey('raw', point, algorithm, false, ['verify'])
    : await subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  const signer = await importedPrivate(subtle, privateKey, algorithm);
  const signature = await subtle.sign(algorithm, signer, message);
  return subtle.verify(algorithm, verifier, signature, message);
}

function importedPrivate(
  subtle: SubtleCrypto,
  privateKey: KeyPairData['privateKey'],
  algorithm: { readonly name: string },
): Promise<CryptoKey> {
  return privateKey instanceof Uint8Array
    ? subtle.importKey('pkcs8', privateKey, algorithm, false, ['sign'])
    : subtle.importKey('jwk', privateKey, algorithm, false, ['sign']);
}

const OKP = {
  Ed25519: { usage: 'sign', pkcs8: fromHex('302e020100300506032b657004220420') },
  X25519: { usage: 'deriveBits', pkcs8: fromHex('302e020100300506032b656e04220420') },
} as const;
type OkpName = keyof typeof OKP;

/** As the platform computes it, from a PKCS#8 (RFC 8410, section 7) that holds the private half only. */
async function publicHalf(
  subtle: SubtleCrypto,
  name: OkpName,
  privateKey: KeyPairData['privateKey'],
): Promise<string | undefined> {
  const { usage, pkcs8 } = OKP[name];
  const secret = fromBase64url((privateKey as JsonWebKey).d!);
  const bytes = concat(pkcs8, secret);
  try {
    const key = await subtle.importKey('pkcs8', bytes, { name }, true, [usage]);
    return (await subtle.exportKey('jwk', key)).x;
  } finally {
    wipe(secret, bytes);
  }
}

/** By the platform's key: reading its bytes takes another call. */
const SMALL_ORDER_KEYS = new WeakMap<CryptoKey, boolean>();

/**
 * The verification of the standard, of what the platform accepts (Web Cryptography API, Ed25519, "verify", steps 2
 * and 3): under a public key of small order, one signature verifies for many messages.
 *
 * @returns the same verification, which also returns false where the key or the signature's R has small order
 */
export function refusingSmallOrder(verify: RunVerify): RunVerify {
  return async (work) => {
    if (!(await verify(work))) return false;
    if (hasSmallOrder(work.signature)) return false;
    const key = platformKeyOf(work.key);
    let isSmall = SMALL_ORDER_KEYS.get(key);
    if (isSmall === undefined) {
      const raw = await work.runtime.platform('Ed25519', (subtle) => subtle.exportKey('raw', key));
      isSmall = hasSmallOrder(new Uint8Array(raw));
      SMALL_ORDER_KEYS.set(key, isSmall);
    }
    return !isSmall;
  };
}
