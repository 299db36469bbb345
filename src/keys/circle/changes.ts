/* New epochs: the first one, and those that add or remove a member. Each has a sync key of its own, and who reaches it. */
import { concat, equal, toHex, u32be, utf8, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import { SHA512 } from '../../crypto/hash/sha512.ts';
import { hkdfExpand } from '../../crypto/kdf/hkdf.ts';
import type { Kem } from '../../engine/kem/kem.ts';
import { signEd25519 } from '../../engine/native/ed25519.ts';
import type { FormatCrypto } from '../../format/format-crypto.ts';
import { hpkeRecipient } from '../../format/recipients/hpke.ts';
import type { RecipientType } from '../../format/recipients/recipient-type.ts';
import type { RandomSource } from '../../random/contract.ts';
import { checkFirstEpoch, checkNextEpoch } from './chain.ts';
import {
  DIGEST_BYTES,
  EpochError,
  parseEpoch,
  signedBytes,
  statementOf,
  SYNC_KEY_BYTES,
} from './epoch.ts';
import type { Epoch, Statement, WrappedKey } from './epoch.ts';
import { MEMBER_ID_BYTES, MEMBER_KINDS, MEMBERS_MAX } from './members.ts';
import type { Member, MemberPair, Signer } from './members.ts';

/** What epochs are made and opened with. */
export interface CircleParts {
  /** X-Wing. */
  readonly kem: Kem;
  readonly crypto: FormatCrypto;
  readonly random: RandomSource;
}

/**
 * Makes a circle.
 *
 * @param members 1 to 8, in any order; the maker is one of them
 * @param by the pairs of its maker
 * @throws EpochError for members that an epoch cannot have; DOMException NotSupportedError where the platform has no Ed25519
 */
export async function firstEpoch(
  members: readonly Member[],
  by: MemberPair,
  parts: CircleParts,
): Promise<Epoch> {
  const place = { number: 1, parent: new Uint8Array(DIGEST_BYTES) };
  const epoch = await newEpoch(place, members, by, parts);
  await checkFirstEpoch(epoch);
  return epoch;
}

/**
 * The next epoch, with one member more.
 *
 * @param member of whom the person knows that it is theirs: it will open everything
 * @param by the pairs of a member of `epoch`
 * @throws EpochError for a ninth member, one with an id or a key that is there, and for pairs that are no member's;
 *   DOMException NotSupportedError where the platform has no Ed25519
 */
export function withMember(
  epoch: Epoch,
  member: Member,
  by: MemberPair,
  parts: CircleParts,
): Promise<Epoch> {
  return withMembers(epoch, [...epoch.members, member], by, parts);
}

/**
 * The next epoch, with one member less. What was shared before it stays known to that member.
 *
 * @param id of the member, 16 bytes
 * @param by the pairs of a member of `epoch`, which may be the one that leaves
 * @throws EpochError for an id that is no member's, the last member, and for pairs that are no member's;
 *   DOMException NotSupportedError where the platform has no Ed25519
 */
export async function withoutMember(
  epoch: Epoch,
  id: Uint8Array,
  by: MemberPair,
  parts: CircleParts,
): Promise<Epoch> {
  const members = epoch.members.filter((member) => !equal(member.id, id));
  if (members.length === epoch.members.length) throw new EpochError();
  return withMembers(epoch, members, by, parts);
}

/**
 * The next epoch, with these members: for a change of several at once, such as a recovery code in the place of another one.
 *
 * @param members 1 to 8, in any order
 * @param by the pairs of a member of `epoch`
 * @throws EpochError for members that an epoch cannot have, and for pairs that are no member's; DOMException
 *   NotSupportedError where the platform has no Ed25519
 */
export async function withMembers(
  epoch: Epoch,
  members: readonly Member[],
  by: MemberPair,
  parts: CircleParts,
): Promise<Epoch> {
  const next = await newEpoch(
    { number: epoch.number + 1, parent: epoch.digest },
    members,
    by,
    parts,
  );
  await checkNextEpoch(epoch, next);
  return next;
}

/**
 * The sync key of an epoch. Which of the wraps is the member's is not said: each is tried.
 *
 * @param wrapped the epoch, or what a medium shows of one before it is opened
 * @param pair of a member
 * @returns 32 bytes, which the caller wipes
 * @throws EpochError where the epoch does not reach this member, or gave it another key than the others
 */
export async function syncKeyOf(
  wrapped: WrappedKey,
  pair: MemberPair,
  { kem, crypto, random }: CircleParts,
): Promise<Uint8Array> {
  const info = wrapInfo(wrapped, pair);
  const recipient = hpkeRecipient(kem, crypto, random);
  for (const wrap of wrapped.wraps) {
    const key = await unlessRefused(recipient.unwrap(pair.xWing, wrap, info));
    if (key === undefined) continue;
    if (equal(commitmentOf(key), wrapped.commitment)) return key;
    wipe(key);
  }
  throw new EpochError();
}

/** Where an epoch stands. */
type Place = Pick<Statement, 'number' | 'parent'>;

async function newEpoch(
  place: Place,
  unordered: readonly Member[],
  by: MemberPair,
  parts: CircleParts,
): Promise<Epoch> {
  const members = unordered.toSorted((a, b) => (toHex(a.id) < toHex(b.id) ? -1 : 1));
  const syncKey = parts.random.bytes(SYNC_KEY_BYTES);
  try {
    const commitment = commitmentOf(syncKey);
    const wraps = await wrapsOf(syncKey, place, members, parts);
    const statement = statementOf({ ...place, commitment, signer: by.id, members, wraps });
    const signature = await signEd25519(by.ed25519, signedBytes(statement));
    const keys = members.map(({ xWing }) => xWing);
    return parseEpoch(concat(statement, signature, ...keys, ...wraps));
  } finally {
    wipe(syncKey);
  }
}

/** One for each member, and as many to keys that are thrown away as make eight. */
async function wrapsOf(
  syncKey: Uint8Array,
  place: Place,
  members: readonly Member[],
  { kem, crypto, random }: CircleParts,
): Promise<Uint8Array[]> {
  const recipient = hpkeRecipient(kem, crypto, random);
  const wraps: Uint8Array[] = [];
  for (const member of members) {
    wraps.push(await wrapTo(recipient, member, syncKey, place));
  }
  while (wraps.length < MEMBERS_MAX) {
    const [seed, id] = [random.bytes(kem.privateKeyBytes), random.bytes(MEMBER_ID_BYTES)];
    const info = wrapInfo(place, { kind: 'device', id });
    wraps.push(await recipient.wrap(await kem.publicKey(seed), syncKey, info));
    wipe(seed);
  }
  return wraps;
}

/** @throws EpochError for a public key that X-Wing refuses */
async function wrapTo(
  recipient: RecipientType,
  member: Member,
  syncKey: Uint8Array,
  place: Place,
): Promise<Uint8Array> {
  try {
    return await recipient.wrap(member.xWing, syncKey, wrapInfo(place, member));
  } catch (error) {
    throw error instanceof RangeError ? new EpochError() : error;
  }
}

/** Undefined for a wrap that is another member's. */
async function unlessRefused(opening: Promise<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof AuthenticationError) return undefined;
    throw error;
  }
}

/** What a wrap is bound to. X-Wing binds it to the member's key. */
function wrapInfo({ number, parent }: Place, { kind, id }: Pick<Signer, 'kind' | 'id'>) {
  const kindByte = MEMBER_KINDS.indexOf(kind) + 1;
  return concat(utf8('SWM1 circle sync key\0'), u32be(number), parent, Uint8Array.of(kindByte), id);
}

/** Which says nothing of the key, and is that of no other one. */
const commitmentOf = (syncKey: Uint8Array): Uint8Array =>
  hkdfExpand(SHA512, syncKey, utf8('SWM1 circle commitment'), DIGEST_BYTES);
