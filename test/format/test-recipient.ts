/*
 * Recipient type 255, for tests only (docs/format.md section 3.2): recipient and identity share a 32-byte
 * key, and the body is Cobblestone-256 of the data key under it, 104 bytes.
 */
import { chunkedDecrypt, chunkedEncrypt } from '../../src/format/chunks/chunked.ts';
import type { RecipientType, RecipientTypes } from '../../src/format/recipients/recipient-type.ts';
import type { RandomSource } from '../../src/random/contract.ts';

export const TEST_TYPE = 255;
const SALT_BYTES = 24;

export function testRecipientTypes(random?: RandomSource): RecipientTypes {
  const suite = 'Cobblestone-256';
  const type: RecipientType = {
    wrap: (key, dataKey, context) =>
      chunkedEncrypt({ suite, key, context, salt: random?.bytes(SALT_BYTES) }, dataKey),
    unwrap: (key, body, context) => chunkedDecrypt({ suite, key, context }, body),
  };
  return new Map([[TEST_TYPE, type]]);
}
