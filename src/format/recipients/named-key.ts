/*
 * The sealer's own named key as a recipient (docs/format.md section 3.2), so that the sealer of a message to
 * others can open it too.
 *
 *   wrapping key = HKDF-Expand-SHA-512(named key, "SWM1 wrap key", 32)
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
export function namedKeyRecipient(crypto: FormatCrypto, random: RandomSource): RecipientType {
  return {
    wrap: (namedKey, dataKey, context) =>
      withWrappingKey(namedKey, crypto, (key) => {
        const salt = random.bytes(SALT_BYTES);
        return chunkedEncrypt({ suite: SUITE, key, context, salt, crypto }, dataKey);
      }),
    async unwrap(namedKey, body, context) {
      if (body.length !== BODY_BYTES) throw new AuthenticationError();
      return withWrappingKey(namedKey, crypto, (key) =>
        chunkedDecrypt({ suite: SUITE, key, context, crypto }, body),
      );
    },
  };
}

async function withWrappingKey<T>(
  namedKey: Uint8Array,
  crypto: FormatCrypto,
  work: (key: Uint8Array) => Promise<T>,
): Promise<T> {
  checkBytes('named key', namedKey, KEY_BYTES);
  const key = await crypto.expand(namedKey, utf8('SWM1 wrap key'), KEY_BYTES);
  try {
    return await work(key);
  } finally {
    wipe(key);
  }
}
