import { toBytes } from '../../crypto/bigint/integers.ts';
import { oddPower } from '../../crypto/bigint/odd-power.ts';
import { wipe } from '../../crypto/bytes.ts';
import { checkPrimes, subgroupOf } from '../../crypto/classical/subgroup.ts';
import type { ImportedKey } from '../../keys/ring/user-key.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import {
  inBounds,
  OID,
  readPkcs8,
  writePkcs8,
  writeSpki,
  type ClassicalKey,
} from '../../subtle/algorithms/classical-keys.ts';
import type { Subtle } from '../../subtle/subtle.ts';
import { requireModulus } from '../signing/signatures.ts';

/** How a key of RSA is to sign: the key itself does not say. */
export type RsaScheme = 'RSA-PSS' | 'RSASSA-PKCS1-v1_5';

/**
 * Reads a private key for signatures that was made elsewhere: PKCS #8 in PEM (RFC 7468 section 10) of
 * DSA or RSA, or a JSON Web Key of RSA (RFC 7518 section 6.3). Everything about it is checked once,
 * here: a DSA key whose group is not a prime one would be disclosed by its signatures.
 *
 * @throws SealwrightError INVALID_ARGUMENT for anything else
 */
export async function importedKey(
  text: string,
  scheme: RsaScheme,
  subtle: Subtle,
): Promise<ImportedKey> {
  try {
    const jwk = readJwk(text);
    if (jwk) return await rsaKey('jwk', jwk, scheme, subtle);
    const pkcs8 = readPem(text);
    const classical = dsaIn(pkcs8);
    return classical ? dsaKey(classical) : await rsaKey('pkcs8', pkcs8, scheme, subtle);
  } catch (error) {
    const isMistake = error instanceof RangeError || error instanceof TypeError;
    if (isMistake || error instanceof DOMException) throw notImportable();
    throw error;
  }
}

/** @returns undefined for text that is no JSON object */
function readJwk(text: string): JsonWebKey | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as JsonWebKey;
  } catch {
    // The parser's message would quote the key.
    throw notImportable();
  }
}

const PEM = /^\s*-----BEGIN PRIVATE KEY-----\s+([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----\s*$/;

function readPem(text: string): Uint8Array<ArrayBuffer> {
  const base64 = PEM.exec(text)?.[1];
  if (base64 === undefined) throw notImportable();
  // `atob` throws a DOMException for what is not base64.
  return Uint8Array.from(atob(base64.replace(/\s/g, '')), (digit) => digit.charCodeAt(0));
}

/** @returns undefined for a key of something else */
function dsaIn(pkcs8: Uint8Array): ClassicalKey | undefined {
  try {
    const key = readPkcs8(pkcs8);
    return key.oid === OID.dsa ? key : undefined;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'DataError') return undefined;
    throw error;
  }
}

function dsaKey(key: ClassicalKey): ImportedKey {
  const [p, q, g] = key.params;
  requireModulus({ name: 'DSA', p: p! });
  const group = subgroupOf(oddPower, { p, q, g });
  checkPrimes(oddPower, group);
  if (!inBounds(key.value, group.q)) throw new RangeError('the private key is out of range');
  const x = new Uint8Array(toBytes(group.q).length);
  x.set(key.value, x.length - key.value.length);
  const y = oddPower(toBytes(group.g), x, toBytes(group.p));
  wipe(x);
  return {
    algorithm: 'DSA',
    privateKey: writePkcs8(key),
    publicKey: writeSpki({ ...key, value: y }),
  };
}

async function rsaKey(
  format: 'jwk' | 'pkcs8',
  given: JsonWebKey | Uint8Array<ArrayBuffer>,
  scheme: RsaScheme,
  subtle: Subtle,
): Promise<ImportedKey> {
  const algorithm = { name: scheme, hash: 'SHA-256' };
  const material = given instanceof Uint8Array ? given : numbersOf(given);
  const key = await subtle.importKey(format, material, algorithm, true, ['sign']);
  requireModulus(key.algorithm);
  const { kty, n, e } = await subtle.exportKey('jwk', key);
  const half = { kty: kty!, n: n!, e: e! };
  const publicKey = await subtle.importKey('jwk', half, algorithm, true, ['verify']);
  const [pkcs8, spki] = await Promise.all([
    subtle.exportKey('pkcs8', key),
    subtle.exportKey('spki', publicKey),
  ]);
  return {
    algorithm: scheme,
    privateKey: new Uint8Array(pkcs8),
    publicKey: new Uint8Array(spki),
  };
}

/** What a JWK says it is for does not count: its owner says so now. */
function numbersOf({ kty, n, e, d, p, q, dp, dq, qi }: JsonWebKey): JsonWebKey {
  if (d === undefined) throw notImportable();
  return { kty, n, e, d, p, q, dp, dq, qi } as JsonWebKey;
}

function notImportable(): SealwrightError {
  return new SealwrightError(
    'INVALID_ARGUMENT',
    'text: expected PKCS #8 in PEM of DSA or RSA, or a JSON Web Key of RSA, of 2,048 bits or more',
  );
}
