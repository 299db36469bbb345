import { concat, utf8, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { sha256, SHA256 } from '../../crypto/hash/sha256.ts';
import { SHA512 } from '../../crypto/hash/sha512.ts';
import { hkdfExpand } from '../../crypto/kdf/hkdf.ts';
import { hmac } from '../../crypto/mac/hmac.ts';
import { EnvelopeError } from '../../format/errors.ts';
import { openMessage, sealMessage } from '../../format/message.ts';
import type { RandomSource } from '../../random/contract.ts';

/**
 * What a sealed value of the vault is. Every such value is a sealed message (docs/format.md) of purpose
 * "vault"; its associated data is a label, then fields of fixed length. No label is the beginning of
 * another.
 */
export type VaultContext =
  | { readonly what: 'slot'; readonly fields: readonly Uint8Array[] }
  | { readonly what: 'record'; readonly fields: readonly Uint8Array[] }
  | { readonly what: 'manifest'; readonly fields: readonly Uint8Array[] };

/** A key that seals values: the vault key or a slot key. */
export interface SealingKey {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** The header key id, 16 bytes: the vault id, or a slot's id. */
  readonly keyId: Uint8Array;
}

/**
 * Seals a value, with a hedged salt.
 *
 * @param pad hide the length (Padmé), for values with user data
 */
export async function sealValue(
  { key, keyId }: SealingKey,
  context: VaultContext,
  plaintext: Uint8Array,
  random: RandomSource,
  pad = false,
): Promise<Uint8Array> {
  const associatedData = encodeContext(context);
  const salt = hedgedSalt(key, associatedData, plaintext, random);
  return sealMessage({ key, keyId, purpose: 'vault', associatedData, pad, salt }, plaintext);
}

/** The plaintext, which the caller wipes; undefined where the value does not verify. */
export async function openValue(
  { key, keyId }: SealingKey,
  context: VaultContext,
  sealed: Uint8Array,
): Promise<Uint8Array | undefined> {
  const associatedData = encodeContext(context);
  try {
    return await openMessage({ key, keyId, purpose: 'vault', associatedData }, sealed);
  } catch (error) {
    if (error instanceof AuthenticationError || error instanceof EnvelopeError) return undefined;
    throw error;
  }
}

function encodeContext({ what, fields }: VaultContext): Uint8Array {
  return concat(utf8(`SWM1 vault ${what}\0`), ...fields);
}

// docs/format.md, "Salt": should all randomness fail, two different messages still get different
// salts, and only their equality can leak.
function hedgedSalt(
  key: Uint8Array,
  associatedData: Uint8Array,
  plaintext: Uint8Array,
  random: RandomSource,
): Uint8Array {
  const hedgeKey = hkdfExpand(SHA512, key, utf8('SWM1 vault salt'), 32);
  const hashes = [sha256(associatedData), sha256(plaintext)];
  const salt = hmac(SHA256, hedgeKey, random.bytes(32), ...hashes).slice(0, 24);
  wipe(hedgeKey);
  return salt;
}
