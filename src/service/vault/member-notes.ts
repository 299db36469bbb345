/*
 * What a device notes of the members of its circle, for its user.
 *
 * Joined: members that other devices have added. Accounts are stolen by adding a device, so each device tells of it until
 * the user has read it.
 *
 * Joining: members that this device has taken in, and of which it has not heard since. The offer of one may have ended before
 * its answer was taken: then its private keys are gone, and nothing but the list would ever tell of it. A member is heard of
 * once it has signed an epoch, or has written on the medium. Where devices pair by files alone no confirmation can come: then
 * the user says that it has joined, or removes it, and until then it stays in the list.
 */
import { equal, fromHex, toHex } from '../../crypto/bytes.ts';
import { MEMBER_NOTES } from '../../keys/annotations/deletions.ts';
import type { CircleParts } from '../../keys/circle/changes.ts';
import { hasMember, type Epoch } from '../../keys/circle/epoch.ts';
import { MEMBERS_MAX, type Member } from '../../keys/circle/members.ts';
import { publicCircleIn } from '../../keys/circle/membership.ts';
import type { VaultDraft } from '../../keys/vault/vault.ts';
import { JOINING_MS } from '../../rpc/limits.ts';
import { removeDeviceIn } from './removed-devices.ts';

/** A member that another device has added. */
export interface JoinedMember {
  /** 16 bytes as hex. */
  readonly id: string;
  /** '' for a recovery code or a passkey. */
  readonly name: string;
  /** When this device learnt of it, ms since the epoch. */
  readonly at: number;
}

/** A member of which this device has not heard. */
interface JoiningMember {
  /** 16 bytes as hex. */
  readonly id: string;
  /** When it was taken in, ms since the epoch. */
  readonly at: number;
}

interface Notes {
  readonly joined: readonly JoinedMember[];
  readonly joining: readonly JoiningMember[];
}

type Read = Pick<VaultDraft, 'get'>;

/**
 * Notes who has joined, within the commit that follows a later epoch.
 *
 * @param before the newest epoch that this device knew
 * @param at ms since the epoch
 */
export async function noteJoinedIn(draft: VaultDraft, before: Epoch, at: number): Promise<void> {
  const circle = await publicCircleIn(draft);
  if (circle === undefined) return;
  const isNew = ({ id }: Member) => !hasMember(before, id) && !equal(id, circle.id);
  const found = circle.epoch.members.filter(isNew).map(({ id, name }) => {
    return { id: toHex(id), name, at: Math.trunc(at) };
  });
  if (found.length === 0) return;
  const { joined, joining } = notesOf(await draft.get(MEMBER_NOTES));
  const isFound = (id: string) => found.some((each) => each.id === id);
  const others = joined.filter(({ id }) => !isFound(id) && hasMember(circle.epoch, fromHex(id)));
  putNotes(draft, { joined: [...others, ...found], joining });
}

/** The members that other devices have added, until the user has read it, or they have gone. */
export async function joinedIn(draft: Read): Promise<readonly JoinedMember[]> {
  const { joined } = notesOf(await draft.get(MEMBER_NOTES));
  const circle = joined.length > 0 ? await publicCircleIn(draft) : undefined;
  return circle ? joined.filter(({ id }) => hasMember(circle.epoch, fromHex(id))) : [];
}

/** The user has read who has joined. */
export async function readJoinedIn(draft: VaultDraft): Promise<void> {
  const { joined, joining } = notesOf(await draft.get(MEMBER_NOTES));
  if (joined.length > 0) putNotes(draft, { joined: [], joining });
}

/** Notes a member before it is taken into the circle, within the commit. One that is in it already is as known as before. */
export async function noteJoiningIn(draft: VaultDraft, { id }: Member, at: number): Promise<void> {
  const circle = await publicCircleIn(draft);
  if (circle && hasMember(circle.epoch, id)) return;
  const { joined } = notesOf(await draft.get(MEMBER_NOTES));
  const joining = [...(await joiningIn(draft)), { id: toHex(id), at: Math.trunc(at) }];
  putNotes(draft, { joined, joining: joining.slice(-MEMBERS_MAX) });
}

/** The members that have not been heard of. */
export async function joiningIn(draft: Read): Promise<readonly JoiningMember[]> {
  const { joining } = notesOf(await draft.get(MEMBER_NOTES));
  const circle = joining.length > 0 ? await publicCircleIn(draft) : undefined;
  if (!circle) return [];
  const { links, epoch } = circle;
  const signers = new Set([...links, epoch].map(({ signer }) => toHex(signer)));
  return joining.filter(({ id }) => hasMember(epoch, fromHex(id)) && !signers.has(id));
}

/** Members have been heard of, or the user says that they have joined, within a commit. @param ids as hex */
export async function haveJoinedIn(draft: VaultDraft, ids: readonly string[]): Promise<void> {
  const { joined, joining } = notesOf(await draft.get(MEMBER_NOTES));
  const left = joining.filter(({ id }) => !ids.includes(id));
  if (left.length < joining.length) putNotes(draft, { joined, joining: left });
}

/**
 * Removes the members that were not heard of in time, within a commit. They may have the keys. The device that has added a
 * member is the only one that does so: two that removed it at once would have made two circles.
 *
 * @param now ms since the epoch
 */
export async function endOverdueIn(
  draft: VaultDraft,
  now: number,
  parts: CircleParts,
): Promise<void> {
  for (const { id, at } of await joiningIn(draft)) {
    if (now - at < JOINING_MS) continue;
    await removeDeviceIn(draft, id, parts);
    await haveJoinedIn(draft, [id]);
  }
}

const notesOf = (record: { readonly value: unknown } | undefined): Notes =>
  (record?.value as Notes | undefined) ?? { joined: [], joining: [] };

/** Empty notes stay: the types that a commit puts say that they have changed. */
function putNotes(draft: VaultDraft, { joined, joining }: Notes): void {
  const value = {
    joined: joined.map((each) => ({ ...each })),
    joining: joining.map((each) => ({ ...each })),
  };
  draft.put({ id: MEMBER_NOTES, type: MEMBER_NOTES, value });
}
