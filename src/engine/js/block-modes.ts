import { Aes } from '../../crypto/aes/block.ts';
import { cbcDecrypt, cbcEncrypt } from '../../crypto/mode/cbc.ts';
import { blockModes, modeCipher, type BlockCiphers } from '../adapters.ts';
import type { CbcParams } from '../contract.ts';

/** The table AES. The key schedule is computed once for each key. */
export const JS_AES: BlockCiphers<Aes> = { constantTime: 'no', withKey: (key) => new Aes(key) };

/** AES in the modes without a counter or a tag: CBC, ECB and KW. Not side-channel safe. */
export const JS_BLOCK_MODES = {
  'AES-CBC': modeCipher<Aes, CbcParams>(JS_AES, (cipher) => ({
    encrypt: ({ iv }, data, into) => cbcEncrypt(cipher, iv, data, into),
    decrypt: ({ iv }, data, into) => cbcDecrypt(cipher, iv, data, into),
  })),
  ...blockModes(JS_AES),
} as const;
