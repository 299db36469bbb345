/**
 * CBC-MAC (FIPS 113; ISO/IEC 9797-1, algorithm 1) over whole blocks with a zero IV: the core of CMAC and CCM.
 * Alone it is secure only if all messages have the same length.
 */
import { xorInto } from '../bytes.ts';
import type { BlockCipher } from '../contracts.ts';
import { checkBytes } from '../errors.ts';

/**
 * Continues the chain: chain = E(chain ⊕ block) for each block.
 *
 * @param chain 16 bytes; updated
 * @param blocks any multiple of 16 bytes
 */
export function cbcMacBlocks(cipher: BlockCipher, chain: Uint8Array, blocks: Uint8Array): void {
  if (cipher.cbcEncryptBlocks) {
    cipher.cbcEncryptBlocks(chain, blocks);
    return;
  }
  for (let i = 0; i < blocks.length; i += 16) {
    xorInto(chain, blocks.subarray(i, i + 16));
    cipher.encryptBlocks(chain, chain);
  }
}

/**
 * The raw MAC.
 *
 * @param message a positive multiple of 16 bytes
 * @returns 16 bytes
 */
export function cbcMac(cipher: BlockCipher, message: Uint8Array): Uint8Array<ArrayBuffer> {
  checkBytes('message', message, { min: 16, multipleOf: 16 });
  const chain = new Uint8Array(16);
  cbcMacBlocks(cipher, chain, message);
  return chain;
}
