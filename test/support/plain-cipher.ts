/**
 * A block cipher with its optional runs hidden, so that the portable loops of the modes are tested
 * beside the fast ones: `CIPHERS` names both ways to make an AES.
 */
import { Aes } from '../../src/crypto/aes/block.ts';
import type { BlockBytes, BlockCipher } from '../../src/crypto/contracts.ts';

export function plainCipher<B extends BlockBytes>(cipher: BlockCipher<B>): BlockCipher<B> {
  return {
    blockBytes: cipher.blockBytes,
    encryptBlocks: (source, target) => cipher.encryptBlocks(source, target),
    decryptBlocks: (source, target) => cipher.decryptBlocks(source, target),
    wipe: () => cipher.wipe(),
  };
}

export const CIPHERS: readonly (readonly [string, (key: Uint8Array) => BlockCipher])[] = [
  ['the runs of Aes', (key) => new Aes(key)],
  ['any block cipher', (key) => plainCipher(new Aes(key))],
];
