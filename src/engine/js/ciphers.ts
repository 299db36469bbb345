/** The ciphers of floor 0 in the shape of the engine contract. */
import { Ccm } from '../../crypto/aead/ccm.ts';
import { GcmSiv } from '../../crypto/aead/gcm-siv.ts';
import { Gcm } from '../../crypto/aead/gcm.ts';
import { Ocb } from '../../crypto/aead/ocb.ts';
import { Siv } from '../../crypto/aead/siv.ts';
import { Aes } from '../../crypto/aes/block.ts';
import type { Aead, BlockCipher } from '../../crypto/contracts.ts';
import { cbcDecrypt, cbcEncrypt } from '../../crypto/mode/cbc.ts';
import { ctr } from '../../crypto/mode/ctr.ts';
import { ecbDecrypt, ecbEncrypt } from '../../crypto/mode/ecb.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { unwrapKey, wrapKey } from '../../crypto/mode/key-wrap.ts';
import { JS_ARX_CIPHERS, sivCiphers } from '../adapters.ts';
import type {
  AeadParams,
  CbcParams,
  Cipher,
  CipherName,
  CipherParams,
  CtrParams,
  KeyedCipher,
  NoParams,
} from '../contract.ts';

type JsCiphers = { readonly [A in CipherName]: Cipher<CipherParams[A]> };

export const JS_CIPHERS: JsCiphers = {
  'AES-GCM': aead((cipher, options) => new Gcm(cipher, options)),
  'AES-CCM': aead((cipher, options) => new Ccm(cipher, options)),
  'AES-OCB': aead((cipher, options) => new Ocb(cipher, options)),
  'AES-CTR': mode<CtrParams>((cipher) => {
    const crypt: KeyedCipher<CtrParams>['encrypt'] = ({ counter, counterBits }, data, into) =>
      ctr(cipher, counter, counterBits, data, into?.subarray(0, data.length));
    return { encrypt: crypt, decrypt: crypt };
  }),
  'AES-CBC': mode<CbcParams>((cipher) => ({
    encrypt: ({ iv }, data, into) => cbcEncrypt(cipher, iv, data, into),
    decrypt: ({ iv }, data, into) => cbcDecrypt(cipher, iv, data, into),
  })),
  'AES-ECB': mode<NoParams>((cipher) => ({
    encrypt: (_params, data, into) => ecbEncrypt(cipher, data, into?.subarray(0, data.length)),
    decrypt: (_params, data, into) => ecbDecrypt(cipher, data, into?.subarray(0, data.length)),
  })),
  'AES-KW': mode<NoParams>((cipher) => ({
    encrypt: (_params, data, into) => wrapKey(cipher, data, into),
    decrypt: (_params, data, into) => unwrapKey(cipher, data, into),
  })),
  ...sivCiphers('no', {
    siv: (key) => {
      checkBytes('key', key, [32, 48, 64]);
      const half = key.length / 2;
      return new Siv(new Aes(key.subarray(0, half)), new Aes(key.subarray(half)));
    },
    gcmSiv: (key) => {
      checkBytes('key', key, [16, 32]);
      return new GcmSiv(new Aes(key), key.length as 16 | 32, (messageKey) => new Aes(messageKey));
    },
  }),
  ...JS_ARX_CIPHERS,
};

type Operations<P> = Omit<KeyedCipher<P>, 'wipe'>;

/** A mode over the table AES: the key schedule is done once for each key. */
function mode<P>(operations: (cipher: BlockCipher) => Operations<P>): Cipher<P> {
  return {
    constantTime: 'no',
    withKey: (key) => {
      const cipher = new Aes(key);
      return { ...operations(cipher), wipe: () => cipher.wipe() };
    },
  };
}

type Construct = (cipher: BlockCipher, options: { tagBytes: number }) => Aead;

/** An AEAD of floor 0 has one tag length; of the few that a key is used with, each is kept. */
function aead(construct: Construct): Cipher<AeadParams> {
  return {
    constantTime: 'no',
    withKey: (key) => {
      const cipher = new Aes(key);
      const aeads = new Map<number, Aead>();
      const withTag = (tagBytes: number) => {
        const known = aeads.get(tagBytes) ?? construct(cipher, { tagBytes });
        aeads.set(tagBytes, known);
        return known;
      };
      return {
        encrypt: ({ nonce, associatedData, tagBytes }, data, into) =>
          withTag(tagBytes).seal(nonce, data, associatedData, into),
        decrypt: ({ nonce, associatedData, tagBytes }, data, into) =>
          withTag(tagBytes).open(nonce, data, associatedData, into),
        wipe: () => {
          for (const each of aeads.values()) each.wipe();
          cipher.wipe();
        },
      };
    },
  };
}
