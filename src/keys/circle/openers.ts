/*
 * The openers of this vault: its recovery code and its passkeys, as members of a circle (docs/design/sync.md). What is kept of
 * them is public, so that an epoch can be made without their secrets. Each has the slot that the same secret opens, and ends
 * with it.
 */
import { equal, fromBase64url, toBase64url, toHex } from '../../crypto/bytes.ts';
import { OPENERS } from '../annotations/deletions.ts';
import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';
import type { VaultDraft } from '../vault/draft.ts';
import { MEMBERS_MAX } from './members.ts';
import type { Member, MemberPair } from './members.ts';

/** A secret that opens this vault, as a member. */
export interface Opener {
  readonly member: Member;
  /** The stored name of its slot; null of the code that a new vault came by, until the vault has one of its own. */
  readonly slot: string | null;
  /**
   * The id, as hex, of the device as whose opener it was a member; null before. One that is a member no more was removed by a
   * person, and does not come back by itself.
   */
  readonly joinedAs: string | null;
}

/** What can be read of a vault, within a commit or outside of one. */
type Read = Pick<VaultDraft, 'get'>;

/** The openers that this vault keeps; some may have ended, and still be members. */
export async function openersIn(draft: Read): Promise<readonly Opener[]> {
  const record = await draft.get(OPENERS);
  return record ? openersOf(record) : [];
}

/**
 * Keeps an opener, within the commit that makes or confirms its slot. It becomes a member when a circle is founded, or by the
 * next exchange.
 *
 * @param slot the stored name of its slot
 * @param member its public half
 */
export async function keepOpenerIn(draft: VaultDraft, slot: string, member: Member): Promise<void> {
  const openers = await openersIn(draft);
  // One that has ended is kept while it may be a member that an epoch has to remove.
  const isKept = (each: Opener) =>
    each.joinedAs !== null || (each.slot !== null && draft.slotNames.includes(each.slot));
  const others = openers.filter((each) => each.slot !== slot && isKept(each));
  put(draft, [...others, { member, slot, joinedAs: null }]);
}

/**
 * Keeps the code that a new vault came by, so that the vault's own takes its place.
 *
 * @param as the id, as hex, of the device that came by it
 */
export function keepArrivedByIn(draft: VaultDraft, member: Member, as: string): void {
  put(draft, [{ member, slot: null, joinedAs: as }]);
}

/**
 * The members of an epoch, with the openers of this vault and without those that have ended; as many as there is room for.
 *
 * @param pair of this device
 * @param members of the epoch before, or for the first one
 */
export async function withOpenersIn(
  draft: VaultDraft,
  pair: Pick<MemberPair, 'id'>,
  members: readonly Member[],
): Promise<readonly Member[]> {
  const openers = await openersIn(draft);
  if (openers.length === 0) return members;
  const next = nextOf(openers, draft.slotNames, pair, members);
  put(draft, next.openers);
  return next.members;
}

/** Whether `withOpenersIn` would give other members than these. */
export async function areOpenersDueIn(
  draft: Pick<VaultDraft, 'get' | 'slotNames'>,
  pair: Pick<MemberPair, 'id'>,
  members: readonly Member[],
): Promise<boolean> {
  const next = nextOf(await openersIn(draft), draft.slotNames, pair, members).members;
  return next.length !== members.length || !next.every((it) => members.includes(it));
}

/** What is kept of the openers, and the members, after the next epoch. */
function nextOf(
  openers: readonly Opener[],
  slotNames: readonly string[],
  pair: Pick<MemberPair, 'id'>,
  members: readonly Member[],
) {
  const live = liveOf(openers, slotNames);
  // A passkey that was removed and added again is the same member.
  const ended = openers.filter(({ member }) => !live.some((it) => isSame(it.member, member)));
  const staying = members.filter((member) => !ended.some((it) => isSame(it.member, member)));
  const [as, room] = [toHex(pair.id), MEMBERS_MAX - staying.length];
  const isThere = ({ member }: Opener) => staying.some((it) => isSame(it, member));
  const joining = live.filter((it) => !isThere(it) && it.joinedAs !== as).slice(0, room);
  const isMember = (it: Opener) => isThere(it) || joining.includes(it);
  return {
    openers: live.map((it) => (isMember(it) ? { ...it, joinedAs: as } : it)),
    members: [...staying, ...joining.map(({ member }) => member)],
  };
}

function liveOf(openers: readonly Opener[], slotNames: readonly string[]): readonly Opener[] {
  const own = openers.filter(({ slot }) => slot !== null && slotNames.includes(slot));
  const hasCode = own.some(({ member }) => member.kind === 'code');
  return openers.filter((it) => own.includes(it) || (it.slot === null && !hasCode));
}

const isSame = (a: Member, b: Member): boolean => equal(a.id, b.id);

function put(draft: VaultDraft, openers: readonly Opener[]): void {
  const list = openers.map(({ member, slot, joinedAs }): Json => {
    const [id, ed25519, xWing] = [member.id, member.ed25519, member.xWing].map(toBase64url);
    return { kind: member.kind, id: id!, ed25519: ed25519!, xWing: xWing!, slot, joinedAs };
  });
  draft.put({ id: OPENERS, type: OPENERS, value: list });
}

function openersOf({ value }: VaultRecord): readonly Opener[] {
  type Kept = Pick<Opener, 'slot' | 'joinedAs'> &
    Pick<Member, 'kind'> & { readonly [name in 'id' | 'ed25519' | 'xWing']: string };
  return (value as unknown as readonly Kept[]).map(({ slot, joinedAs, kind, ...keys }) => {
    const [id, ed25519, xWing] = [keys.id, keys.ed25519, keys.xWing].map(fromBase64url);
    const member: Member = { kind, id: id!, ed25519: ed25519!, xWing: xWing!, name: '' };
    return { member, slot, joinedAs };
  });
}
