/** HKDF and PBKDF2 of WebCrypto. */
import type { Algorithms, HkdfParams, Kdf, Pbkdf2Params } from '../contract.ts';
import { attempt, hashGap, source } from './platform.ts';

type NativeKdf = 'HKDF' | 'PBKDF2';

/** @returns the platform's HKDF and PBKDF2, if it has them */
export async function probeKdfs(subtle: SubtleCrypto): Promise<Algorithms> {
  const [hkdf, emptyHkdf, pbkdf2, emptyPbkdf2] = await Promise.all(
    (['HKDF', 'PBKDF2'] as const).flatMap((name) =>
      [1, 0].map((bytes) => attempt(() => importSecret(subtle, name, new Uint8Array(bytes)))),
    ),
  );
  return {
    ...(hkdf && { HKDF: hkdfOf(subtle, emptyHkdf !== undefined) }),
    ...(pbkdf2 && { PBKDF2: pbkdf2Of(subtle, emptyPbkdf2 !== undefined) }),
  };
}

function importSecret(
  subtle: SubtleCrypto,
  name: NativeKdf,
  secret: Uint8Array,
): Promise<CryptoKey> {
  return subtle.importKey('raw', source(secret), name, false, ['deriveBits']);
}

function gapOf(subtle: SubtleCrypto, name: NativeKdf, takesEmpty: boolean) {
  return (secretBytes: number, { hash }: HkdfParams | Pbkdf2Params) =>
    secretBytes > 0 || takesEmpty
      ? hashGap(subtle, hash)
      : `the platform's ${name} refuses an empty secret`;
}

function hkdfOf(subtle: SubtleCrypto, takesEmpty: boolean): Kdf<HkdfParams> {
  return {
    constantTime: 'platform',
    gap: gapOf(subtle, 'HKDF', takesEmpty),
    derive: (secret, { hash, salt, info }, lengthBytes) => {
      const params = { name: 'HKDF', hash, salt: source(salt), info: source(info) };
      return derive(subtle, params, secret, lengthBytes);
    },
  };
}

function pbkdf2Of(subtle: SubtleCrypto, takesEmpty: boolean): Kdf<Pbkdf2Params> {
  return {
    constantTime: 'platform',
    gap: gapOf(subtle, 'PBKDF2', takesEmpty),
    derive: (secret, params, lengthBytes) => derivePbkdf2(subtle, secret, params, lengthBytes),
  };
}

/** PBKDF2. @returns `lengthBytes` bytes, which the caller wipes */
function derivePbkdf2(
  subtle: SubtleCrypto,
  secret: Uint8Array,
  { hash, salt, iterations }: Pbkdf2Params,
  lengthBytes: number,
): Promise<Uint8Array> {
  const params = { name: 'PBKDF2', hash, salt: source(salt), iterations };
  return derive(subtle, params, secret, lengthBytes);
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
  return derivePbkdf2(subtle, secret, params, lengthBytes);
}

/** Before 2024 the standard refused a length of 0. The result needs no key. */
async function derive(
  subtle: SubtleCrypto,
  params: { name: string } & (HkdfParams | Pbkdf2Params),
  secret: Uint8Array,
  lengthBytes: number,
): Promise<Uint8Array> {
  if (lengthBytes === 0) return new Uint8Array(0);
  const key = await importSecret(subtle, params.name as NativeKdf, secret);
  return new Uint8Array(await subtle.deriveBits(params, key, 8 * lengthBytes));
}
