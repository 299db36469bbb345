/*
 * The bytes that a signature covers (docs/keys.md, "Signatures"): the protocol's name, the origin of the
 * page, and the data. A signature for one page is therefore not valid for another site or in another
 * protocol, whatever the data.
 */
import { concat, u16be, utf8 } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';

const PROTOCOL = 'sealwright.org/signature@v1';

/**
 * Makes the bytes to sign.
 *
 * @param origin the browser's ASCII serialisation
 * @returns protocol ‖ 00 ‖ u16 length of the origin ‖ origin ‖ data
 */
export function signedBytes(origin: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  checkBytes('data', data);
  const name = utf8(origin);
  return concat(utf8(PROTOCOL), Uint8Array.of(0), u16be(name.length), name, data);
}
