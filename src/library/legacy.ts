/** `sealwright/legacy`: reads what others wrote long ago. Nothing here encrypts. */
import type { OpenedSjclJson } from '../crypto/legacy/sjcl-json.ts';
import { openSjclJson as openWith } from '../crypto/legacy/sjcl-json.ts';
import { createSubtle } from '../subtle/create-subtle.ts';

export { AuthenticationError } from '../crypto/errors.ts';
export { ocb2Open } from '../crypto/legacy/ocb2.ts';
export type { Ocb2Params } from '../crypto/legacy/ocb2.ts';
export type { OpenedSjclJson } from '../crypto/legacy/sjcl-json.ts';

/**
 * Opens a message of `sjcl.encrypt`, with PBKDF2 in the fastest engine there is.
 *
 * @param password any text without lone surrogates
 * @param text what `sjcl.encrypt` returned
 * @returns the plaintext, UTF-8; `authenticated` is false for OCB2, whose tags can be forged
 * @throws TypeError if `text` is no such message; RangeError if it asks for what is not allowed
 *   (1,000 to 10,000,000 iterations, tags from 64 bits); AuthenticationError if it does not verify
 */
export async function openSjclJson(password: string, text: string): Promise<OpenedSjclJson> {
  return openWith(password, text, async (secret, salt, iterations, lengthBytes) => {
    const subtle = await createSubtle({ engine: 'auto' });
    const key = await subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveBits']);
    const params = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
    return new Uint8Array(await subtle.deriveBits(params, key, 8 * lengthBytes));
  });
}
