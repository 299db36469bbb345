/*
 * A recovery file, version 1: a backup's contents that k of n friends open together. docs/design/devices.md, "Friends", has
 * its bytes, and says why its commitments are hashes.
 */
import { concat, copyOf, equal, u64be, utf8, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError, checkInteger } from '../../crypto/errors.ts';
import { SHA256, sha256 } from '../../crypto/hash/sha256.ts';
import { hkdf } from '../../crypto/kdf/hkdf.ts';
import { combineShares, splitSecret, type Share } from '../../crypto/secret-sharing.ts';
import { EnvelopeError } from '../../format/errors.ts';
import { openMessage, sealMessage } from '../../format/message.ts';
import type { RandomSource } from '../../random/contract.ts';
import { VaultError } from '../values/errors.ts';

const MAGIC = Uint8Array.of(0x53, 0x57, 0x52, 0x46);
const VERSION = 1;

/** The longest file that is read, in bytes. */
export const RECOVERY_FILE_MAX_BYTES = 16 * 2 ** 20;
/** n: with more, their owner would lose track of who they are. */
export const FRIENDS_MAX = 10;
/** k: one friend alone must not open anything. */
export const FRIENDS_MIN = 2;

/** Length of the file key, and of each share of it. */
export const SHARE_BYTES = 32;
/** Length of a digest. */
export const DIGEST_BYTES = 32;
/** Length of a sealed share: a message to one X-Wing key with attributes (docs/format.md sections 3.2 and 3.5). */
export const SEALED_SHARE_BYTES = 1_480;
/** Length of the facts. */
export const FACTS_BYTES = DIGEST_BYTES + 8 + 1 + 1;

const DRILL_KEY_BYTES = 32;
const SALT_BYTES = 32;
const COMMITMENT_BYTES = 32;
const FIXED_BYTES = MAGIC.length + 1 + 1 + 1 + 8 + SALT_BYTES;

/** What a file says of itself, to which each of its shares is bound. */
export interface RecoveryFacts {
  /** 32 bytes, which name the file. */
  readonly digest: Uint8Array;
  /** ms since the epoch */
  readonly created: number;
  /** k. */
  readonly threshold: number;
  /** n. */
  readonly count: number;
}

/** A file that was read. Nothing of it is authenticated. */
export interface RecoveryFile extends RecoveryFacts {
  /** All before the sealed shares. */
  readonly head: Uint8Array;
  /** By index, from 1. */
  readonly sealedShares: readonly Uint8Array[];
  /** The sealed message. */
  readonly message: Uint8Array;
}

/** Seals a share to one friend: a message of purpose "backup", SEALED_SHARE_BYTES long, bound to these bytes. */
export type ShareSealing = (share: Uint8Array, associatedData: Uint8Array) => Promise<Uint8Array>;

/** What makes a file. */
export interface Dealing {
  /** k: 2 to n. */
  readonly threshold: number;
  /** One for each friend: 2 to 10. */
  readonly friends: readonly ShareSealing[];
  /** ms since the epoch */
  readonly created: number;
  readonly random: RandomSource;
}

/** A new file. */
export interface DealtFile {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly facts: RecoveryFacts;
  /** The keys by which each friend's drill is checked, 32 bytes each; the caller wipes them. */
  readonly drillKeys: readonly Uint8Array[];
}

/** Whether a file begins as a recovery file does. @param head the first bytes of the file, 4 or more */
export function isRecoveryFile(head: Uint8Array): boolean {
  return MAGIC.every((byte, i) => head[i] === byte);
}

/**
 * Makes a recovery file of a backup's contents.
 *
 * @throws RangeError for a number of friends or a threshold outside of the limits, for a share that its sealing has given
 *   another length, and for contents that are too long
 */
export async function dealRecoveryFile(
  contents: Uint8Array,
  { threshold, friends, created, random }: Dealing,
): Promise<DealtFile> {
  const count = friends.length;
  checkInteger('friends', count, FRIENDS_MIN, FRIENDS_MAX);
  checkInteger('threshold', threshold, FRIENDS_MIN, count);
  const key = random.bytes(SHARE_BYTES);
  const coefficients = random.bytes((threshold - 1) * SHARE_BYTES);
  const shares = splitSecret(key, threshold, count, coefficients);
  try {
    const salt = random.bytes(SALT_BYTES);
    const fixed = Uint8Array.of(VERSION, threshold, count);
    const commitments = shares.map((share) => commitmentOf(share, salt));
    const head = concat(MAGIC, fixed, u64be(created), salt, ...commitments);
    const sealing = { key, keyId: random.bytes(16), salt: random.bytes(24), pad: true };
    const message = await sealMessage({ ...sealing, ...boundTo(head) }, contents);
    const facts = { digest: digestOf(head, message), created, threshold, count };
    const sealed: Uint8Array[] = [];
    for (const [i, { index, bytes }] of shares.entries()) {
      const one = await friends[i]!(bytes, shareContext(facts, index));
      if (one.length !== SEALED_SHARE_BYTES) throw new RangeError('friends: a sealed share');
      sealed.push(one);
    }
    const file = concat(head, ...sealed, message);
    if (file.length > RECOVERY_FILE_MAX_BYTES) throw new RangeError('contents: too long');
    return { file, facts, drillKeys: shares.map((share) => drillKey(share, facts)) };
  } finally {
    wipe(key, coefficients, ...shares.map(({ bytes }) => bytes));
  }
}

/**
 * Reads a recovery file. What it says is not authenticated: only its shares open it.
 *
 * @throws VaultError BAD_BACKUP for any other file, before any work for one of more than 16 MiB; NEWER for a later version
 */
export function parseRecoveryFile(file: Uint8Array): RecoveryFile {
  if (file.length > RECOVERY_FILE_MAX_BYTES) throw new VaultError('BAD_BACKUP');
  const { headBytes, ...said } = parseHead(file);
  const messageAt = headBytes + said.count * SEALED_SHARE_BYTES;
  if (file.length <= messageAt) throw new VaultError('BAD_BACKUP');
  const head = copyOf(file.subarray(0, headBytes));
  const message = file.subarray(messageAt);
  const sealedShares = Array.from({ length: said.count }, (_, i) => {
    const at = headBytes + i * SEALED_SHARE_BYTES;
    return copyOf(file.subarray(at, at + SEALED_SHARE_BYTES));
  });
  return { ...said, digest: digestOf(head, message), head, sealedShares, message };
}

/** What the head says. @throws VaultError as `parseRecoveryFile` */
function parseHead(file: Uint8Array) {
  if (!isRecoveryFile(file) || file.length < FIXED_BYTES) throw new VaultError('BAD_BACKUP');
  const version = file[4]!;
  if (version !== VERSION) throw new VaultError(version > VERSION ? 'NEWER' : 'BAD_BACKUP');
  const [threshold, count, created] = [file[5]!, file[6]!, timeAt(file, 7)];
  if (created === undefined || !areLimitsKept(threshold, count)) throw new VaultError('BAD_BACKUP');
  return { created, threshold, count, headBytes: FIXED_BYTES + count * COMMITMENT_BYTES };
}

/** Whether k and n are those of a file. */
function areLimitsKept(threshold: number, count: number): boolean {
  return threshold >= FRIENDS_MIN && threshold <= count && count <= FRIENDS_MAX;
}

/** The time at this place; undefined where it is not one that a number holds. */
export function timeAt(bytes: Uint8Array, at: number): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const time = Number(view.getBigUint64(at));
  return Number.isSafeInteger(time) ? time : undefined;
}

/**
 * Whether this is the share that was dealt.
 *
 * @param head of the file
 */
export function isDealtShare(share: Share, head: Uint8Array): boolean {
  const salt = head.subarray(FIXED_BYTES - SALT_BYTES, FIXED_BYTES);
  const at = FIXED_BYTES + (share.index - 1) * COMMITMENT_BYTES;
  return equal(commitmentOf(share, salt), head.subarray(at, at + COMMITMENT_BYTES));
}

/**
 * Opens a file with shares.
 *
 * @param shares each of which `isDealtShare`; k or more
 * @returns the contents, which the caller wipes
 * @throws VaultError WRONG_PASSPHRASE for fewer shares, and for any that are not of this file; BAD_BACKUP as
 *   `parseRecoveryFile`, and for a file that was altered
 */
export async function openRecoveryFile(
  file: Uint8Array,
  shares: readonly Share[],
): Promise<Uint8Array> {
  const { threshold, head, message } = parseRecoveryFile(file);
  const areDealt = shares.every((share) => isDealtShare(share, head));
  if (shares.length < threshold || !areDealt) throw new VaultError('WRONG_PASSPHRASE');
  const key = combineShares(shares);
  try {
    return await openMessage({ key, ...boundTo(head) }, message);
  } catch (error) {
    const isAltered = error instanceof AuthenticationError || error instanceof EnvelopeError;
    throw isAltered ? new VaultError('BAD_BACKUP') : error;
  } finally {
    wipe(key);
  }
}

/** The facts as bytes: FACTS_BYTES. */
export function encodeFacts({ digest, created, threshold, count }: RecoveryFacts): Uint8Array {
  return concat(digest, u64be(created), Uint8Array.of(threshold, count));
}

/** The inverse; undefined for what no file says. @param bytes FACTS_BYTES */
export function parseFacts(bytes: Uint8Array): RecoveryFacts | undefined {
  const created = timeAt(bytes, DIGEST_BYTES);
  const [threshold, count] = [bytes[DIGEST_BYTES + 8]!, bytes[DIGEST_BYTES + 9]!];
  if (created === undefined || !areLimitsKept(threshold, count)) return undefined;
  return { digest: copyOf(bytes.subarray(0, DIGEST_BYTES)), created, threshold, count };
}

/** What a sealed share is bound to. */
export function shareContext(facts: RecoveryFacts, index: number): Uint8Array {
  return concat(utf8('SWM1 recovery share\0'), encodeFacts(facts), Uint8Array.of(index));
}

/** The key of a friend's drills, which shows nothing of the share. @returns 32 bytes, which the caller wipes */
export function drillKey({ index, bytes }: Share, { digest }: RecoveryFacts): Uint8Array {
  const info = concat(utf8('SWM1 recovery drill\0'), Uint8Array.of(index));
  return hkdf(SHA256, bytes, digest, info, DRILL_KEY_BYTES);
}

function commitmentOf({ index, bytes }: Share, salt: Uint8Array): Uint8Array {
  return sha256(utf8('SWM1 recovery commitment\0'), salt, Uint8Array.of(index), bytes);
}

function digestOf(head: Uint8Array, message: Uint8Array): Uint8Array {
  return sha256(utf8('SWM1 recovery digest\0'), head, message);
}

function boundTo(head: Uint8Array) {
  const associatedData = concat(utf8('SWM1 recovery file\0'), head);
  return { purpose: 'backup', associatedData } as const;
}
