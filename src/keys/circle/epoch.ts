/*
 * An epoch of a circle: who its members are, and the sync key under which they share, wrapped to each. All integers are
 * big-endian.
 *
 *   statement   "SWE" ‖ 01 ‖ number u32 ‖ digest of the parent (32, zeros in the first) ‖ commitment of the sync key (32)
 *               ‖ SHA-256 of the keys and wraps (32) ‖ id of the member that signs (16) ‖ count of members u8
 *               ‖ for each member: kind u8 ‖ id (16) ‖ Ed25519 (32) ‖ length u8 ‖ name
 *   signature   Ed25519 (64) of "sealwright.org/epoch@v1" ‖ 00 ‖ statement
 *   keys        the X-Wing key of each member (1,216)
 *   wraps       8 × (encapsulation (1,120) ‖ sealed sync key (32) ‖ tag (16))
 *
 * Statement and signature are a link: enough to follow a chain of epochs, at 1.1 kB at most. Members stand in the order of
 * their ids. There are always eight wraps, so that they do not tell how many members there are: those without a member
 * are to keys that were thrown away.
 */
import { concat, copyOf, equal, toHex, u32be, utf8 } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import { KEMS } from '../../crypto/post-quantum.ts';
import { ED25519_KEY_BYTES, ED25519_SIGNATURE_BYTES } from '../../engine/native/ed25519.ts';
import { utf8Text } from '../../format/utf8-text.ts';
import { TAG_BYTES } from '../../format/wire/sealed-length.ts';
import {
  isDeviceName,
  MEMBER_ID_BYTES,
  MEMBER_KINDS,
  MEMBERS_MAX,
  X_WING_KEY_BYTES,
} from './members.ts';
import type { Member, Signer } from './members.ts';

/** More bytes are refused before any work. */
export const EPOCH_MAX_BYTES = 2 ** 16;
export const DIGEST_BYTES = 32;
export const SYNC_KEY_BYTES = 32;
/** Length of the sync key, wrapped to one member. */
export const WRAP_BYTES = KEMS['MLKEM768-X25519'].ciphertextBytes + SYNC_KEY_BYTES + TAG_BYTES;

/** The bytes are no epoch, it does not follow the one before it, or it does not reach this member. */
export class EpochError extends Error {
  override readonly name = 'EpochError';

  constructor() {
    super('this is not an epoch of the circle, or it is damaged');
  }
}

/** What a member needs to reach the sync key of an epoch. It names no member. */
export interface WrappedKey {
  /** 1 for the first epoch. */
  readonly number: number;
  /** The digest of the epoch before it, 32 bytes; zeros for the first. */
  readonly parent: Uint8Array;
  /** What all members check the sync key against, so that no two are given different ones; 32 bytes. */
  readonly commitment: Uint8Array;
  /** Eight, 1,168 bytes each. */
  readonly wraps: readonly Uint8Array[];
}

/** An epoch without its keys: what a chain of epochs is followed by. */
export interface EpochLink {
  readonly number: number;
  /** 32 bytes. */
  readonly parent: Uint8Array;
  /** 32 bytes. */
  readonly commitment: Uint8Array;
  /** SHA-256 of X-Wing keys and wraps. */
  readonly keysDigest: Uint8Array;
  /** The id of the member that signed: of the parent, or in the first epoch of this one. */
  readonly signer: Uint8Array;
  /** In the order of their ids. */
  readonly members: readonly Signer[];
  /** 64 bytes. */
  readonly signature: Uint8Array;
  /** The link as bytes: statement ‖ signature. */
  readonly bytes: Uint8Array;
  /** The SHA-256 of the link, which names the epoch. */
  readonly digest: Uint8Array;
}

/** An epoch, of which neither signature nor place in the chain is checked by that (chain.ts). */
export interface Epoch extends EpochLink, WrappedKey {
  readonly members: readonly Member[];
}

/** What the signature covers, but for the digest of keys and wraps, which follows from the rest. */
export type Statement = Omit<Epoch, 'keysDigest' | 'signature' | 'bytes' | 'digest'>;

/** Whether a member with this id is in an epoch. */
export const hasMember = ({ members }: Pick<EpochLink, 'members'>, id: Uint8Array): boolean =>
  members.some((member) => equal(member.id, id));

/** Undefined for an epoch that is damaged, or does not reach a member. */
export async function unlessEpochError<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EpochError) return undefined;
    throw error;
  }
}

/** The statement of an epoch. @throws EpochError for members that an epoch cannot have */
export function statementOf(epoch: Statement): Uint8Array<ArrayBuffer> {
  const { number, parent, commitment, signer, members } = epoch;
  requireMembers(members);
  return concat(
    MAGIC,
    ...[u32be(number), parent, commitment, sha256(keysOf(epoch)), signer],
    Uint8Array.of(members.length),
    ...members.map(({ kind, id, ed25519, name }) => {
      const text = utf8(name);
      const [kindByte, length] = [MEMBER_KINDS.indexOf(kind) + 1, text.length];
      return concat(Uint8Array.of(kindByte), id, ed25519, Uint8Array.of(length), text);
    }),
  );
}

/** What is signed. @param statement as `statementOf` gives it, or a link has it */
export const signedBytes = (statement: Uint8Array): Uint8Array<ArrayBuffer> =>
  concat(PROTOCOL, Uint8Array.of(0), statement);

/** The statement in a link. */
export const statementIn = ({ bytes }: EpochLink): Uint8Array =>
  bytes.subarray(0, bytes.length - ED25519_SIGNATURE_BYTES);

/** The bytes of an epoch. */
export const encodeEpoch = (epoch: Epoch): Uint8Array<ArrayBuffer> =>
  concat(epoch.bytes, keysOf(epoch));

/**
 * The inverse of `encodeEpoch`. The form alone is checked, and that the keys are those of the statement.
 *
 * @throws EpochError for all that `encodeEpoch` does not give
 */
export function parseEpoch(bytes: Uint8Array): Epoch {
  if (bytes.length > EPOCH_MAX_BYTES) throw new EpochError();
  const reader = new Reader(bytes);
  const link = readLink(reader);
  return withKeys(link, reader.rest());
}

/** The inverse of the `bytes` of a link. @throws EpochError for all else */
export function parseLink(bytes: Uint8Array): EpochLink {
  if (bytes.length > EPOCH_MAX_BYTES) throw new EpochError();
  const reader = new Reader(bytes);
  const link = readLink(reader);
  reader.requireEnd();
  return link;
}

/**
 * A link with its keys, which may have been kept apart.
 *
 * @param keys X-Wing keys ‖ wraps
 * @throws EpochError for other ones than those of the statement
 */
export function withKeys(link: EpochLink, keys: Uint8Array): Epoch {
  const reader = new Reader(keys);
  const members = link.members.map((it) => ({ ...it, xWing: reader.take(X_WING_KEY_BYTES) }));
  const wraps = Array.from({ length: MEMBERS_MAX }, () => reader.take(WRAP_BYTES));
  reader.requireEnd();
  requireMembers(members);
  if (toHex(sha256(keys)) !== toHex(link.keysDigest)) throw new EpochError();
  return { ...link, members, wraps };
}

/** The X-Wing keys and the wraps of an epoch. */
const keysOf = ({ members, wraps }: Pick<Epoch, 'members' | 'wraps'>): Uint8Array =>
  concat(...members.map(({ xWing }) => xWing), ...wraps);

/** No other signature of this project begins like this (format/wire/signed-bytes.ts). */
const PROTOCOL = utf8('sealwright.org/epoch@v1');
/** "SWE", version 1. */
const MAGIC = Uint8Array.of(0x53, 0x57, 0x45, 1);

function readLink(reader: Reader): EpochLink {
  if (toHex(reader.take(MAGIC.length)) !== toHex(MAGIC)) throw new EpochError();
  const number = reader.u32();
  const parent = reader.take(DIGEST_BYTES);
  // Exactly the first has no parent.
  if (number === 0 || (number === 1) !== parent.every((byte) => byte === 0)) throw new EpochError();
  const [commitment, keysDigest] = [reader.take(DIGEST_BYTES), reader.take(DIGEST_BYTES)];
  const signer = reader.take(MEMBER_ID_BYTES);
  const members = Array.from({ length: countIn(reader) }, () => readSigner(reader));
  requireSigners(members);
  const signature = reader.take(ED25519_SIGNATURE_BYTES);
  const bytes = reader.taken();
  const digest = sha256(bytes);
  return { number, parent, commitment, keysDigest, signer, members, signature, bytes, digest };
}

function countIn(reader: Reader): number {
  const count = reader.u8();
  if (count > MEMBERS_MAX) throw new EpochError();
  return count;
}

function readSigner(reader: Reader): Signer {
  const kind = MEMBER_KINDS[reader.u8() - 1];
  const [id, ed25519] = [reader.take(MEMBER_ID_BYTES), reader.take(ED25519_KEY_BYTES)];
  const name = textOf(reader.take(reader.u8()));
  if (kind === undefined) throw new EpochError();
  return { kind, id, ed25519, name };
}

function requireMembers(members: readonly Member[]): void {
  requireSigners(members);
  if (members.some(({ xWing }) => xWing.length !== X_WING_KEY_BYTES)) throw new EpochError();
  requireDistinct(members.map(({ xWing }) => xWing));
}

/** Whether an epoch can have them: 1 to 8, in the order of their ids, no two with one key, devices with a name. */
function requireSigners(members: readonly Signer[]): void {
  if (members.length < 1 || members.length > MEMBERS_MAX) throw new EpochError();
  const ids = members.map(({ id }) => toHex(id));
  if (ids.some((id, at) => at > 0 && ids[at - 1]! >= id)) throw new EpochError();
  requireDistinct(members.map(({ ed25519 }) => ed25519));
  for (const { kind, id, ed25519, name } of members) {
    const isOfLength = id.length === MEMBER_ID_BYTES && ed25519.length === ED25519_KEY_BYTES;
    const isNamed = kind === 'device' ? isDeviceName(name) : name === '';
    if (!isOfLength || !isNamed) throw new EpochError();
  }
}

function requireDistinct(keys: readonly Uint8Array[]): void {
  if (new Set(keys.map(toHex)).size !== keys.length) throw new EpochError();
}

function textOf(bytes: Uint8Array): string {
  const text = utf8Text(bytes);
  if (text === undefined) throw new EpochError();
  return text;
}

/** Reads fields one after the other; what is missing is an EpochError. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** A copy. */
  take(length: number): Uint8Array<ArrayBuffer> {
    if (length > this.#bytes.length - this.#at) throw new EpochError();
    this.#at += length;
    return copyOf(this.#bytes.subarray(this.#at - length, this.#at));
  }

  u8(): number {
    return this.take(1)[0]!;
  }

  u32(): number {
    return new DataView(this.take(4).buffer).getUint32(0);
  }

  /** All that was read. */
  taken(): Uint8Array<ArrayBuffer> {
    return copyOf(this.#bytes.subarray(0, this.#at));
  }

  rest(): Uint8Array<ArrayBuffer> {
    return this.take(this.#bytes.length - this.#at);
  }

  requireEnd(): void {
    if (this.#at !== this.#bytes.length) throw new EpochError();
  }
}
