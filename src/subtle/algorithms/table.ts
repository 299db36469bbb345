/** The algorithms of `subtle`. A new one that is no AEAD has a definition and a line here. */
import { AEAD_DEFINITIONS } from './aead.ts';
import { AES_KW, AES_CBC_MAC, AES_CMAC, AES_CBC, AES_CTR, AES_ECB, AES_SIV } from './aes.ts';
import { SALSA20 } from './salsa20.ts';
import type { Definition } from './definition.ts';
import { DH } from './dh.ts';
import { DIGESTS } from './digests.ts';
import { DSA } from './dsa.ts';
import { ECDH, ECDSA, ED25519, ED448, X25519, X448 } from './elliptic.ts';
import { HMAC, KMACS } from './hmac.ts';
import { HKDF, PBKDF2, ARGON2, SCRYPT } from './kdfs.ts';
import { KEM_DEFINITIONS } from './post-quantum/kems.ts';
import { SIGNATURE_DEFINITIONS } from './post-quantum/signatures.ts';
import { RSA_OAEP, RSA_PKCS1, RSA_PSS } from './rsa.ts';

/** Every algorithm of `subtle`. */
export const DEFINITIONS: readonly Definition[] = [
  ...AEAD_DEFINITIONS,
  AES_SIV,
  AES_CTR,
  AES_CBC,
  AES_ECB,
  AES_KW,
  AES_CMAC,
  AES_CBC_MAC,
  SALSA20,
  HMAC,
  ...KMACS,
  HKDF,
  PBKDF2,
  SCRYPT,
  ...ARGON2,
  ...DIGESTS,
  RSA_OAEP,
  RSA_PKCS1,
  RSA_PSS,
  ECDH,
  ECDSA,
  X25519,
  ED25519,
  X448,
  ED448,
  DH,
  DSA,
  ...KEM_DEFINITIONS,
  ...SIGNATURE_DEFINITIONS,
];
