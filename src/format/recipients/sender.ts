/*
 * Who sealed a message, proven to each recipient alone (docs/format.md section 3.6): a MAC for a designated
 * verifier. Its key comes from the static Diffie-Hellman value of sender and recipient, as in the authenticated mode of HPKE
 * (RFC 9180 section 5.1.3), so that the recipient could have made it as well: it convinces no third person.
 *
 *   tag = HKDF-SHA-256(salt "SWM1 sender", input key = secret (32) ‖ data key (32),
 *           info = SHA-256(context) ‖ digest (32) ‖ fingerprint of the sender (32) ‖ of the recipient (32)
 *             ‖ the public key that signed the message, if one did: type (1) ‖ key (32), 32)
 *
 * The tag covers the whole message, because each of several recipients has the data key and could seal another one with it.
 */
import { concat, equal, utf8, wipe } from '../../crypto/bytes.ts';
import { hkdf } from '../../crypto/kdf/hkdf.ts';
import { SHA256, sha256 } from '../../crypto/hash/sha256.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import { ED25519_TYPE } from '../wire/public-key.ts';

/** Length of a sender tag. */
export const SENDER_TAG_BYTES = 32;
/** Length of a message's digest, and of a key's fingerprint. */
const DIGEST_BYTES = 32;

const LABEL = utf8('SWM1 sender');
const WORDS_LABEL = utf8('SWM1 words');
/** Stands for the fingerprints where sender and recipient are one: who has the named key. */
const NO_FINGERPRINT = new Uint8Array(DIGEST_BYTES);

/** What sender and recipient of one entry have in common, and who they are. */
export interface SharedStatic {
  /** 32 bytes: X25519 of both, or what `ownStatic` derives. */
  readonly secret: Uint8Array;
  /** Fingerprints of both public keys, 32 bytes each. */
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

/** What a tag is bound to. */
export interface SenderStatement {
  /** Of the message, 32 bytes. */
  readonly dataKey: Uint8Array;
  /** `messageContext` of the message, with the entries before the attributes as its recipients. */
  readonly context: Uint8Array;
  /** The digest of the message (chunks/message-digest.ts), 32 bytes. */
  readonly digest: Uint8Array;
  /** The Ed25519 key that signed the message, 32 bytes: the sender says that it is theirs. */
  readonly signer?: Uint8Array | undefined;
}

/** The tag of one recipient. @returns 32 bytes */
export function senderTag(
  { secret, from, to }: SharedStatic,
  { dataKey, context, digest, signer }: SenderStatement,
): Uint8Array {
  const inputKey = concat(secret, dataKey);
  try {
    const signedBy = signer ? [Uint8Array.of(ED25519_TYPE), signer] : [];
    const info = concat(sha256(context), digest, from, to, ...signedBy);
    return hkdf(SHA256, inputKey, LABEL, info, SENDER_TAG_BYTES);
  } finally {
    wipe(inputKey);
  }
}

/** Whether one of the tags is that of this sender and recipient. */
export function hasSenderTag(
  tags: readonly Uint8Array[],
  known: SharedStatic,
  statement: SenderStatement,
): boolean {
  const expected = senderTag(known, statement);
  return tags.filter((tag) => equal(tag, expected)).length > 0;
}

/**
 * For an entry of the sender's own named key, which has no public half.
 *
 * @param namedKey 32 bytes
 * @returns a secret of 32 fresh bytes, which the caller wipes
 */
export async function ownStatic(namedKey: Uint8Array, crypto: FormatCrypto): Promise<SharedStatic> {
  const secret = await crypto.expand(namedKey, LABEL, DIGEST_BYTES);
  return { secret, from: NO_FINGERPRINT, to: NO_FINGERPRINT };
}

/**
 * The fingerprint of a public key, whose words people compare: SHA-256("SWM1 words" ‖ type ‖ key).
 *
 * @param type the type byte of the public key
 * @returns 32 bytes
 */
export function fingerprintOf(type: number, publicKey: Uint8Array): Uint8Array {
  return sha256(WORDS_LABEL, Uint8Array.of(type), publicKey);
}
