/*
 * Finds armored text on a page, where line breaks and elements split it and other words may follow. The
 * text does not contain its length, but few lengths are possible: base64url has no tail of one
 * character and no unused bits, the last chunk has a tag, and padding allows one length in dozens
 * (docs/format.md sections 4.4, 5 and 7). The caller tries to open the candidates.
 */
import { fromBase64url } from '../../crypto/bytes.ts';
import { ARMOR_PREFIX } from './armor.ts';
import { PREFIX_BYTES_MAX, parsePrefix } from './envelope.ts';
import type { Prefix } from './envelope.ts';
import { EnvelopeError } from '../errors.ts';
import { chunkSuite } from './header.ts';
import { PADDED_BYTES_MIN, bodyLength, paddedLength } from './sealed-length.ts';

/** At most this many candidates, because each costs a key derivation that a page can cause. */
export const CANDIDATES_MAX = 16;

/** The beginning, from which the possible lengths follow: 4 characters for 3 bytes. */
const HEAD_CHARACTERS = 4 * Math.ceil(PREFIX_BYTES_MAX / 3);

/**
 * The candidates for the message.
 *
 * @param pieces the text between two breaks each; together they begin with "sw1."
 * @returns texts that may be whole messages by their public part, the longest first, at most 16
 */
export function armorCandidates(pieces: readonly string[]): string[] {
  const run = pieces.join('');
  const prefix = prefixOf(run);
  if (!prefix) return [];
  const found: string[] = [];
  let end = run.length;
  for (let last = pieces.length; last > 0 && found.length < CANDIDATES_MAX; last--) {
    if (mayEndAt(run, end, prefix)) found.push(run.slice(0, end));
    end -= pieces[last - 1]!.length;
  }
  return found;
}

/**
 * What stands before the chunks. It is the same wherever the text ends, and is parsed once: a page
 * decides on the number of pieces, and an error for each would take its 15 µs.
 */
function prefixOf(run: string): Prefix | undefined {
  if (!run.startsWith(ARMOR_PREFIX)) return undefined;
  const text = run.slice(ARMOR_PREFIX.length, ARMOR_PREFIX.length + HEAD_CHARACTERS);
  try {
    // Only whole groups: the last characters of the cut text need not be canonical.
    return parsePrefix(fromBase64url(text.slice(0, text.length - (text.length % 4))));
  } catch (error) {
    if (error instanceof TypeError || error instanceof EnvelopeError) return undefined;
    throw error;
  }
}

/** The last group of canonical base64url, by its length: unused bits are zero. */
const CANONICAL_TAIL = [/^$/, /(?!)/, /^[\w-][AQgw]$/, /^[\w-]{2}[AEIMQUYcgkosw048]$/] as const;

function mayEndAt(run: string, end: number, { header, chunksOffset }: Prefix): boolean {
  const characters = end - ARMOR_PREFIX.length;
  const tail = characters % 4;
  if (!CANONICAL_TAIL[tail]!.test(run.slice(end - tail, end))) return false;
  const sealedBytes = Math.floor((characters * 3) / 4) - chunksOffset;
  const bodyBytes = bodyLength(sealedBytes, chunkSuite(header.suite).chunkBytes);
  return bodyBytes !== undefined && (!header.flags.padded || isPaddedLength(bodyBytes));
}

/** A valid padded length is the padded length of the longest message that fits into it. */
function isPaddedLength(bodyBytes: number): boolean {
  return bodyBytes >= PADDED_BYTES_MIN && paddedLength(bodyBytes - 1) === bodyBytes;
}
