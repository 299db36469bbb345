/** Ciphers of WebCrypto under one key. Content scripts bundle this file for AES-GCM. */
import type { AeadParams, KeyedCipher } from '../contract.ts';
import { deliver, source, verificationError } from './platform.ts';

/** A keyed cipher of the platform, with results as promises. */
export interface NativeCipher<P> extends KeyedCipher<P> {
  encrypt(params: P, data: Uint8Array, into?: Uint8Array): Promise<Uint8Array>;
  decrypt(params: P, data: Uint8Array, into?: Uint8Array): Promise<Uint8Array>;
}

/** The ciphers whose keys WebCrypto imports as raw bytes. */
export type NativeName = 'AES-GCM' | 'AES-CTR' | 'AES-CBC' | 'AES-KW';

/** @param key of a length that the platform supports */
export function importAesKey(
  subtle: SubtleCrypto,
  name: NativeName,
  key: Uint8Array,
): Promise<CryptoKey> {
  const usages: KeyUsage[] = name === 'AES-KW' ? ['wrapKey', 'unwrapKey'] : ['encrypt', 'decrypt'];
  return subtle.importKey('raw', source(key), name, false, usages);
}

/**
 * AES-GCM under one key.
 *
 * @param key 16, 24 or 32 bytes; the platform keeps a copy
 */
export async function gcmWithKey(
  subtle: SubtleCrypto,
  key: Uint8Array,
): Promise<NativeCipher<AeadParams>> {
  return keyedCipher(subtle, await importAesKey(subtle, 'AES-GCM', key), (params: AeadParams) => ({
    name: 'AES-GCM',
    iv: source(params.nonce),
    additionalData: source(params.associatedData),
    tagLength: 8 * params.tagBytes,
  }));
}

/** One imported key; `translate` turns the contract's parameters into WebCrypto's. */
export function keyedCipher<P>(
  subtle: SubtleCrypto,
  key: CryptoKey,
  translate: (params: P) => AesGcmParams | AesCbcParams,
): NativeCipher<P> {
  return {
    encrypt: async (params, data, into) =>
      deliver(await subtle.encrypt(translate(params), key, source(data)), into),
    decrypt: async (params, data, into) => {
      try {
        return deliver(await subtle.decrypt(translate(params), key, source(data)), into);
      } catch (error) {
        throw verificationError(error);
      }
    },
    wipe: () => undefined,
  };
}
