import type { Aead } from '../../../crypto/contracts.ts';
import { equal, wipe } from '../../../crypto/bytes.ts';
import { cbcMac } from '../../../crypto/mac/cbc-mac.ts';
import { cmac } from '../../../crypto/mac/cmac.ts';
import { cbcDecrypt, cbcEncrypt } from '../../../crypto/mode/cbc.ts';
import { ecbDecrypt, ecbEncrypt } from '../../../crypto/mode/ecb.ts';
import { unwrapKey, wrapKey } from '../../../crypto/mode/key-wrap.ts';
import type {
  AeadParams,
  Algorithms,
  CbcParams,
  Cipher,
  CtrParams,
  KeyedCipher,
  MacAlgorithm,
  NoParams,
} from '../../contract.ts';
import { sivCiphers } from '../../adapters.ts';
import { WasmAesKey, type AesModule } from './aes.ts';
import { cbcDecryptMany } from './cbc-decrypt-many.ts';
import { cbcEncryptMany } from './cbc-many.ts';
import { WasmCcm } from './ccm.ts';
import { wasmCtr } from './ctr.ts';
import { WasmGcmSiv } from './gcm-siv.ts';
import { WasmGcm } from './gcm.ts';
import { WasmOcb } from './ocb.ts';
import { Siv } from '../../../crypto/aead/siv.ts';
import { checkBytes } from '../../../crypto/errors.ts';

/** The AES of the module in the shape of the engine contract. */

/** Every AES algorithm of the engine. */
export function aesAlgorithms(module: AesModule): Algorithms {
  return {
    'AES-GCM': aead(module, (key, options) => new WasmGcm(key, options)),
    'AES-CCM': aead(module, (key, options) => new WasmCcm(key, options)),
    'AES-OCB': aead(module, (key, options) => new WasmOcb(key, options)),
    'AES-CTR': mode<CtrParams>(module, (key) => {
      const crypt: KeyedCipher<CtrParams>['encrypt'] = ({ counter, counterBits }, data, into) =>
        wasmCtr(key, counter, counterBits, data, into);
      return { encrypt: crypt, decrypt: crypt };
    }),
    'AES-CBC': mode<CbcParams>(module, (key) => ({
      encrypt: ({ iv }, data, into) => cbcEncrypt(key, iv, data, into),
      decrypt: ({ iv }, data, into) => cbcDecrypt(key, iv, data, into),
      encryptMany: (messages) => cbcEncryptMany(key, messages),
      decryptMany: (messages) => cbcDecryptMany(key, messages),
    })),
    'AES-ECB': mode<NoParams>(module, (key) => ({
      encrypt: (_params, data, into) => ecbEncrypt(key, data, into?.subarray(0, data.length)),
      decrypt: (_params, data, into) => ecbDecrypt(key, data, into?.subarray(0, data.length)),
    })),
    'AES-KW': mode<NoParams>(module, (key) => ({
      encrypt: (_params, data, into) => wrapKey(key, data, into),
      decrypt: (_params, data, into) => unwrapKey(key, data, into),
    })),
    ...sivCiphers('by-construction', {
      siv: (key) => wasmSiv(module, key),
      gcmSiv: (key) => new WasmGcmSiv(module, key),
    }),
    'AES-CMAC': mac(module, cmac),
    'AES-CBC-MAC': mac(module, cbcMac),
  };
}

type Operations<P> = Omit<KeyedCipher<P>, 'wipe'>;

function mode<P>(module: AesModule, operations: (key: WasmAesKey) => Operations<P>): Cipher<P> {
  return {
    constantTime: 'by-construction',
    withKey: (bytes) => {
      const key = new WasmAesKey(module, bytes);
      return { ...operations(key), wipe: () => key.wipe() };
    },
  };
}

type Construct = (key: WasmAesKey, options: { tagBytes: number }) => Aead;

/** An AEAD has one tag length; of the few that a key is used with, each is kept. */
function aead(module: AesModule, construct: Construct): Cipher<AeadParams> {
  return {
    constantTime: 'by-construction',
    withKey: (bytes) => {
      const key = new WasmAesKey(module, bytes);
      const aeads = new Map<number, Aead>();
      const withTag = (tagBytes: number) => {
        const known = aeads.get(tagBytes) ?? construct(key, { tagBytes });
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
          key.wipe();
        },
      };
    },
  };
}

type MacOfMessage = (key: WasmAesKey, message: Uint8Array) => Uint8Array;

function mac(module: AesModule, sign: MacOfMessage): MacAlgorithm {
  return {
    constantTime: 'by-construction',
    withKey: (bytes) => {
      const key = new WasmAesKey(module, bytes);
      return {
        sign: (data) => sign(key, data),
        verify: (tag, data) => {
          const expected = sign(key, data);
          const verified = equal(expected, tag);
          wipe(expected);
          return verified;
        },
        wipe: () => key.wipe(),
      };
    },
  };
}

/** SIV (RFC 5297) in the AES module: src/crypto's mode over two keys of it. */

/** @param key 32, 48 or 64 bytes: K1 for S2V, K2 for CTR (section 2.6) */
export function wasmSiv(module: AesModule, key: Uint8Array): Siv {
  checkBytes('key', key, [32, 48, 64]);
  const half = key.length / 2;
  return new Siv(
    new WasmAesKey(module, key.subarray(0, half)),
    new WasmAesKey(module, key.subarray(half)),
  );
}
