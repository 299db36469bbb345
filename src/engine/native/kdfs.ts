/** HKDF and PBKDF2 of WebCrypto. */
import type { HkdfParams, Pbkdf2Params } from '../contract.ts';
import { source } from './platform.ts';

/** A key derivation of WebCrypto. */
export type NativeKdf = 'HKDF' | 'PBKDF2';
/** The parameters of either. */
export type KdfParams = HkdfParams | Pbkdf2Params;

/** @param secret any length that the platform takes; it keeps a copy */
export function importSecret(
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
export async function derive(
  subtle: SubtleCrypto,
  params: { readonly name: NativeKdf } & KdfParams,
  secret: Uint8Array,
  lengthBytes: number,
): Promise<Uint8Array> {
  if (lengthBytes === 0) return new Uint8Array(0);
  const key = await importSecret(subtle, params.name, secret);
  return new Uint8Array(await subtle.deriveBits(params, key, 8 * lengthBytes));
}
