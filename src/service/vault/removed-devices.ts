/*
 * Keys that removed devices have. A removed device keeps every generation that it had, so what it must not open has to be
 * sealed under newer ones. The commit that removes it leaves a list of the keys, until they are rotated or the user says
 * that they stay as they are.
 */
import { fromHex, toHex } from '../../crypto/bytes.ts';
import { REMOVED_DEVICES } from '../../keys/annotations/deletions.ts';
import type { CircleParts } from '../../keys/circle/changes.ts';
import { publicCircleIn, removeMemberIn } from '../../keys/circle/membership.ts';
import type { MemberKind } from '../../keys/circle/members.ts';
import { describeUserKey, type KeyDescription } from '../../keys/ring/key-description.ts';
import { MAX_GENERATIONS, type KeyRing } from '../../keys/ring/key-ring.ts';
import { USER_KEY_TYPES } from '../../keys/ring/kinds.ts';
import { readOf, type Vault, type VaultDraft } from '../../keys/vault/vault.ts';
import type { Implementations } from '../../rpc/call.ts';

/**
 * Keys that one commit rotates, at most. A commit costs much the same for one key as for several, and takes effect whole or
 * not at all; a bound lets calls of sites in between, and the user see how far it is.
 */
const ROTATED_AT_ONCE = 25;

/** Removed members that are named, at most: the earliest are left out. */
const NAMED_MAX = 16;

/** Why a key stays as it is. */
type StuckReason =
  /** It was made elsewhere, and imported. */
  | 'imported'
  /** It is of a sync service, which has to change it. */
  | 'service'
  /** It is of somebody else's backup, and was not taken over. */
  | 'guest'
  /** It has MAX_GENERATIONS. */
  | 'generations';

/** In the vault. */
interface Kept {
  readonly devices: readonly RemovedMember[];
  /** Of the keys that are not rotated yet. */
  readonly refs: readonly string[];
}

/** A member as it was listed. */
interface RemovedMember {
  readonly kind: MemberKind;
  readonly name: string;
}

type Read = Pick<VaultDraft, 'get' | 'list'>;

interface Parts {
  readonly vault: Vault;
  readonly keyRing: KeyRing;
}

type Methods = 'ui.removedDevices' | 'ui.rotateKeys' | 'ui.dismissRemovedDevices';

/** The methods of the manager about these keys. A repeated rotation goes on with the next ones. */
export function removedDevicesMethods({ vault, keyRing }: Parts): Pick<Implementations, Methods> {
  return {
    'ui.removedDevices': () => removedDevicesIn(readOf(vault)),
    async 'ui.rotateKeys'() {
      return { left: await vault.commit((draft) => rotateSomeIn(draft, keyRing)) };
    },
    async 'ui.dismissRemovedDevices'() {
      await vault.commit((draft) => draft.remove(REMOVED_DEVICES));
      return {};
    },
  };
}

/**
 * Removes a member, and notes which keys it has, within a commit.
 *
 * @param id 32 digits of hex
 * @throws TypeError for an id that is not hex; RangeError as `removeMemberIn` does
 */
export async function removeDeviceIn(
  draft: VaultDraft,
  id: string,
  parts: CircleParts,
): Promise<void> {
  const member = await memberIn(draft, id);
  await removeMemberIn(draft, fromHex(id), parts);
  if (member) await noteRemovedIn(draft, member);
}

async function memberIn(draft: Read, id: string): Promise<RemovedMember | undefined> {
  const circle = await publicCircleIn(draft);
  const member = circle?.epoch.members.find((each) => toHex(each.id) === id);
  return member && { kind: member.kind, name: member.name };
}

/** It has all keys that the vault has now, as far as is known. */
async function noteRemovedIn(draft: VaultDraft, { kind, name }: RemovedMember): Promise<void> {
  const refs = (await keysIn(draft)).map(({ ref }) => ref);
  if (refs.length === 0) return;
  const { devices } = keptIn(await draft.get(REMOVED_DEVICES)) ?? { devices: [] };
  const isSame = (other: RemovedMember) => other.kind === kind && other.name === name;
  const others = devices.filter((other) => !isSame(other));
  putKept(draft, { devices: [...others, { kind, name }].slice(-NAMED_MAX), refs });
}

/** The keys that removed members have, as the manager shows them; null where there is nothing to do or to say. */
async function removedDevicesIn(draft: Read) {
  const kept = keptIn(await draft.get(REMOVED_DEVICES));
  if (kept === undefined) return null;
  const keys = await keysIn(draft);
  const left = keys.filter(({ ref }) => kept.refs.includes(ref));
  if (left.length === 0) return null;
  const due = left.filter((key) => stuckFor(key) === null);
  const stuck = left.flatMap((key) => {
    const reason = stuckFor(key);
    return reason ? [{ label: key.label, reason }] : [];
  });
  const hasSharing = due.some(({ kind }) => kind === 'sharing');
  return { devices: kept.devices.map((each) => ({ ...each })), due: due.length, hasSharing, stuck };
}

/**
 * Rotates some of the keys that are due, within a commit. What older generations sealed still opens.
 *
 * @returns how many are still due
 */
async function rotateSomeIn(draft: VaultDraft, keyRing: KeyRing): Promise<number> {
  const kept = keptIn(await draft.get(REMOVED_DEVICES));
  if (kept === undefined) return 0;
  const keys = await keysIn(draft);
  const due = keys.filter((key) => kept.refs.includes(key.ref) && stuckFor(key) === null);
  const now = due.slice(0, ROTATED_AT_ONCE).map(({ ref }) => ref);
  for (const ref of now) await keyRing.renewIn(draft, ref);
  const refs = kept.refs.filter((ref) => !now.includes(ref) && keys.some((key) => key.ref === ref));
  if (refs.length > 0) putKept(draft, { ...kept, refs });
  else draft.remove(REMOVED_DEVICES);
  return due.length - now.length;
}

async function keysIn(draft: Read): Promise<KeyDescription[]> {
  const records = await Promise.all(USER_KEY_TYPES.map((type) => draft.list(type)));
  return records.flat().map(describeUserKey);
}

function stuckFor({ guest, rotatable, kind, generation }: KeyDescription): StuckReason | null {
  if (guest) return 'guest';
  if (!rotatable) return kind === 'sync' ? 'service' : 'imported';
  return generation >= MAX_GENERATIONS ? 'generations' : null;
}

const keptIn = (record: { readonly value: unknown } | undefined): Kept | undefined =>
  record?.value as Kept | undefined;

function putKept(draft: VaultDraft, { devices, refs }: Kept): void {
  const value = { devices: devices.map((each) => ({ ...each })), refs: [...refs] };
  draft.put({ id: REMOVED_DEVICES, type: REMOVED_DEVICES, value });
}
