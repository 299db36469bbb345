/** THE table of algorithms. A new one is a file of its own and a line here. */
import { AES_CCM, AES_GCM, AES_OCB } from './aes-aead.ts';
import { AES_KW } from './aes-key-wrap.ts';
import { AES_CBC_MAC, AES_CMAC } from './aes-macs.ts';
import { AES_CBC, AES_CTR, AES_ECB } from './aes-modes.ts';
import type { Definition } from './definition.ts';
import { DIGESTS } from './digests.ts';
import { HMAC } from './hmac.ts';
import { HKDF, PBKDF2 } from './kdfs.ts';

export const DEFINITIONS: readonly Definition[] = [
  AES_GCM,
  AES_OCB,
  AES_CCM,
  AES_CTR,
  AES_CBC,
  AES_ECB,
  AES_KW,
  AES_CMAC,
  AES_CBC_MAC,
  HMAC,
  HKDF,
  PBKDF2,
  ...DIGESTS,
];

/** Names of the library's contract that later versions will have: NotSupportedError until then. */
export const LATER: readonly string[] = [
  'AES-SIV',
  'AES-GCM-SIV',
  'ChaCha20-Poly1305',
  'XChaCha20-Poly1305',
  'Salsa20',
  'SHA3-256',
  'SHA3-384',
  'SHA3-512',
  'BLAKE2b',
  'BLAKE3',
  'scrypt',
  'Argon2id',
  'RSA-OAEP',
  'RSASSA-PKCS1-v1_5',
  'RSA-PSS',
  'ECDH',
  'ECDSA',
  'X25519',
  'Ed25519',
  'DH',
  'DSA',
];
