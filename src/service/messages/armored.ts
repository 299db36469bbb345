/* Messages as text, every character of which is looked at: long ones so that others are answered meanwhile. */
import { writeBase64url } from '../../crypto/bytes.ts';
import type { Awaitable } from '../../engine/contract.ts';
import type { InTurn } from '../../engine/native/native-crypto.ts';
import { EnvelopeError } from '../../format/errors.ts';
import { ARMOR_PREFIX, armorBytes, unarmor } from '../../format/wire/armor.ts';
import type { Call } from '../../rpc/call.ts';
import { inWorkshopOf, type OriginWorkshopDeps } from '../calls/origin-workshop.ts';
import { asciiBytes, asciiText } from './ascii.ts';

/** A multiple of 3, of which each has 4 characters. The slowest text of as many takes 12 ms to read. */
const PIECE_BYTES = 3 * 2 ** 18;

/** The text of a message, in ASCII. */
export function armored(sealed: Uint8Array, inTurn: InTurn): Awaitable<Uint8Array> {
  return sealed.length <= PIECE_BYTES ? armorBytes(sealed) : armoredInTurns(sealed, inTurn);
}

async function armoredInTurns(sealed: Uint8Array, inTurn: InTurn): Promise<Uint8Array> {
  const text = new Uint8Array(ARMOR_PREFIX.length + Math.ceil((sealed.length * 4) / 3));
  text.set(asciiBytes(ARMOR_PREFIX));
  for (let at = 0; at < sealed.length; at += PIECE_BYTES) {
    const piece = sealed.subarray(at, at + PIECE_BYTES);
    const to = ARMOR_PREFIX.length + (at / 3) * 4;
    await inTurn(piece.length, () => Promise.resolve(writeBase64url(piece, text, to)));
  }
  return text;
}

/** The message in a text that a page has given. @throws EnvelopeError BAD_ENVELOPE, TOO_LARGE */
export function unarmored(
  text: Uint8Array,
  call: Call,
  deps: OriginWorkshopDeps,
): Awaitable<Uint8Array> {
  if (text.length <= PIECE_BYTES) return unarmor(asciiText(text));
  return inWorkshopOf(call, deps, 'armor.read', { secrets: {}, params: { text } }).then((read) => {
    if ('error' in read) throw new EnvelopeError(read.error.code, read.error.message);
    return read.sealed;
  });
}
