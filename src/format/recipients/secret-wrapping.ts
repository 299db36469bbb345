/*
 * Seals the data key under a secret that sealer and recipient both have (docs/format.md section 3.2): the sealer's own
 * named key, so that the sealer of a message to others can open it too, or what a passphrase gives.
 *
 *   wrapping key = HKDF-Expand-SHA-512(secret, label, 32)
 *   body         = Cobblestone-256 of the data key under it: salt (24) ‖ commitment (32) ‖ chunk (48)
 */
import { utf8, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError, checkBytes } from '../../crypto/errors.ts';
import type { RandomSource } from '../../random/contract.ts';
import { chunkedDecrypt, chunkedEncrypt } from '../chunks/chunked.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import { KEY_BYTES } from '../keys/input-key.ts';
import type { RecipientType } from './recipient-type.ts';
import { COMMITMENT_BYTES, SALT_BYTES, TAG_BYTES } from '../wire/sealed-length.ts';

const SUITE = 'Cobblestone-256';
const BODY_BYTES = SALT_BYTES + COMMITMENT_BYTES + KEY_BYTES + TAG_BYTES;

/** The recipient type of named keys. */
export const namedKeyRecipient = (crypto: FormatCrypto, random: RandomSource): RecipientType =>
  secretWrapping('SWM1 wrap key', crypto, random);

/** @param label of the wrapping key; the keys of the type are secrets of 32 bytes */
export function secretWrapping(
  label: string,
  crypto: FormatCrypto,
  random: RandomSource,
): RecipientType {
  async function withWrappingKey<T>(
    secret: Uint8Array,
    work: (key: Uint8Array) => Promise<T>,
  ): Promise<T> {
    checkBytes('key', secret, KEY_BYTES);
    const key = await crypto.expand(secret, utf8(label), KEY_BYTES);
    try {
      return await work(key);
    } finally {
      wipe(key);
    }
  }
  return {
    wrap: (secret, dataKey, context) =>
      withWrappingKey(secret, (key) => {
        const salt = random.bytes(SALT_BYTES);
        return chunkedEncrypt({ suite: SUITE, key, context, salt, crypto }, dataKey);
      }),
    async unwrap(secret, body, context) {
      if (body.length !== BODY_BYTES) throw new AuthenticationError();
      return withWrappingKey(secret, (key) =>
        chunkedDecrypt({ suite: SUITE, key, context, crypto }, body),
      );
    },
  };
}
