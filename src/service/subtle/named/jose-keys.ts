/*
 * Private keys for JSON Web Signature and Encryption, computed from a key that the user made for one site
 * (`jose` in src/keys/ring/kinds.ts). Each algorithm has a key of its own.
 */
import { concat, fromHex, wipe } from '../../../crypto/bytes.ts';
import type { Awaitable } from '../../../engine/contract.ts';
import { deriveJosePointId, deriveJoseSecret } from '../../../keys/ring/key-derivation.ts';
import type { Capability } from '../../../rpc/key-kinds.ts';
import type { WireAlgorithm } from '../../../rpc/methods/subtle-values.ts';
import { subtleError } from '../errors.ts';
import type { NamedPrivateKey } from '../key-record.ts';
import { generationOf } from './named-algorithms.ts';
import type { NamedAlgorithms } from './named-algorithms.ts';
import { p256PrivateKey, type PointOf } from './p256-keys.ts';

/** The algorithms of WebCrypto for these keys: ES256 and EdDSA (RFC 7518, RFC 8037), ECDH-ES over both curves. */
export type JoseAlgorithm = 'ECDSA' | 'Ed25519' | 'ECDH' | 'X25519';

interface Rules {
  readonly capability: Extract<Capability, 'signToken' | 'openToken'>;
  /** Length of the derived secret. */
  readonly secretBytes: number;
  /** @returns PrivateKeyInfo (RFC 5208, section 5), which the caller wipes */
  readonly pkcs8: (
    secret: Uint8Array,
    pointOf: (privateKey: Uint8Array) => Promise<Uint8Array>,
  ) => Awaitable<Uint8Array<ArrayBuffer>>;
}

/** PrivateKeyInfo of P-256 (RFC 5915, section 3) up to the private key, and from there to the public one. */
const P256_PRIVATE = fromHex(
  '308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420',
);
const P256_PUBLIC = fromHex('a144034200');

const P256 = {
  secretBytes: 48,
  /** With the public point: Firefox computes none, and takes no key without it. */
  pkcs8: async (secret: Uint8Array, pointOf: (privateKey: Uint8Array) => Promise<Uint8Array>) => {
    const privateKey = p256PrivateKey(secret);
    try {
      return concat(P256_PRIVATE, privateKey, P256_PUBLIC, await pointOf(privateKey));
    } finally {
      wipe(privateKey);
    }
  },
} as const;

/** PrivateKeyInfo of Ed25519 and X25519 (RFC 8410, section 7) up to the private key. */
const okp = (prefix: Uint8Array) => ({
  /** Any 32 bytes are a private key (RFC 8032, section 5.1.5; RFC 7748, section 5). */
  secretBytes: 32,
  pkcs8: (secret: Uint8Array) => concat(prefix, secret),
});

const RULES: Readonly<Record<JoseAlgorithm, Rules>> = {
  ECDSA: { capability: 'signToken', ...P256 },
  Ed25519: { capability: 'signToken', ...okp(fromHex('302e020100300506032b657004220420')) },
  ECDH: { capability: 'openToken', ...P256 },
  X25519: { capability: 'openToken', ...okp(fromHex('302e020100300506032b656e04220420')) },
};

const NAMES = Object.keys(RULES);

/** The base point of P-256 (SEC 2, 2.4.2), which is the public point of the private key 1. */
const BASE_POINT = fromHex(
  '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
    '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
);

/** The algorithms of keys for tokens. Each has one capability, which no key of another kind is granted for. */
export const JOSE_KEYS: NamedAlgorithms<NamedPrivateKey> = {
  format: 'pkcs8',
  nameOf: (name) => NAMES.find((one) => one.toLowerCase() === name.toLowerCase()),
  capabilities: (algorithm) => [capabilityFor(algorithm)],
  publicHalf: capabilityFor,

  async example({ algorithm: params }, algorithm) {
    const name = algorithm as JoseAlgorithm;
    checkCurve(name, params);
    const { secretBytes, pkcs8 } = RULES[name];
    const keyData = await pkcs8(new Uint8Array(secretBytes), () => Promise.resolve(BASE_POINT));
    return { format: 'pkcs8', keyData };
  },

  /** Stays with the newest generation, whose public half is published last. */
  async imported(_, of, asked, deps) {
    const { key, generation } = await generationOf('jose', of, asked, deps);
    wipe(key);
    return { type: 'private', generation };
  },

  async derived({ algorithm, generation }, of, deps) {
    const { key } = await generationOf('jose', of, generation, deps);
    const name = algorithm.name as JoseAlgorithm;
    return joseKey(key, of.origin, name, deps.points.of).finally(() => wipe(key));
  },
};

function capabilityFor(algorithm: string): Capability {
  return RULES[algorithm as JoseAlgorithm].capability;
}

/** @throws NotSupportedError (DOMException) for another curve than P-256 */
function checkCurve(name: JoseAlgorithm, params: WireAlgorithm): void {
  const isEc = name === 'ECDSA' || name === 'ECDH';
  if (!isEc || params.namedCurve === 'P-256') return;
  throw subtleError('NotSupportedError', `${name}: a key of the user for tokens is of P-256`);
}

/**
 * @param key one generation of the user's key, 32 bytes
 * @param pointOf where the point of a key of P-256 comes from
 * @returns PrivateKeyInfo (RFC 5208, section 5), which the caller wipes
 */
export async function joseKey(
  key: Uint8Array,
  origin: string,
  algorithm: JoseAlgorithm,
  pointOf: PointOf,
): Promise<Uint8Array<ArrayBuffer>> {
  const { secretBytes, pkcs8 } = RULES[algorithm];
  const use = { origin, algorithm };
  const secret = deriveJoseSecret(key, use, secretBytes);
  const id = deriveJosePointId(key, use);
  try {
    return await pkcs8(secret, (privateKey) => pointOf(privateKey, id));
  } finally {
    wipe(secret);
  }
}
