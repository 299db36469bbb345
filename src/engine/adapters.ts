/**
 * AES-SIV and AES-GCM-SIV in the shape of the engine contract, over whatever computes them.
 */
import { checkTagBytes } from '../crypto/aead/buffers.ts';
import type { Siv } from '../crypto/aead/siv.ts';
import type { Aead } from '../crypto/contracts.ts';
import type { Cipher, CipherParams, ConstantTime } from './contract.ts';

/** Each makes an instance under a key, of which it keeps no reference. */
export interface SivPrimitives {
  /** @param key 32, 48 or 64 bytes */
  siv(key: Uint8Array): Siv;
  /** @param key 16 or 32 bytes */
  gcmSiv(key: Uint8Array): Aead;
}

type SivName = 'AES-SIV' | 'AES-GCM-SIV';
export type SivCiphers = { readonly [A in SivName]: Cipher<CipherParams[A]> };

export function sivCiphers(constantTime: ConstantTime, primitives: SivPrimitives): SivCiphers {
  return {
    'AES-SIV': {
      constantTime,
      withKey: (key) => {
        const mode = primitives.siv(key);
        return {
          encrypt: ({ associatedData }, data, into) => mode.seal(data, associatedData, into),
          decrypt: ({ associatedData }, data, into) => mode.open(data, associatedData, into),
          wipe: () => mode.wipe(),
        };
      },
    },
    'AES-GCM-SIV': {
      constantTime,
      withKey: (key) => {
        const mode = primitives.gcmSiv(key);
        return {
          encrypt: ({ nonce, associatedData, tagBytes }, data, into) => {
            checkTagBytes(tagBytes, [16]);
            return mode.seal(nonce, data, associatedData, into);
          },
          decrypt: ({ nonce, associatedData, tagBytes }, data, into) => {
            checkTagBytes(tagBytes, [16]);
            return mode.open(nonce, data, associatedData, into);
          },
          wipe: () => mode.wipe(),
        };
      },
    },
  };
}
