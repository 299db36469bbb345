/**
 * ECB (SP 800-38A, section 6.1): each block separately. Equal blocks give equal blocks, so this is a building
 * block and a test of engines, and must not be used to encrypt data.
 */
import type { BlockBytes, BlockCipher } from '../contracts.ts';
import { checkBytes, targetOf } from '../errors.ts';

/**
 * @param source whole blocks
 * @param target as long as `source`, which it may be; a new array if absent
 * @returns `target`
 */
export function ecbEncrypt(
  cipher: BlockCipher<BlockBytes>,
  source: Uint8Array,
  target?: Uint8Array,
): Uint8Array {
  checkBytes('source', source, { min: 0, multipleOf: cipher.blockBytes });
  const result = targetOf(target, source.length);
  cipher.encryptBlocks(source, result);
  return result;
}

/** The inverse of `ecbEncrypt`, under the same conditions. */
export function ecbDecrypt(
  cipher: BlockCipher<BlockBytes>,
  source: Uint8Array,
  target?: Uint8Array,
): Uint8Array {
  checkBytes('source', source, { min: 0, multipleOf: cipher.blockBytes });
  const result = targetOf(target, source.length);
  cipher.decryptBlocks(source, result);
  return result;
}
