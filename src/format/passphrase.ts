/*
 * Passphrases as bytes, and what a guess of one costs. RFC 8265 section 4.2 (OpaqueString), so that the same passphrase typed on
 * another keyboard or system gives the same bytes.
 *
 * Kept: width and case as typed (4.2.2 rules 1 and 3); non-ASCII spaces become U+0020 (rule 2);
 * NFC (rule 4); no direction rule (5); empty is refused. Of the FreeformClass (RFC 8264 section
 * 4.3) controls, unassigned, surrogates, private use, format and default-ignorable characters, old
 * Hangul jamo and the exceptions of RFC 5892 section 2.6 that are DISALLOWED are refused.
 *
 * Two deviations. The contextual rules of RFC 8264 section 4.3.2 for the joiners U+200C and U+200D
 * need joining-type tables that browsers do not have: a joiner is accepted between two characters
 * that are not spaces, and the other CONTEXTO characters everywhere. Characters are checked after NFC,
 * not before, so that decomposed Hangul, which some systems type, is accepted in its composed form.
 */
import { utf8 } from '../crypto/bytes.ts';

/** In code points after NFC: far above the 64 that NIST SP 800-63B, section 3.1.1.2, asks for. */
export const PASSPHRASE_MAX_CHARACTERS = 1024;

/** What one guess of a passphrase costs: Argon2id's m in KiB, t and p (RFC 9106 section 3.1). */
export interface Argon2idCost {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** RFC 9106 section 4, second recommended option (64 MiB, t = 3, p = 4). */
export const ARGON2ID_COST: Argon2idCost = { memoryKiB: 65_536, passes: 3, parallelism: 4 };

/**
 * OWASP Password Storage Cheat Sheet: 19 MiB, t = 2, p = 1. Lower costs are neither written nor
 * accepted.
 */
export const ARGON2ID_MIN: Argon2idCost = { memoryKiB: 19_456, passes: 2, parallelism: 1 };

/** RFC 9106 section 3.1: "16 bytes is RECOMMENDED for password hashing". */
export const PASSWORD_SALT_BYTES = 16;

/** Whether no part of one cost is more than that of another. */
export const isAtMost = (cost: Argon2idCost, most: Argon2idCost): boolean =>
  cost.memoryKiB <= most.memoryKiB &&
  cost.passes <= most.passes &&
  cost.parallelism <= most.parallelism;

/**
 * Argon2id (RFC 9106), version 0x13, no secret and no associated data.
 *
 * @param passphrase prepared bytes; the callee does not keep them
 * @param salt 16 bytes
 * @param signal aborts it, where the platform can; it then rejects with the signal's reason
 * @returns 32 bytes, which the caller wipes
 */
export type PassphraseKdf = (
  passphrase: Uint8Array,
  salt: Uint8Array,
  cost: Argon2idCost,
  signal?: AbortSignal,
) => Promise<Uint8Array>;

/** The same derivation, bound to one signal. */
export function underSignal(derive: PassphraseKdf, signal: AbortSignal | undefined): PassphraseKdf {
  return (passphrase, salt, cost) => derive(passphrase, salt, cost, signal);
}

// RFC 8264 section 8: what is DISALLOWED or UNASSIGNED, except the joiners (see above).
const REFUSED = new RegExp(
  [
    '[\\p{Cc}\\p{Cn}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}]',
    '(?![\\u200C\\u200D])[\\p{Cf}\\p{Default_Ignorable_Code_Point}]',
    '[\\u1100-\\u11FF\\uA960-\\uA97C\\uD7B0-\\uD7FB]', // old Hangul jamo, RFC 8264 section 9.9
    '[\\u302E\\u302F\\u0640\\u07FA\\u3031-\\u3035\\u303B]', // RFC 5892 section 2.6, DISALLOWED
  ].join('|'),
  'u',
);
const STRAY_JOINER = /(?:^| )[\u200C\u200D]|[\u200C\u200D](?:$| )/u;

/**
 * The UTF-8 bytes of a prepared passphrase; the caller wipes them. (The string itself cannot be
 * wiped in JavaScript; it comes from the password field and is not kept here.)
 *
 * @throws RangeError when it is empty or longer than 1,024 characters
 * @throws TypeError when it is not a string, or holds a character that RFC 8265 disallows; the
 *   message never quotes the passphrase
 */
export function preparePassphrase(passphrase: string): Uint8Array {
  if (typeof passphrase !== 'string') throw new TypeError('passphrase: must be a string');
  // A bound before the work: NFC composes one code point from a few code units.
  if (passphrase.length > 6 * PASSPHRASE_MAX_CHARACTERS) throw tooLong();
  const prepared = passphrase.replace(/\p{Zs}/gu, ' ').normalize('NFC');
  if (prepared === '') throw new RangeError('passphrase: must not be empty');
  if (Array.from(prepared).length > PASSPHRASE_MAX_CHARACTERS) throw tooLong();
  if (REFUSED.test(prepared) || STRAY_JOINER.test(prepared)) {
    throw new TypeError('passphrase: holds a control, invisible or unassigned character');
  }
  return utf8(prepared);
}

function tooLong(): RangeError {
  return new RangeError(`passphrase: at most ${PASSPHRASE_MAX_CHARACTERS} characters`);
}
