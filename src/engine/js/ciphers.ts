/** Adapts the ciphers of src/crypto to the engine contract. */
import { Ccm } from '../../crypto/aead/ccm.ts';
import { GcmSiv } from '../../crypto/aead/gcm-siv.ts';
import { Gcm } from '../../crypto/aead/gcm.ts';
import { Ocb } from '../../crypto/aead/ocb.ts';
import { Siv } from '../../crypto/aead/siv.ts';
import { Aes } from '../../crypto/aes/block.ts';
import { ctr } from '../../crypto/mode/ctr.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { aeadCipher, JS_ARX_CIPHERS, modeCipher, sivCiphers } from '../adapters.ts';
import type { Cipher, CipherName, CipherParams, CtrParams, KeyedCipher } from '../contract.ts';
import { JS_AES, JS_BLOCK_MODES } from './block-modes.ts';

type JsCiphers = { readonly [A in CipherName]: Cipher<CipherParams[A]> };

/** Every cipher of src/crypto, by name. Their AES is not side-channel safe. */
export const JS_CIPHERS: JsCiphers = {
  'AES-GCM': aeadCipher(JS_AES, (cipher, options) => new Gcm(cipher, options)),
  'AES-CCM': aeadCipher(JS_AES, (cipher, options) => new Ccm(cipher, options)),
  'AES-OCB': aeadCipher(JS_AES, (cipher, options) => new Ocb(cipher, options)),
  'AES-CTR': modeCipher<Aes, CtrParams>(JS_AES, (cipher) => {
    const crypt: KeyedCipher<CtrParams>['encrypt'] = ({ counter, counterBits }, data, into) =>
      ctr(cipher, counter, counterBits, data, into?.subarray(0, data.length));
    return { encrypt: crypt, decrypt: crypt };
  }),
  ...JS_BLOCK_MODES,
  ...sivCiphers('no', {
    siv: (key) => {
      checkBytes('key', key, [32, 48, 64]);
      const half = key.length / 2;
      return Siv.over(new Aes(key.subarray(0, half)), new Aes(key.subarray(half)));
    },
    gcmSiv: (key) => {
      checkBytes('key', key, [16, 32]);
      return new GcmSiv(new Aes(key), key.length as 16 | 32, (messageKey) => new Aes(messageKey));
    },
  }),
  ...JS_ARX_CIPHERS,
};
