/*
 * What a group is named by (docs/format.md section 3.9): the digest of its first epoch, as text "swg1.…". How an epoch gets
 * its digest, and what its admin signs.
 */
import { concat, fromBase64url, toBase64url, utf8 } from '../../crypto/bytes.ts';
import { nativeSha256 } from '../../engine/native/digests.ts';
import { EnvelopeError } from '../errors.ts';
import { GROUP_RECIPIENT, KEY_PAIR_TYPES } from '../wire/recipient-table.ts';

/** The prefix of a group's id. */
export const GROUP_ID_PREFIX = 'swg1.';
/** The prefix of an epoch as text. */
export const EPOCH_PREFIX = 'swge1.';
/** Characters of every group's id. */
export const GROUP_ID_LENGTH = 49;

/** The members' KEM. */
export const [, MEMBER_KEY] = KEY_PAIR_TYPES;

const DIGEST_BYTES = 32;
const PROTOCOL = utf8('sealwright.org/group-epoch@v1');
const DIGEST_LABEL = utf8('SWG1 epoch');

/** The id of a group, 49 characters. @param group digest of its first epoch, 32 bytes */
export const groupIdText = (group: Uint8Array): string =>
  GROUP_ID_PREFIX + toBase64url(concat(Uint8Array.of(GROUP_RECIPIENT), group));

/**
 * Reads the id of a group.
 *
 * @returns the digest of its first epoch, 32 bytes
 * @throws EnvelopeError BAD_ENVELOPE for any other text
 */
export function parseGroupId(text: string): Uint8Array {
  if (text.length !== GROUP_ID_LENGTH) throw malformed();
  const bytes = base64urlAfter(GROUP_ID_PREFIX, text);
  if (bytes.length !== 1 + DIGEST_BYTES || bytes[0] !== GROUP_RECIPIENT) throw malformed();
  return bytes.subarray(1);
}

/**
 * What the admin signs, an Ed25519 message of 62 bytes.
 *
 * @param hash SHA-256 of the epoch's content
 */
export const epochBytesToSign = (hash: Uint8Array): Uint8Array<ArrayBuffer> =>
  concat(PROTOCOL, Uint8Array.of(0), hash);

/**
 * What an epoch is named by, 32 bytes.
 *
 * @param hash SHA-256 of its content
 * @param signature 64 bytes
 */
export const epochDigest = (hash: Uint8Array, signature: Uint8Array): Promise<Uint8Array> =>
  nativeSha256(concat(DIGEST_LABEL, hash, signature));

/** What of an epoch says of which group it is. */
interface OfGroup {
  readonly number: number;
  readonly group: Uint8Array;
  readonly digest: Uint8Array;
}

/** The group of an epoch: the digest of the first one, 32 bytes. */
export const groupOf = ({ number, group, digest }: OfGroup): Uint8Array =>
  number === 0 ? digest : group;

/** The bytes of a text with a prefix. @throws EnvelopeError BAD_ENVELOPE for any other text */
export function base64urlAfter(prefix: string, text: string): Uint8Array {
  if (!text.startsWith(prefix)) throw malformed();
  try {
    return fromBase64url(text.slice(prefix.length));
  } catch (error) {
    throw error instanceof TypeError ? malformed() : error;
  }
}

/** For what is neither the id nor an epoch of a group. */
export const malformed = () =>
  new EnvelopeError('BAD_ENVELOPE', 'This is no epoch of a group, or not whole');
