/* `sealwright/legacy`: opens messages in old formats of other programs. It cannot encrypt. */
import type { OpenedSjclJson } from '../crypto/legacy/sjcl-json.ts';
import { openSjclJson as openWith } from '../crypto/legacy/sjcl-json.ts';
import { fastestPbkdf2Sha256 } from '../engine/fastest-pbkdf2.ts';

export { AuthenticationError } from '../crypto/errors.ts';
export { ocb2Open } from '../crypto/legacy/ocb2.ts';
export type { Ocb2Params } from '../crypto/legacy/ocb2.ts';
export type { OpenedSjclJson } from '../crypto/legacy/sjcl-json.ts';

/** One algorithm, and not the registry: with all engines this bundle would be four times larger. */
const deriveKey = fastestPbkdf2Sha256();

/**
 * Opens a message of `sjcl.encrypt`. PBKDF2 is the platform's where there is WebCrypto, else
 * portable code.
 *
 * @param password any text without lone surrogates
 * @param text what `sjcl.encrypt` returned
 * @returns the plaintext, UTF-8; `authenticated` is false for OCB2, whose tags can be forged; `iterations`
 *   below 1,000 mean that its password could be guessed at little cost
 * @throws TypeError if `text` is not such a message; RangeError if a parameter is out of bounds
 *   (101 to 10,000,000 iterations, tags from 64 bits); AuthenticationError if the tag does not
 *   verify
 */
export async function openSjclJson(password: string, text: string): Promise<OpenedSjclJson> {
  return openWith(password, text, deriveKey);
}
