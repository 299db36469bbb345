import { createCipheriv, createHash, createHmac, hkdfSync, pbkdf2Sync } from 'node:crypto';
import { aessiv, cmac, gcmsiv } from '@noble/ciphers/aes.js';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { salsa20 } from '@noble/ciphers/salsa.js';
import type {
  AeadParams,
  CipherParams,
  HashName,
  HkdfParams,
  Pbkdf2Params,
} from '../../src/engine/contract.ts';

/*
 * Independent implementations of the algorithms: node:crypto (OpenSSL), and @noble/ciphers for those that
 * node:crypto lacks.
 */
type Encrypt = {
  readonly [A in keyof CipherParams]: (
    key: Uint8Array,
    params: CipherParams[A],
    data: Uint8Array,
  ) => Uint8Array;
};

export const ORACLE: Encrypt = {
  'AES-GCM': aead('gcm'),
  'AES-CCM': aead('ccm'),
  'AES-OCB': aead('ocb'),
  'AES-CTR': (key, { counter }, data) => plain(`aes-${8 * key.length}-ctr`, key, counter, data),
  'AES-CBC': (key, { iv }, data) => plain(`aes-${8 * key.length}-cbc`, key, iv, data),
  'AES-ECB': (key, _params, data) => plain(`aes-${8 * key.length}-ecb`, key, null, data, false),
  'AES-KW': (key, _params, data) =>
    plain(`aes${8 * key.length}-wrap`, key, Buffer.alloc(8, 0xa6), data),
  'AES-SIV': (key, { associatedData }, data) => aessiv(key, ...associatedData).encrypt(data),
  'AES-GCM-SIV': (key, { nonce, associatedData }, data) =>
    gcmsiv(key, nonce, associatedData).encrypt(data),
  'ChaCha20-Poly1305': (key, params, data) => sealed('chacha20-poly1305', key, params, data),
  'XChaCha20-Poly1305': (key, { nonce, associatedData }, data) =>
    xchacha20poly1305(key, nonce, associatedData).encrypt(data),
  Salsa20: (key, { nonce, counter }, data) => salsa20(key, nonce, data, undefined, Number(counter)),
};

export function oracleCmac(key: Uint8Array, data: Uint8Array): Uint8Array {
  return cmac(data, key);
}

/** The last block of CBC with a zero IV (ISO/IEC 9797-1, algorithm 1). */
export function oracleCbcMac(key: Uint8Array, data: Uint8Array): Uint8Array {
  return plain(`aes-${8 * key.length}-cbc`, key, new Uint8Array(16), data, false).slice(-16);
}

export function oracleHmac(hash: HashName, key: Uint8Array, data: Uint8Array): Uint8Array {
  return bytes(createHmac(hash, key).update(data).digest());
}

export function oracleDigest(hash: HashName, data: Uint8Array): Uint8Array {
  return bytes(createHash(hash).update(data).digest());
}

export function oracleHkdf(secret: Uint8Array, { hash, salt, info }: HkdfParams, length: number) {
  return new Uint8Array(hkdfSync(hash, secret, salt, info, length));
}

export function oraclePbkdf2(secret: Uint8Array, params: Pbkdf2Params, length: number) {
  return bytes(pbkdf2Sync(secret, params.salt, params.iterations, length, params.hash));
}

function aead(mode: 'gcm' | 'ccm' | 'ocb'): Encrypt['AES-GCM'] {
  return (key, params, data) => sealed(`aes-${8 * key.length}-${mode}`, key, params, data);
}

function sealed(name: string, key: Uint8Array, params: AeadParams, data: Uint8Array): Uint8Array {
  const { nonce, associatedData, tagBytes } = params;
  const options = { authTagLength: tagBytes };
  const cipher = createCipheriv(name as 'aes-128-ccm', key, nonce, options);
  cipher.setAAD(associatedData, { plaintextLength: data.length });
  const parts = [cipher.update(data), cipher.final(), cipher.getAuthTag()];
  return bytes(Buffer.concat(parts));
}

function plain(
  name: string,
  key: Uint8Array,
  iv: Uint8Array | null,
  data: Uint8Array,
  padded = true,
): Uint8Array {
  const cipher = createCipheriv(name, key, iv).setAutoPadding(padded);
  return bytes(Buffer.concat([cipher.update(data), cipher.final()]));
}

function bytes(buffer: Buffer): Uint8Array {
  return Uint8Array.from(buffer);
}
