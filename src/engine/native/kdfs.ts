/** HKDF and PBKDF2 of WebCrypto. */
import type { Algorithms, HkdfParams, Kdf, Pbkdf2Params } from '../contract.ts';
import { attempt, hashGap, source } from './platform.ts';

type NativeKdf = 'HKDF' | 'PBKDF2';
type Params = HkdfParams | Pbkdf2Params;

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
  long: Params,
  longBytes: number,
): Promise<Kdf<Params> | undefined> {
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

const infoBytes = (params: Params): number => ('info' in params ? params.info.length : 0);

function importSecret(
  subtle: SubtleCrypto,
  name: NativeKdf,
  secret: Uint8Array,
): Promise<CryptoKey> {
  return subtle.importKey('raw', source(secret), name, false, ['deriveBits']);
}

/**
 * PBKDF2 of the platform (RFC 8018 section 5.2), for passphrases. Does not probe an engine.
 *
 * @param secret not empty: some platforms refuse an empty one
 * @returns `lengthBytes` bytes, which the caller wipes
 * @throws Error if the platform has no `crypto.subtle`
 */
export async function nativePbkdf2(
  secret: Uint8Array,
  params: Pbkdf2Params,
  lengthBytes: number,
): Promise<Uint8Array> {
  const { subtle } = crypto as Partial<Crypto>;
  if (subtle === undefined) throw new Error('PBKDF2: the platform does not have it');
  return derive(subtle, { ...params, name: 'PBKDF2' }, secret, lengthBytes);
}

/** Before 2024 the standard refused a length of 0. The result needs no key. */
async function derive(
  subtle: SubtleCrypto,
  params: { readonly name: NativeKdf } & Params,
  secret: Uint8Array,
  lengthBytes: number,
): Promise<Uint8Array> {
  if (lengthBytes === 0) return new Uint8Array(0);
  const key = await importSecret(subtle, params.name, secret);
  return new Uint8Array(await subtle.deriveBits(params, key, 8 * lengthBytes));
}
