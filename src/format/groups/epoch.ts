/*
 * One epoch of a group (docs/format.md section 3.9), as bytes and as text, "swge1.…": who is a member, who is an admin, and
 * the key of the epoch, sealed to each member. An admin of its parent signed it.
 *
 *   content = version (1) ‖ number u32 ‖ group (32) ‖ u8 parents ‖ 32 each ‖ commitment (32)
 *               ‖ u8 old keys ‖ (epoch (32) ‖ sealed key (48)) each
 *               ‖ u8 members ‖ (u8 admin ‖ X-Wing key (1,216) ‖ Ed25519 key (32) of an admin ‖ wrap (1,168)) each
 *               ‖ signer (32)
 *   epoch   = content ‖ Ed25519 of "sealwright.org/group-epoch@v1" ‖ 00 ‖ SHA-256(content)
 *   digest  = SHA-256("SWG1 epoch" ‖ SHA-256(content) ‖ signature)
 *
 * Each list is in ascending order without repeats, so that one epoch has one form. This file reads and writes it and checks
 * the signature; history.ts decides whether the signer was allowed to.
 */
import { concat, copyOf, toBase64url, u32be } from '../../crypto/bytes.ts';
import { ED25519_KEY_BYTES, ED25519_SIGNATURE_BYTES } from '../../engine/native/ed25519.ts';
import { nativeSha256 } from '../../engine/native/digests.ts';
import { EnvelopeError } from '../errors.ts';
import { isSigned, type MessageSigner } from '../recipients/signature.ts';
import { TAG_BYTES } from '../wire/sealed-length.ts';
import {
  base64urlAfter,
  EPOCH_PREFIX,
  epochBytesToSign,
  epochDigest,
  malformed,
  MEMBER_KEY,
} from './group-id.ts';

/** Members of one epoch. */
export const GROUP_MEMBERS_MAX = 128;
/** Epochs that one epoch follows: more than one where it joins what admins made at the same time. */
export const EPOCH_PARENTS_MAX = 8;
/** Older keys that one epoch gives to its members. */
export const OLD_KEYS_MAX = 255;
/** The highest number of an epoch. */
export const EPOCH_NUMBER_MAX = 2 ** 32 - 1;

const VERSION = 1;
const KEY_BYTES = 32;
const DIGEST_BYTES = 32;
const SEALED_KEY_BYTES = KEY_BYTES + TAG_BYTES;
const OLD_KEY_BYTES = DIGEST_BYTES + SEALED_KEY_BYTES;
/** enc ‖ sealed key. */
const WRAP_BYTES = MEMBER_KEY.encapsulatedBytes + SEALED_KEY_BYTES;
const MEMBER_BYTES_MAX = 1 + MEMBER_KEY.publicKeyBytes + ED25519_KEY_BYTES + WRAP_BYTES;
/** Version, number, group, three counts, commitment, signer, signature. */
const FIXED_BYTES =
  1 + 4 + DIGEST_BYTES + 3 + DIGEST_BYTES + ED25519_KEY_BYTES + ED25519_SIGNATURE_BYTES;

/** Length of the longest epoch, 330,200 bytes. */
export const EPOCH_BYTES_MAX =
  FIXED_BYTES +
  EPOCH_PARENTS_MAX * DIGEST_BYTES +
  OLD_KEYS_MAX * OLD_KEY_BYTES +
  GROUP_MEMBERS_MAX * MEMBER_BYTES_MAX;
/** Length of the longest epoch as text, in characters. */
export const EPOCH_TEXT_MAX = EPOCH_PREFIX.length + Math.ceil((EPOCH_BYTES_MAX * 4) / 3);

/** In the place of the group's digest in its first epoch. */
const NO_GROUP = new Uint8Array(DIGEST_BYTES);

/** One who reads what is sealed to the group. */
export interface GroupMember {
  /** X-Wing, 1,216 bytes. */
  readonly publicKey: Uint8Array;
  /** Of an admin, who makes epochs: Ed25519, 32 bytes. */
  readonly adminKey?: Uint8Array | undefined;
}

/** A member, with the epoch's key sealed to them. */
export interface EpochMember extends GroupMember {
  /** 1,168 bytes (epoch-key.ts). */
  readonly wrap: Uint8Array;
}

/** The key of an older epoch, for members who were not in it. */
export interface OldKey {
  /** Digest of that epoch, 32 bytes. */
  readonly epoch: Uint8Array;
  /** 48 bytes (epoch-key.ts). */
  readonly sealed: Uint8Array;
}

/** What stands in an epoch beside its keys and members. */
export interface EpochPlace {
  /** 0 for the first, else one more than the highest of its parents. */
  readonly number: number;
  /** Digest of the group's first epoch, 32 bytes; zeros in that epoch itself. */
  readonly group: Uint8Array;
  /** Digests of the epochs that it follows, 32 bytes each, ascending; none for the first. */
  readonly parents: readonly Uint8Array[];
}

/** What of an epoch its members open its key with. */
export interface MembersEpoch extends EpochPlace {
  /** What it is named by, 32 bytes. */
  readonly digest: Uint8Array;
  /** By which a member knows that all have the same key, 32 bytes (epoch-key.ts). */
  readonly commitment: Uint8Array;
  readonly oldKeys: readonly OldKey[];
  /** All of them, or those of whom a key is at hand. */
  readonly members: readonly Pick<EpochMember, 'publicKey' | 'wrap'>[];
}

/** All that is signed, but the signer. */
export interface EpochContent extends EpochPlace {
  /** By which a member knows that all have the same key, 32 bytes (epoch-key.ts). */
  readonly commitment: Uint8Array;
  /** Ascending by epoch. */
  readonly oldKeys: readonly OldKey[];
  /** 1 to 128, ascending by public key. */
  readonly members: readonly EpochMember[];
}

/** An epoch as it was read. That it is well formed says nothing of who made it. */
export interface Epoch extends EpochContent {
  /** Ed25519, 32 bytes. */
  readonly signer: Uint8Array<ArrayBuffer>;
  /** What it is named by, 32 bytes. */
  readonly digest: Uint8Array;
  /** The whole epoch. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 of its content, all bytes before the signature. */
  readonly hash: Uint8Array;
}

/**
 * Signs an epoch.
 *
 * @param content its lists are put in order
 * @throws RangeError for 0 or more than 128 members, more than 8 parents or 255 old keys, and repeats
 */
export async function signEpoch(content: EpochContent, signer: MessageSigner): Promise<Epoch> {
  const bytes = encodeEpoch(content, signer.publicKey);
  const signature = await signer.sign(epochBytesToSign(await nativeSha256(bytes)));
  return parseEpoch(concat(bytes, signature));
}

/**
 * Reads an epoch. Its signature is not checked here.
 *
 * @throws EnvelopeError TOO_LARGE before any work, BAD_ENVELOPE for anything that `signEpoch` does not write
 */
export async function parseEpoch(bytes: Uint8Array): Promise<Epoch> {
  if (bytes.length > EPOCH_BYTES_MAX) throw tooLarge();
  const own = copyOf(bytes);
  const content = decode(own);
  const signedBytes = own.length - ED25519_SIGNATURE_BYTES;
  const hash = await nativeSha256(own.subarray(0, signedBytes));
  const digest = await epochDigest(hash, own.subarray(signedBytes));
  return { ...content, digest, bytes: own, hash };
}

/**
 * Whether the signature of an epoch is that of its signer.
 *
 * @throws EnvelopeError UNSUPPORTED where the platform has no Ed25519
 */
export function isEpochSigned({ bytes, hash, signer }: Epoch): Promise<boolean> {
  return isSigned(signer, bytes.subarray(-ED25519_SIGNATURE_BYTES), epochBytesToSign(hash));
}

/** An epoch as text, `EPOCH_TEXT_MAX` characters or fewer. */
export const epochText = ({ bytes }: Pick<Epoch, 'bytes'>): string =>
  EPOCH_PREFIX + toBase64url(bytes);

/**
 * Reads the text of an epoch.
 *
 * @param text exactly the output of `epochText`
 * @throws EnvelopeError TOO_LARGE before any work, BAD_ENVELOPE for any other text
 */
export async function parseEpochText(text: string): Promise<Epoch> {
  if (text.length > EPOCH_TEXT_MAX) throw tooLarge();
  return parseEpoch(base64urlAfter(EPOCH_PREFIX, text));
}

/** Compares byte strings of one length. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!;
  }
  return 0;
}

/**
 * The content of an epoch, which its signature covers and stands after.
 *
 * @param content its lists are put in order
 * @param signer Ed25519, 32 bytes
 * @throws RangeError as `signEpoch`
 */
export function encodeEpoch(content: EpochContent, signer: Uint8Array): Uint8Array<ArrayBuffer> {
  const parents = ordered('parents', content.parents, (parent) => parent, EPOCH_PARENTS_MAX);
  const oldKeys = ordered('oldKeys', content.oldKeys, ({ epoch }) => epoch, OLD_KEYS_MAX);
  const members = ordered('members', content.members, keyOf, GROUP_MEMBERS_MAX);
  return concat(
    Uint8Array.of(VERSION),
    u32be(content.number),
    content.group,
    Uint8Array.of(parents.length),
    ...parents,
    content.commitment,
    Uint8Array.of(oldKeys.length),
    ...oldKeys.flatMap(({ epoch, sealed }) => [epoch, sealed]),
    Uint8Array.of(members.length),
    ...members.flatMap(({ publicKey, adminKey, wrap }) =>
      adminKey
        ? [Uint8Array.of(1), publicKey, adminKey, wrap]
        : [Uint8Array.of(0), publicKey, wrap],
    ),
    signer,
  );
}

const keyOf = ({ publicKey }: GroupMember): Uint8Array => publicKey;

function ordered<T>(
  name: string,
  list: readonly T[],
  keyOfItem: (item: T) => Uint8Array,
  most: number,
): T[] {
  const sorted = [...list].sort((a, b) => compareBytes(keyOfItem(a), keyOfItem(b)));
  if (sorted.length > most) throw new RangeError(`${name}: ${list.length}, at most ${most} fit`);
  if (!isAscending(sorted.map(keyOfItem))) throw new RangeError(`${name}: one is there twice`);
  return sorted;
}

const isAscending = (keys: readonly Uint8Array[]): boolean =>
  keys.every((key, i) => i === 0 || compareBytes(keys[i - 1]!, key) < 0);

function decode(bytes: Uint8Array<ArrayBuffer>): EpochContent & Pick<Epoch, 'signer'> {
  let at = 0;
  const take = (length: number) => {
    if (at + length > bytes.length) throw malformed();
    return bytes.subarray(at, (at += length));
  };
  const list = <T>(most: number, item: () => T): T[] => {
    const count = take(1)[0]!;
    if (count > most) throw malformed();
    return Array.from({ length: count }, item);
  };
  if (take(1)[0] !== VERSION) throw malformed();
  const number = take(4).reduce((sum, byte) => sum * 256 + byte, 0);
  const group = take(DIGEST_BYTES);
  const parents = list(EPOCH_PARENTS_MAX, () => take(DIGEST_BYTES));
  const commitment = take(DIGEST_BYTES);
  const oldKeys = list(OLD_KEYS_MAX, () => ({
    epoch: take(DIGEST_BYTES),
    sealed: take(SEALED_KEY_BYTES),
  }));
  const members = list(GROUP_MEMBERS_MAX, () => {
    const admin = take(1)[0]!;
    if (admin > 1) throw malformed();
    const publicKey = take(MEMBER_KEY.publicKeyBytes);
    const adminKey = admin ? { adminKey: take(ED25519_KEY_BYTES) } : {};
    return { publicKey, ...adminKey, wrap: take(WRAP_BYTES) };
  });
  const signer = take(ED25519_KEY_BYTES);
  take(ED25519_SIGNATURE_BYTES);
  const isFirst = number === 0;
  const adminKeys = members.flatMap(({ adminKey }) => adminKey ?? []).sort(compareBytes);
  const isWhole =
    at === bytes.length &&
    members.length > 0 &&
    isFirst === (parents.length === 0) &&
    isFirst === (compareBytes(group, NO_GROUP) === 0) &&
    isAscending(adminKeys) &&
    [parents, oldKeys.map(({ epoch }) => epoch), members.map(keyOf)].every(isAscending);
  if (!isWhole) throw malformed();
  return { number, group, parents, commitment, oldKeys, members, signer };
}

const tooLarge = () =>
  new EnvelopeError('TOO_LARGE', `An epoch has at most ${EPOCH_BYTES_MAX} bytes`);
