/**
 * Keys as JSON, so that they outlive a worker: their bytes, or the platform's export of its own keys.
 * The JSON is as secret as the key.
 */
import { fromBase64url, toBase64url, wipe } from '../crypto/bytes.ts';
import type { HashName, PlatformName } from '../engine/contract.ts';
import { bytesOf, platformKeyOf, SubtleKey } from './key.ts';
import type { KeyAlgorithmInfo, SubtleKeyPair, Usage } from './key.ts';
import { wrapped } from './algorithms/platform-keys.ts';
import type { Runtime } from './runtime.ts';

/** KeyAlgorithmInfo with base64url for bytes and decimals for bigints. */
export interface StoredAlgorithm {
  readonly name: string;
  readonly length?: number;
  readonly hash?: { readonly name: string };
  readonly namedCurve?: string;
  readonly modulusLength?: number;
  readonly publicExponent?: string;
  readonly p?: string;
  readonly g?: string;
  readonly q?: string;
}

/** A key as JSON. */
export interface StoredKey {
  readonly type: SubtleKey['type'];
  readonly extractable: boolean;
  readonly algorithm: StoredAlgorithm;
  readonly usages: readonly Usage[];
  /** 'bytes': those that the engines take; the others are the platform's. */
  readonly format: 'bytes' | 'pkcs8' | 'spki';
  /** Empty for one of the platform's keys where the holder was given the description alone. */
  readonly content: string;
}

/** @throws InvalidAccessError (the platform's) for its keys, unless the runtime `keepsKeys` */
export async function storedKey(key: SubtleKey, runtime: Runtime): Promise<StoredKey> {
  const { type, extractable, usages } = key;
  const info = { type, extractable, usages: [...usages], algorithm: toStored(key.algorithm) };
  const content: unknown = bytesOf(key);
  if (content instanceof Uint8Array) {
    return { ...info, format: 'bytes', content: toBase64url(content) };
  }
  const format = type === 'private' ? 'pkcs8' : 'spki';
  const exported = await runtime.platform(key.algorithm.name as PlatformName, (subtle) =>
    subtle.exportKey(format, platformKeyOf(key)),
  );
  const bytes = new Uint8Array(exported);
  const text = toBase64url(bytes);
  wipe(bytes);
  return { ...info, format, content: text };
}

/** A key, or the public and the private key of a pair. */
export function storedKeys(
  made: SubtleKey | SubtleKeyPair,
  runtime: Runtime,
): Promise<StoredKey[]> {
  const keys = 'privateKey' in made ? [made.publicKey, made.privateKey] : [made];
  return Promise.all(keys.map((key) => storedKey(key, runtime)));
}

/**
 * The inverse of `storedKey`.
 *
 * @throws DOMException for content that the platform refuses
 */
export async function restoredKey(stored: StoredKey, runtime: Runtime): Promise<SubtleKey> {
  const { type, extractable, usages, format } = stored;
  const algorithm = fromStored(stored.algorithm);
  const bytes = fromBase64url(stored.content);
  const isDescription = stored.content === '';
  if (format === 'bytes' || isDescription) {
    return new SubtleKey(algorithm, bytes, extractable, usages, type);
  }
  const { name, hash, namedCurve } = algorithm;
  const wanted = { name, ...(hash && { hash }), ...(namedCurve !== undefined && { namedCurve }) };
  try {
    const key = await runtime.platform(name as PlatformName, (subtle) =>
      subtle.importKey(format, bytes, wanted, true, usages as KeyUsage[]),
    );
    return wrapped(key, extractable);
  } finally {
    wipe(bytes);
  }
}

/** The description of a key as JSON. */
export function toStored(algorithm: KeyAlgorithmInfo): StoredAlgorithm {
  const { publicExponent, p, g, q, ...rest } = algorithm;
  return {
    ...rest,
    ...(publicExponent && { publicExponent: toBase64url(publicExponent) }),
    ...(p !== undefined && { p: String(p) }),
    ...(g !== undefined && { g: String(g) }),
    ...(q !== undefined && { q: String(q) }),
  };
}

function fromStored({ hash, publicExponent, p, g, q, ...rest }: StoredAlgorithm): KeyAlgorithmInfo {
  return {
    ...rest,
    ...(hash && { hash: Object.freeze({ name: hash.name as HashName }) }),
    ...(publicExponent !== undefined && { publicExponent: fromBase64url(publicExponent) }),
    ...(p !== undefined && { p: BigInt(p) }),
    ...(g !== undefined && { g: BigInt(g) }),
    ...(q !== undefined && { q: BigInt(q) }),
  };
}
