import type { Argon2idCost } from '../../../src/keys/unlock/passphrase-kdf.ts';

/** One derivation. The passphrase's buffer is given away. */
export interface Argon2idOrder {
  readonly passphrase: Uint8Array;
  readonly salt: Uint8Array;
  readonly cost: Argon2idCost;
}

/** First 'ready', then the 32 bytes of the key, or why there are none (never of the passphrase). */
export type Argon2idAnswer =
  'ready' | { readonly key: Uint8Array } | { readonly name: string; readonly message: string };
