/** The definitions of the algorithms of `subtle`, by families. Their parameters are those of src/crypto/subtle/table.ts. */
import { AEAD_DEFINITIONS } from './aead.ts';
import { AES } from './aes.ts';
import type { Definition } from './definition.ts';
import { DH } from './dh.ts';
import { DIGESTS } from './digests.ts';
import { DSA } from './dsa.ts';
import { ELLIPTIC } from './elliptic.ts';
import { MACS } from './hmac.ts';
import { KDFS } from './kdfs.ts';
import { KEM_DEFINITIONS } from './post-quantum/kems.ts';
import { SIGNATURE_DEFINITIONS } from './post-quantum/signatures.ts';
import { RSA } from './rsa.ts';
import { SALSA20 } from './salsa20.ts';

/** Every algorithm of `subtle`. */
export const DEFINITIONS: readonly Definition[] = [
  ...AEAD_DEFINITIONS,
  ...AES,
  SALSA20,
  ...MACS,
  ...KDFS,
  ...DIGESTS,
  ...RSA,
  ...ELLIPTIC,
  DH,
  DSA,
  ...KEM_DEFINITIONS,
  ...SIGNATURE_DEFINITIONS,
];
