import { bitLength, toBytes } from '../crypto/bigint/integers.ts';
import { oddPower } from '../crypto/bigint/odd-power.ts';
import { wipe } from '../crypto/bytes.ts';
import { checkPrimes, subgroupOf } from '../crypto/classical/subgroup.ts';
import { defaultRegistry } from '../engine/default-engines.ts';
import { signEd25519, verifyEd25519 } from '../engine/native/ed25519.ts';
import { nativeHmacSha256 } from '../engine/native/native-crypto.ts';
import type { Registry } from '../engine/registry.ts';
import type { LoadWasm } from '../engine/wasm/loader.ts';
import type { InputOf, OutputOf } from '../rpc/workshop.ts';
import type { RandomSource } from '../random/contract.ts';
import {
  inBounds,
  OID,
  readPkcs8,
  writePkcs8,
  writeSpki,
  type ClassicalKey,
} from '../subtle/algorithms/classical-keys.ts';
import type { KeyAlgorithmInfo } from '../subtle/key.ts';
import type { SubtleAlgorithm } from '../subtle/params.ts';
import { Runtime } from '../subtle/runtime.ts';
import { Subtle } from '../subtle/subtle.ts';
import type { Group } from './contract.ts';
import { NO_RANDOM, seeded } from './seeded.ts';
import { own } from './subtle-arguments.ts';

type SigningKeyPair = OutputOf<'signature.readKey'>;
type ClassicalSigning = SigningKeyPair['algorithm'];
/** How a key of RSA is to sign: the key itself does not say. */
type RsaScheme = InputOf<'signature.readKey'>['params']['scheme'];

/** The parameters of each algorithm (docs/keys.md). Pages cannot choose them. */
const PARAMETERS: Readonly<Record<ClassicalSigning, SubtleAlgorithm>> = {
  DSA: { name: 'DSA', hash: 'SHA-256' },
  'RSASSA-PKCS1-v1_5': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  'RSA-PSS': { name: 'RSA-PSS', hash: 'SHA-256', saltLength: 32 },
};

/** Bits of the modulus. Shorter ones are insecure; the time grows with the cube of the length. */
const MODULUS_BITS = { min: 2048, max: 8192 } as const;

/**
 * Signing keys of DSA and RSA, and for long data of Ed25519, that the user's vault or another's public key holds, and
 * points of its P-256 keys.
 */
export function operations(loadWasm: LoadWasm): Group<'signature'> {
  return signatureOperations(defaultRegistry({ loadWasm }));
}

/** The same over any engines. */
export function signatureOperations(registry: Registry): Group<'signature'> {
  const subtleOf = (random: RandomSource): Subtle =>
    new Subtle(new Runtime(registry, 'auto', random));
  return {
    async 'signature.p256Point'({ secrets: { privateKey } }) {
      const { p256 } = await import(/* webpackMode: "eager" */ '@noble/curves/nist.js');
      return p256.getPublicKey(privateKey, false);
    },
    'signature.readKey': ({ secrets: { text }, params: { scheme } }) =>
      keyIn(text, scheme, subtleOf(NO_RANDOM)),
    'signature.mac': ({ secrets: { key }, params: { data } }) => nativeHmacSha256(key, data),
    async 'signature.sign'({ secrets: { privateKey, seed }, params: { algorithm, data } }) {
      if (algorithm === 'Ed25519') return signEd25519(privateKey, own(data));
      const subtle = subtleOf(seeded(seed));
      const given = [own(privateKey), PARAMETERS[algorithm], false, ['sign']] as const;
      const key = await subtle.importKey('pkcs8', ...given);
      return new Uint8Array(await subtle.sign(PARAMETERS[algorithm], key, own(data)));
    },
    async 'signature.verify'({ params: { algorithm, publicKey, signature, data } }) {
      if (algorithm === 'Ed25519') return verifyEd25519(own(publicKey), signature, own(data));
      const subtle = subtleOf(NO_RANDOM);
      const given = [own(publicKey), PARAMETERS[algorithm], true, ['verify']] as const;
      const key = await subtle.importKey('spki', ...given);
      requireModulus(key.algorithm);
      try {
        return await subtle.verify(PARAMETERS[algorithm], key, own(signature), own(data));
      } catch (error) {
        if (!(error instanceof DOMException) || error.name !== 'OperationError') throw error;
        // DSA throws OperationError for an invalid group. The platform throws it for a malformed signature.
        if (algorithm === 'DSA') throw new DOMException(error.message, 'DataError');
        return false;
      }
    },
  };
}

/**
 * Reads a private key for signatures that was made elsewhere: PKCS #8 in PEM (RFC 7468 section 10) of
 * DSA or RSA, or a JSON Web Key of RSA (RFC 7518 section 6.3). Everything about it is checked once,
 * here: a DSA key whose group is not a prime one would be disclosed by its signatures.
 *
 * @throws RangeError for anything else
 */
async function keyIn(text: string, scheme: RsaScheme, subtle: Subtle): Promise<SigningKeyPair> {
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

/** @returns undefined for text that is not a JSON object */
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

function dsaKey(key: ClassicalKey): SigningKeyPair {
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
): Promise<SigningKeyPair> {
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

/**
 * @throws RangeError for a modulus of less than 2,048 or more than 8,192 bits
 */
function requireModulus({ p, modulusLength }: KeyAlgorithmInfo): void {
  const bits = p === undefined ? modulusLength : bitLength(p);
  if (bits !== undefined && bits >= MODULUS_BITS.min && bits <= MODULUS_BITS.max) return;
  const sizes = `${MODULUS_BITS.min} to ${MODULUS_BITS.max} bits`;
  throw new RangeError(`publicKey: its modulus must have ${sizes}`);
}

function notImportable(): RangeError {
  return new RangeError(
    'text: expected PKCS #8 in PEM of DSA or RSA, or a JSON Web Key of RSA, of 2,048 bits or more',
  );
}
