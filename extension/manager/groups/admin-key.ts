import {
  ED25519_TYPE,
  PUBLIC_KEY_PREFIX,
  parsePublicKey,
} from '../../../src/format/wire/public-key.ts';
import { verificationOf } from '../../../src/service/sharing/verification.ts';
import { unbroken } from '../contacts/invitation.ts';

/** The public key by which a person makes epochs of groups. */
export interface AdminKey {
  /** "swp1.…" of Ed25519. */
  readonly text: string;
  /** Six words: places in EFF's list. */
  readonly words: readonly number[];
}

/** Characters of a short message with the key in it. */
export const ADMIN_KEY_INPUT_MAX = 1_000;

/** Type byte and key of 33 bytes in base64url. */
const KEY_CHARACTERS = PUBLIC_KEY_PREFIX.length + 44;

/** The admin's key in a text, which may stand among other words; undefined for any other text. */
export function adminKeyIn(typed: string): AdminKey | undefined {
  const at = typed.indexOf(PUBLIC_KEY_PREFIX);
  if (at < 0) return undefined;
  const text = unbroken(typed.slice(at)).slice(0, KEY_CHARACTERS);
  try {
    const { type, bytes } = parsePublicKey(text);
    if (type !== 'Ed25519') return undefined;
    return { text, words: verificationOf(ED25519_TYPE, bytes).words };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
