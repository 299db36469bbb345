/**
 * CBC-MAC (FIPS 113; ISO/IEC 9797-1, algorithm 1) over whole blocks with a zero IV: the core of CMAC and CCM.
 * Alone it is secure only if all messages have the same length.
 */
import { xorInto } from '../bytes.ts';
import type { BlockBytes, BlockCipher } from '../contracts.ts';
import { checkBytes } from '../errors.ts';

/**
 * Continues the chain: chain = E(chain ⊕ block) for each block.
 *
 * @param chain one block; updated
 * @param blocks whole blocks
 */
export function cbcMacBlocks(
  cipher: BlockCipher<BlockBytes>,
  chain: Uint8Array,
  blocks: Uint8Array,
): void {
  if (cipher.cbcEncryptBlocks) {
    cipher.cbcEncryptBlocks(chain, blocks);
    return;
  }
  const { blockBytes } = cipher;
  for (let i = 0; i < blocks.length; i += blockBytes) {
    xorInto(chain, blocks.subarray(i, i + blockBytes));
    cipher.encryptBlocks(chain, chain);
  }
}

/**
 * The raw MAC.
 *
 * @param message whole blocks, at least one
 * @returns one block
 */
export function cbcMac(
  cipher: BlockCipher<BlockBytes>,
  message: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const { blockBytes } = cipher;
  checkBytes('message', message, { min: blockBytes, multipleOf: blockBytes });
  const chain = new Uint8Array(blockBytes);
  cbcMacBlocks(cipher, chain, message);
  return chain;
}
