/*
 * The circle of the device whose vault this is: how it takes a member in, how it becomes one itself, and what of the circle
 * goes to a new member (docs/format.md section 15):
 *
 *   part = count of links u8 ‖ for each: length u16 ‖ link ‖ the newest epoch
 */
import { concat, equal, toHex, u16be, wipe } from '../../crypto/bytes.ts';
import { CIRCLE } from '../annotations/deletions.ts';
import type { VaultDraft } from '../vault/draft.ts';
import { checkFirstEpoch, checkNextEpoch, successionOf } from './chain.ts';
import type { Succession } from './chain.ts';
import { firstEpoch, syncKeyOf, withMember, withMembers, withoutMember } from './changes.ts';
import type { CircleParts } from './changes.ts';
import { circleOf, circleRecord, FOLLOWED_MAX, followedBy } from './circle-record.ts';
import type { Circle } from './circle-record.ts';
import {
  EPOCH_MAX_BYTES,
  encodeEpoch,
  EpochError,
  hasMember,
  parseEpoch,
  parseLink,
} from './epoch.ts';
import type { Epoch, EpochLink } from './epoch.ts';
import { isDeviceName, memberOf, MEMBERS_MAX, newDevicePair, wipePair } from './members.ts';
import type { Member, MemberPair, Signer } from './members.ts';
import { keepArrivedByIn, withOpenersIn } from './openers.ts';

/** The circle has eight members: one must be removed before another one comes. */
export class CircleFullError extends Error {
  override readonly name = 'CircleFullError';

  constructor() {
    super('there are eight members already');
  }
}

/** Longer parts are refused before any work. */
export const CIRCLE_PART_MAX_BYTES = 2 * EPOCH_MAX_BYTES;

/** What can be read of a vault, within a commit or outside of one. */
type Read = Pick<VaultDraft, 'get'>;

/**
 * The circle of which this device is a member. A device that has followed its own removal has none. The caller wipes the
 * pair.
 */
export async function circleIn(draft: Read): Promise<Circle | undefined> {
  const record = await draft.get(CIRCLE);
  const circle = record && circleOf(record);
  return circle && hasMember(circle.epoch, circle.pair.id) ? circle : undefined;
}

/** A circle without the pair of this device. */
export interface PublicCircle extends Omit<Circle, 'pair'> {
  /** Of this device as a member, 16 bytes. */
  readonly id: Uint8Array;
}

/** The same without its secrets; undefined where this device is in no circle. */
export async function publicCircleIn(draft: Read): Promise<PublicCircle | undefined> {
  const circle = await circleIn(draft);
  if (circle === undefined) return undefined;
  const { pair, links, epoch } = circle;
  wipePair(pair);
  return { id: pair.id, links, epoch };
}

/** Whether another member has no room in the circle of this device. */
export async function isFullIn(draft: Read): Promise<boolean> {
  const circle = await publicCircleIn(draft);
  return circle !== undefined && circle.epoch.members.length >= MEMBERS_MAX;
}

/**
 * Takes a member into the circle of this device, within a commit: makes the next epoch, or the first one of both where the
 * device is in no circle. A member that is in it already changes nothing.
 *
 * @param name of this device, for a first epoch
 * @returns the part of the circle that the member is given
 * @throws CircleFullError; EpochError for a member that the circle cannot have, such as one with the id of another one
 */
export async function admitIn(
  draft: VaultDraft,
  member: Member,
  name: string,
  parts: CircleParts,
): Promise<Uint8Array> {
  const circle = await circleIn(draft);
  const pair = circle?.pair ?? newDevicePair(parts.random);
  try {
    const admitted = circle
      ? await withNewcomer(circle, member, parts)
      : await foundedIn(draft, { pair, member, name }, parts);
    draft.put(circleRecord(admitted));
    return encodePart(admitted);
  } finally {
    wipePair(pair);
  }
}

/**
 * Removes a member by the next epoch, within a commit. An id that is no member's changes nothing.
 *
 * @param id 16 bytes, not of this device, which leaves by `leaveIn`
 * @throws RangeError for its own id, and where it is in no circle
 */
export async function removeMemberIn(
  draft: VaultDraft,
  id: Uint8Array,
  parts: CircleParts,
): Promise<void> {
  const circle = await circleIn(draft);
  if (!circle) throw new RangeError('id: this device is in no circle');
  const { pair, epoch } = circle;
  try {
    if (equal(id, pair.id)) throw new RangeError('id: must be of another member');
    if (!hasMember(epoch, id)) return;
    draft.put(circleRecord(followedBy(circle, await withoutMember(epoch, id, pair, parts))));
  } finally {
    wipePair(pair);
  }
}

/**
 * Forgets the circle, within a commit. It makes no epoch: who leaves would know the sync key of one that it has drawn, so
 * only a member that stays can end what it reads.
 */
export function leaveIn(draft: VaultDraft): void {
  draft.remove(CIRCLE);
}

/**
 * Opens the part of a circle that a new member was given: each epoch follows the one before it, and the newest one has this
 * member with both of its keys, and reaches it.
 *
 * @param pair of the new member
 * @throws EpochError for all else
 */
export async function openPart(
  part: Uint8Array,
  pair: MemberPair,
  parts: CircleParts,
): Promise<Circle> {
  return openCircle(parsePart(part), pair, parts);
}

/**
 * The same for the epochs of a circle that were found elsewhere.
 *
 * @param pair of a member that has followed none of them: it believes the oldest link
 * @throws EpochError where they are not one chain, or do not reach this member
 */
export async function openCircle(
  { links, epoch }: Pick<Circle, 'links' | 'epoch'>,
  pair: MemberPair,
  parts: CircleParts,
): Promise<Circle> {
  if (links.length === 0 && epoch.number > 1) throw new EpochError();
  for (const [at, child] of [...links, epoch].entries()) {
    if (at > 0) await checkNextEpoch(links[at - 1]!, child);
    else if (child.number === 1) await checkFirstEpoch(child);
  }
  const own = await memberOf(pair, '', parts.kem);
  const member = epoch.members.find(({ id }) => equal(id, own.id));
  const isOwn =
    member?.kind === own.kind &&
    equal(member.ed25519, own.ed25519) &&
    equal(member.xWing, own.xWing);
  if (!isOwn) throw new EpochError();
  wipe(await syncKeyOf(epoch, pair, parts));
  return { pair, links, epoch };
}

/**
 * What a circle that this device is given is to the one it is in: `newer` for the first one of a device.
 *
 * @throws EpochError where what is new in it does not follow what is known
 */
export async function successionIn(draft: Read, circle: Circle): Promise<Succession> {
  const own = await publicCircleIn(draft);
  if (own === undefined) return 'newer';
  return successionOf([...own.links, own.epoch], [...circle.links, circle.epoch]);
}

/**
 * The members that would go on without this device: where it is in another circle than the one that it is given, or in
 * another branch of it, all that are not in both.
 *
 * @throws EpochError as `successionIn`
 */
export async function leftBehindIn(draft: Read, circle: Circle): Promise<readonly Signer[]> {
  const succession = await successionIn(draft, circle);
  const own = await publicCircleIn(draft);
  const isLeft = succession === 'unconnected' || succession === 'forked';
  if (!own || !isLeft) return [];
  const isElsewhere = ({ id }: Signer) => !equal(id, own.id) && !hasMember(circle.epoch, id);
  return own.epoch.members.filter(isElsewhere);
}

/** Makes this device a member of the circle that it was given, within a commit, unless it has followed further itself. */
export async function joinIn(draft: VaultDraft, circle: Circle): Promise<void> {
  const succession = await successionIn(draft, circle);
  if (succession !== 'same' && succession !== 'older') draft.put(circleRecord(circle));
}

/**
 * The circle with the openers of this vault as members, and without those that have ended, by one epoch where anything is to be
 * changed. For a device that has followed all that there is: an epoch after an old one would be another branch.
 *
 * @returns `circle` itself where nothing is to be changed. The caller puts its record
 */
export async function withOwnOpenersIn(
  draft: VaultDraft,
  circle: Circle,
  parts: CircleParts,
): Promise<Circle> {
  const { pair, epoch } = circle;
  const members = await withOpenersIn(draft, pair, epoch.members);
  const isSame =
    members.length === epoch.members.length && members.every(({ id }) => hasMember(epoch, id));
  return isSame ? circle : followedBy(circle, await withMembers(epoch, members, pair, parts));
}

/** What a device had changed of the members in epochs that hold no more. */
export interface LeftChanges {
  readonly added: readonly Member[];
  /** Ids, 16 bytes each. */
  readonly removed: readonly Uint8Array[];
}

/** What was changed of the members from one epoch to a later one of its chain. */
export const changesSince = (base: EpochLink, { members }: Epoch): LeftChanges => ({
  added: members.filter(({ id }) => !hasMember(base, id)),
  removed: base.members.filter(({ id }) => !hasMember({ members }, id)).map(({ id }) => id),
});

/**
 * The circle with these changes, by one epoch where they lack anything; those that there is no room for are left out.
 *
 * @returns `circle` itself where nothing is to be changed. The caller puts its record
 */
export async function withChanges(
  circle: Circle,
  { added, removed }: LeftChanges,
  parts: CircleParts,
): Promise<Circle> {
  const { pair, epoch } = circle;
  const staying = epoch.members.filter(({ id }) => !removed.some((each) => equal(each, id)));
  const missing = added.filter(({ id }) => !hasMember({ members: staying }, id));
  const members = [...staying, ...missing].slice(0, MEMBERS_MAX);
  const isSame = staying.length === epoch.members.length && members.length === staying.length;
  return isSame ? circle : followedBy(circle, await withMembers(epoch, members, pair, parts));
}

/**
 * Makes the device of a new vault a member by an epoch that an opener signs, within the commit that makes the vault. A
 * recovery code stays a member until the new vault has one of its own; in a circle of eight the opener gives its place to the
 * device.
 *
 * @param found the circle as the opener reaches it (`openCircle`)
 * @param name of the device
 * @throws RangeError for a name that `isDeviceName` refuses; DOMException NotSupportedError where the platform has no Ed25519
 */
export async function arriveIn(
  draft: VaultDraft,
  found: Circle,
  name: string,
  parts: CircleParts,
): Promise<void> {
  if (!isDeviceName(name)) throw new RangeError('name: not one of a device');
  const { pair: opener, links, epoch } = found;
  const pair = newDevicePair(parts.random);
  try {
    const own = await memberOf(pair, name, parts.kem);
    const isFull = epoch.members.length >= MEMBERS_MAX;
    const staying = epoch.members.filter(({ id }) => !isFull || !equal(id, opener.id));
    const next = await withMembers(epoch, [...staying, own], opener, parts);
    draft.put(circleRecord(followedBy({ pair, links, epoch }, next)));
    const code = staying.find(({ kind, id }) => kind === 'code' && equal(id, opener.id));
    if (code) keepArrivedByIn(draft, code, toHex(pair.id));
  } finally {
    wipePair(pair);
  }
}

async function withNewcomer(circle: Circle, member: Member, parts: CircleParts): Promise<Circle> {
  const { pair, epoch } = circle;
  const known = epoch.members.find(({ id }) => equal(id, member.id));
  const isSame = known && equal(known.ed25519, member.ed25519) && equal(known.xWing, member.xWing);
  if (isSame) return circle;
  if (epoch.members.length >= MEMBERS_MAX) throw new CircleFullError();
  return followedBy(circle, await withMember(epoch, member, pair, parts));
}

/** Of both devices, and of the openers of this one. */
async function foundedIn(
  draft: VaultDraft,
  { pair, member, name }: { pair: MemberPair; member: Member; name: string },
  parts: CircleParts,
): Promise<Circle> {
  const own = await memberOf(pair, name, parts.kem);
  const members = await withOpenersIn(draft, pair, [own, member]);
  return { pair, links: [], epoch: await firstEpoch(members, pair, parts) };
}

/** The bytes of a part. */
export function encodePart({
  links,
  epoch,
}: Pick<Circle, 'links' | 'epoch'>): Uint8Array<ArrayBuffer> {
  const counted = links.flatMap(({ bytes }) => [u16be(bytes.length), bytes]);
  return concat(Uint8Array.of(links.length), ...counted, encodeEpoch(epoch));
}

/** The form of a part alone. @throws EpochError for all that a device does not give */
export function parsePart(part: Uint8Array): Pick<Circle, 'links' | 'epoch'> {
  const count = part[0];
  const isPart =
    count !== undefined && count <= FOLLOWED_MAX && part.length <= CIRCLE_PART_MAX_BYTES;
  if (!isPart) throw new EpochError();
  const links: EpochLink[] = [];
  let at = 1;
  while (links.length < count) {
    const length = part[at]! * 256 + part[at + 1]!; // NaN past the end
    const end = at + 2 + length;
    if (!(end <= part.length)) throw new EpochError();
    links.push(parseLink(part.subarray(at + 2, end)));
    at = end;
  }
  return { links, epoch: parseEpoch(part.subarray(at)) };
}
