/*
 * What a signature of Sealwright is over (docs/keys.md, "Signatures"): a name that no other protocol
 * has, the origin that asked, and the data. So no page can have anything signed that means something
 * to another site or in another protocol, whatever data it gives.
 */
import { concat, u16be, utf8 } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';

const PROTOCOL = 'sealwright.org/signature@v1';

/**
 * @param origin the browser's ASCII serialisation
 * @returns protocol ‖ 00 ‖ u16 length of the origin ‖ origin ‖ data
 */
export function signedBytes(origin: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  checkBytes('data', data);
  const name = utf8(origin);
  return concat(utf8(PROTOCOL), Uint8Array.of(0), u16be(name.length), name, data);
}
