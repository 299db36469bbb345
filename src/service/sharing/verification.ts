import { toHex } from '../../crypto/bytes.ts';
import { fingerprintOf } from '../../format/recipients/sender.ts';

/* The words or digits that two people compare to verify each other's key (docs/format.md section 3.4). */

/** EFF's long word list for dice. */
const LIST_WORDS = 7_776n;
const WORDS = 6;
const DIGITS = 25;
const DIGITS_IN_GROUP = 5;
const HALF_DIGEST_DIGITS = 32;

/** The values that two people compare, as words and as digits. */
export interface Verification {
  /** Hexadecimal. Of two keys, the one with the lower digest comes first. */
  readonly digest: string;
  /** Six words of the list. */
  readonly words: readonly number[];
  /** The same value as five groups of five digits. */
  readonly digits: readonly string[];
}

/** @param type the type byte of the public key */
export function verificationOf(type: number, publicKey: Uint8Array): Verification {
  const digest = toHex(fingerprintOf(type, publicKey));
  const [first, last] = [digest.slice(0, HALF_DIGEST_DIGITS), digest.slice(HALF_DIGEST_DIGITS)];
  return { digest, words: wordsOf(BigInt(`0x${first}`)), digits: digitsOf(BigInt(`0x${last}`)) };
}

/** The last six digits in base 7,776, most significant first. */
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
