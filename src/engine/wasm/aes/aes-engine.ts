import { cbcDecrypt, cbcEncrypt } from '../../../crypto/mode/cbc.ts';
import type { Algorithms, CbcParams, CtrParams, KeyedCipher } from '../../contract.ts';
import { aeadCipher, blockMacs, blockModes, modeCipher, sivCiphers } from '../../adapters.ts';
import type { BlockCiphers } from '../../adapters.ts';
import type { AesModule } from './aes.ts';
import { WasmAesKey } from './block-cipher.ts';
import { cbcDecryptMany } from './cbc-decrypt-many.ts';
import { cbcEncryptMany } from './cbc-many.ts';
import { WasmCcm } from './ccm.ts';
import { WasmCmac, wasmSiv } from './cmac.ts';
import { wasmCtr } from './ctr.ts';
import { WasmGcmSiv } from './gcm-siv.ts';
import { WasmGcm } from './gcm.ts';
import { WasmOcb } from './ocb.ts';

/** Adapts the AES of the module to the engine contract. */

/** Every AES algorithm of the engine. */
export function aesAlgorithms(module: AesModule): Algorithms {
  const aes: BlockCiphers<WasmAesKey> = {
    constantTime: 'by-construction',
    withKey: (key) => new WasmAesKey(module, key),
  };
  return {
    'AES-GCM': aeadCipher(aes, (key, options) => new WasmGcm(key, options)),
    'AES-CCM': aeadCipher(aes, (key, options) => new WasmCcm(key, options)),
    'AES-OCB': aeadCipher(aes, (key, options) => new WasmOcb(key, options)),
    'AES-CTR': modeCipher<WasmAesKey, CtrParams>(aes, (key) => {
      const crypt: KeyedCipher<CtrParams>['encrypt'] = ({ counter, counterBits }, data, into) =>
        wasmCtr(key, counter, counterBits, data, into);
      return { encrypt: crypt, decrypt: crypt };
    }),
    'AES-CBC': modeCipher<WasmAesKey, CbcParams>(aes, (key) => ({
      encrypt: ({ iv }, data, into) => cbcEncrypt(key, iv, data, into),
      decrypt: ({ iv }, data, into) => cbcDecrypt(key, iv, data, into),
      encryptMany: (messages) => cbcEncryptMany(key, messages),
      decryptMany: (messages) => cbcDecryptMany(key, messages),
    })),
    ...blockModes(aes),
    ...sivCiphers('by-construction', {
      siv: (key) => wasmSiv(module, key),
      gcmSiv: (key) => new WasmGcmSiv(module, key),
    }),
    ...blockMacs(aes, (key) => new WasmCmac(key)),
  };
}
