import type { Algorithms, DigestAlgorithm, HashName, KeyedMac } from '../contract.ts';
import { attempt, source, hashGap } from './platform.ts';

/** SHA of WebCrypto, and SHA-3 where the WICG draft is; it digests whole messages only. */

const HASHES: readonly HashName[] = [
  'SHA-1',
  'SHA-256',
  'SHA-384',
  'SHA-512',
  'SHA3-256',
  'SHA3-384',
  'SHA3-512',
];

export async function probeDigests(subtle: SubtleCrypto): Promise<Algorithms> {
  const empty = new Uint8Array(0);
  const found = await Promise.all(
    HASHES.map(async (hash) =>
      (await attempt(() => subtle.digest(hash, empty))) ? [[hash, digest(subtle, hash)]] : [],
    ),
  );
  return Object.fromEntries(found.flat()) as Algorithms;
}

function digest(subtle: SubtleCrypto, hash: HashName): DigestAlgorithm {
  return {
    constantTime: 'platform',
    digest: async (data) => new Uint8Array(await subtle.digest(hash, source(data))),
  };
}

/**
 * SHA-256 of the platform, for content scripts, which have no registry.
 *
 * @returns 32 bytes
 */
export async function nativeSha256(data: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', source(data)));
}

/** HMAC of WebCrypto. */

export async function probeHmac(subtle: SubtleCrypto): Promise<Algorithms> {
  const there = await attempt(() => importKey(subtle, new Uint8Array(1), 'SHA-256'));
  if (there === undefined) return {};
  return {
    HMAC: {
      constantTime: 'platform',
      gap: (hash = 'SHA-256') => hashGap(subtle, hash),
      withKey: (key, hash = 'SHA-256') => hmacWithKey(subtle, key, hash),
    },
  };
}

/** A MAC of the platform: its results always come as promises. */
interface NativeMac extends KeyedMac {
  sign(data: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * HMAC under one key.
 *
 * @param key any length, 0 included; the platform keeps a copy
 */
export async function hmacWithKey(
  subtle: SubtleCrypto,
  key: Uint8Array,
  hash: HashName,
): Promise<NativeMac> {
  return keyed(subtle, await importKey(subtle, key, hash));
}

/**
 * WebCrypto refuses an empty key. HMAC fills every key up with zeros to the length of a hash block
 * (RFC 2104, section 2, step 1), so that a single zero byte is the same key.
 */
function importKey(subtle: SubtleCrypto, key: Uint8Array, hash: HashName): Promise<CryptoKey> {
  const bytes = key.length === 0 ? new Uint8Array(1) : source(key);
  return subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['sign', 'verify']);
}

function keyed(subtle: SubtleCrypto, key: CryptoKey): NativeMac {
  return {
    sign: async (data) => new Uint8Array(await subtle.sign('HMAC', key, source(data))),
    verify: (tag, data) => subtle.verify('HMAC', key, source(tag), source(data)),
    wipe: () => undefined,
  };
}
