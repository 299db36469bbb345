import { checkTagBytes } from '../crypto/aead/buffers.ts';
import type { Siv } from '../crypto/aead/siv.ts';
import type { Aead } from '../crypto/contracts.ts';
import type {
  Cipher,
  CipherParams,
  ConstantTime,
  AeadParams,
  KeyedCipher,
  SalsaParams,
} from './contract.ts';
import { ChaCha20Poly1305 } from '../crypto/aead/chacha20-poly1305.ts';
import { XChaCha20Poly1305 } from '../crypto/aead/xchacha20-poly1305.ts';
import { wipe } from '../crypto/bytes.ts';
import { checkBytes } from '../crypto/errors.ts';
import { salsa20 } from '../crypto/stream/salsa20.ts';

/**
 * AES-SIV and AES-GCM-SIV in the shape of the engine contract, over whatever computes them.
 */

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

/**
 * ChaCha20-Poly1305, XChaCha20-Poly1305 and Salsa20 in the shape of the engine contract, over
 * whatever computes them.
 */

type ArxName = 'ChaCha20-Poly1305' | 'XChaCha20-Poly1305' | 'Salsa20';
export type ArxCiphers = { readonly [A in ArxName]: Cipher<CipherParams[A]> };

/** What floor 0 has, or a module that gives the same answers. */
export interface ArxPrimitives {
  chacha20Poly1305(key: Uint8Array): Aead;
  xchacha20Poly1305(key: Uint8Array): Aead;
  readonly salsa20: typeof salsa20;
}

export const JS_ARX_CIPHERS: ArxCiphers = arxCiphers({
  chacha20Poly1305: (key) => new ChaCha20Poly1305(key),
  xchacha20Poly1305: (key) => new XChaCha20Poly1305(key),
  salsa20,
});

export function arxCiphers(primitives: ArxPrimitives): ArxCiphers {
  return {
    'ChaCha20-Poly1305': aead((key) => primitives.chacha20Poly1305(key)),
    'XChaCha20-Poly1305': aead((key) => primitives.xchacha20Poly1305(key)),
    Salsa20: {
      constantTime: 'by-construction',
      withKey: (bytes) => {
        checkBytes('key', bytes, [16, 32]);
        const key = Uint8Array.from(bytes);
        const crypt: KeyedCipher<SalsaParams>['encrypt'] = ({ nonce, ...options }, data, into) =>
          primitives.salsa20(key, nonce, data, options, into?.subarray(0, data.length));
        return { encrypt: crypt, decrypt: crypt, wipe: () => wipe(key) };
      },
    },
  };
}

/** The standards know tags of 16 bytes alone. */
function aead(construct: (key: Uint8Array) => Aead): Cipher<AeadParams> {
  return {
    constantTime: 'by-construction',
    withKey: (key) => {
      const keyed = construct(key);
      return {
        encrypt: ({ nonce, associatedData, tagBytes }, data, into) => {
          checkTagBytes(tagBytes, [16]);
          return keyed.seal(nonce, data, associatedData, into);
        },
        decrypt: ({ nonce, associatedData, tagBytes }, data, into) => {
          checkTagBytes(tagBytes, [16]);
          return keyed.open(nonce, data, associatedData, into);
        },
        wipe: () => keyed.wipe(),
      };
    },
  };
}
