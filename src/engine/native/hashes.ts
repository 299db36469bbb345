/** SHA of WebCrypto, and SHA-3 if the WICG draft is implemented; HMAC, HKDF and PBKDF2 over them. */
import type { Algorithms, DigestAlgorithm, HashName, Kdf, MacHashName } from '../contract.ts';
import { hmacWithKey } from './hmac.ts';
import { derive, importSecret, type KdfParams, type NativeKdf } from './kdfs.ts';
import { attempt, source } from './platform.ts';

const HASHES: readonly HashName[] = [
  'SHA-1',
  'SHA-256',
  'SHA-384',
  'SHA-512',
  'SHA3-256',
  'SHA3-384',
  'SHA3-512',
];

/** @returns the platform's hashes, which digest whole messages only */
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

/** @returns HMAC, if the platform has it */
export async function probeHmac(subtle: SubtleCrypto): Promise<Algorithms> {
  const there = await attempt(() => hmacWithKey(subtle, new Uint8Array(1), 'SHA-256'));
  if (there === undefined) return {};
  return {
    HMAC: {
      constantTime: 'platform',
      gap: (hash = 'SHA-256') => hashGap(subtle, hash),
      withKey: (key, hash = 'SHA-256') => hmacWithKey(subtle, key, hash),
    },
  };
}

/** @returns the platform's HKDF and PBKDF2, if it has them */
export async function probeKdfs(subtle: SubtleCrypto): Promise<Algorithms> {
  const usual = { hash: 'SHA-256', salt: new Uint8Array(0) } as const;
  const [HKDF, PBKDF2] = await Promise.all([
    // OpenSSL's HKDF, which Node uses, takes 1,024 bytes of info; NSS's PBKDF2, which Firefox uses, gives 256 bytes.
    probe(subtle, 'HKDF', { ...usual, info: new Uint8Array(1025) }, 1),
    probe(subtle, 'PBKDF2', { ...usual, iterations: 1 }, 257),
  ]);
  return { ...(HKDF && { HKDF }), ...(PBKDF2 && { PBKDF2 }) };
}

/** @param long with `longBytes` a derivation that not every platform does: then what is as long is a gap */
async function probe(
  subtle: SubtleCrypto,
  name: NativeKdf,
  long: KdfParams,
  longBytes: number,
): Promise<Kdf<KdfParams> | undefined> {
  const [some, empty, any] = await Promise.all([
    attempt(() => importSecret(subtle, name, new Uint8Array(1))),
    attempt(() => importSecret(subtle, name, new Uint8Array(0))),
    attempt(() => derive(subtle, { name, ...long }, new Uint8Array(1), longBytes)),
  ]);
  return (
    some && {
      constantTime: 'platform',
      gap: (secretBytes, params, lengthBytes) => {
        if (secretBytes === 0 && !empty) return `the platform's ${name} refuses an empty secret`;
        const isLong = infoBytes(params) >= infoBytes(long) && lengthBytes >= longBytes;
        if (isLong && !any) return `the platform's ${name} refuses so many bytes`;
        return hashGap(subtle, params.hash);
      },
      derive: (secret, params, lengthBytes) =>
        derive(subtle, { ...params, name }, secret, lengthBytes),
    }
  );
}

const infoBytes = (params: KdfParams): number => ('info' in params ? params.info.length : 0);

/**
 * Why the platform has no HMAC, and no key derivation by HMAC, over this hash. SHA-1 and SHA-2 are in the
 * standard. SHA-3 depends on the WICG draft and is tried at each call.
 */
async function hashGap(subtle: SubtleCrypto, hash: MacHashName): Promise<string | undefined> {
  if (hash.startsWith('SHA-')) return undefined;
  const has = await attempt(() =>
    subtle.importKey('raw', new Uint8Array(1), { name: 'HMAC', hash }, false, ['sign']),
  );
  return has ? undefined : `the platform has no HMAC over ${hash}`;
}
