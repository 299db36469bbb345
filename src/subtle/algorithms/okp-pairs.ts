/**
 * Checks that the halves of an OKP private key belong together (RFC 8037, section 2). An Ed25519
 * signature with a wrong public half discloses the private one, and not every platform checks that.
 */
import { concat, fromBase64url, fromHex, wipe } from '../../crypto/bytes.ts';
import type { Definition } from './definition.ts';
import { dataError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';

type ImportKey = NonNullable<Definition['importKey']>;

const CURVES = {
  Ed25519: { usage: 'sign', pkcs8: fromHex('302e020100300506032b657004220420') },
  X25519: { usage: 'deriveBits', pkcs8: fromHex('302e020100300506032b656e04220420') },
} as const;
type OkpName = keyof typeof CURVES;

/** @returns the same import, which throws DataError for a JWK of two keys */
export function checkingPairs(name: OkpName, importKey: ImportKey): ImportKey {
  return (members) => {
    const run = importKey(members);
    return async (material, requested, runtime) => {
      const { d, x } = material.format === 'jwk' ? material.jwk : {};
      const key = await run(material, requested, runtime);
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
