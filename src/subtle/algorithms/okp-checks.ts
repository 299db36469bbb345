/**
 * What the standards ask of OKP keys (RFC 8037) and not every platform checks: that the halves of a private
 * key belong together, because an Ed25519 signature with a wrong public half discloses the private one; that
 * a JWK names the curve; and that no signature verifies by a point of small order.
 */
import { concat, fromBase64url, fromHex, wipe } from '../../crypto/bytes.ts';
import { hasSmallOrder } from '../../crypto/ed25519.ts';
import type { Reads, RunVerify } from './definition.ts';
import { dataError } from '../errors.ts';
import { platformKeyOf } from '../key.ts';
import type { Runtime } from '../runtime.ts';

type ImportKey = Reads<'importKey'>;

const CURVES = {
  Ed25519: { usage: 'sign', pkcs8: fromHex('302e020100300506032b657004220420') },
  X25519: { usage: 'deriveBits', pkcs8: fromHex('302e020100300506032b656e04220420') },
} as const;
type OkpName = keyof typeof CURVES;

/** @returns the same import, which throws DataError for a JWK of another curve or of two keys */
export function checkingOkp(name: OkpName, importKey: ImportKey): ImportKey {
  return (params) => {
    const run = importKey(params);
    return async (material, requested, runtime) => {
      const { d, x, crv } = material.format === 'jwk' ? material.jwk : { crv: name };
      const key = await run(material, requested, runtime);
      if (crv !== name) throw dataError(`jwk: crv must be "${name}"`);
      if (d !== undefined && x !== (await publicHalf(name, d, runtime))) {
        throw dataError(`${name}: x is not the public key of d`);
      }
      return key;
    };
  };
}

/** As the platform computes it, from a PKCS#8 (RFC 8410, section 7) that holds the private half only. */
async function publicHalf(name: OkpName, d: string, runtime: Runtime): Promise<string | undefined> {
  const { usage, pkcs8 } = CURVES[name];
  const secret = fromBase64url(d);
  const bytes = concat(pkcs8, secret);
  try {
    return await runtime.platform(name, async (subtle) => {
      const key = await subtle.importKey('pkcs8', bytes, { name }, true, [usage]);
      return (await subtle.exportKey('jwk', key)).x;
    });
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
