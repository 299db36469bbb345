import { toHex, utf8 } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';

/*
 * What two people compare to know that each has the other's key (docs/format.md section 3.4).
 */

/** EFF's long list of words for dice. */
const LIST_WORDS = 7_776n;
const WORDS = 6;
const DIGITS = 25;
const DIGITS_IN_GROUP = 5;
const HALF_DIGEST_DIGITS = 32;

/** What two people compare, as words and as digits. */
export interface Verification {
  /** Hexadecimal; of two keys, the one with the lower digest comes first. */
  readonly digest: string;
  /** Six places in the list, from 0. */
  readonly words: readonly number[];
  /** The same for those who rather read digits: five groups of five. */
  readonly digits: readonly string[];
}

/** @param type the type byte of the public key */
export function verificationOf(type: number, publicKey: Uint8Array): Verification {
  const digest = toHex(sha256(utf8('SWM1 words'), Uint8Array.of(type), publicKey));
  const [first, last] = [digest.slice(0, HALF_DIGEST_DIGITS), digest.slice(HALF_DIGEST_DIGITS)];
  return { digest, words: wordsOf(BigInt(`0x${first}`)), digits: digitsOf(BigInt(`0x${last}`)) };
}

/** The last six digits to the base 7,776, most significant first. */
function wordsOf(value: bigint): number[] {
  const places = Array.from({ length: WORDS }, (_, i) => LIST_WORDS ** BigInt(WORDS - 1 - i));
  return places.map((place) => Number((value / place) % LIST_WORDS));
}

function digitsOf(value: bigint): string[] {
  const digits = (value % 10n ** BigInt(DIGITS)).toString().padStart(DIGITS, '0');
  const groups = DIGITS / DIGITS_IN_GROUP;
  return Array.from({ length: groups }, (_, i) =>
    digits.slice(i * DIGITS_IN_GROUP, (i + 1) * DIGITS_IN_GROUP),
  );
}
