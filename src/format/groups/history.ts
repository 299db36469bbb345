/*
 * The epochs of one group, checked (docs/format.md section 3.9): that each follows from what came before, and which of them
 * a sender seals to. It never changes: with a further epoch, a new one is made.
 */
import { equal, toHex } from '../../crypto/bytes.ts';
import { EnvelopeError } from '../errors.ts';
import {
  EPOCH_NUMBER_MAX,
  EPOCH_PARENTS_MAX,
  compareBytes,
  isEpochSigned,
  type Epoch,
  type GroupMember,
} from './epoch.ts';
import { groupOf } from './group-id.ts';
import { membersAfter, nameOf, standingsOf, type Change, type Entry } from './membership.ts';

/** Epochs of one group that are read. */
export const GROUP_EPOCHS_MAX = 1_024;

/** By what epochs are taken. */
export interface EpochTrust {
  /** Digest of the group's first epoch, 32 bytes. */
  readonly group: Uint8Array;
  /**
   * Keys of admins that were compared, 32 bytes each. The oldest epoch may be one that they signed; without them it is the
   * first one, which the group's id names.
   */
  readonly trusted?: readonly Uint8Array[] | undefined;
}

/** One epoch, with what it changed. */
export interface EpochNode extends Change {
  readonly epoch: Epoch;
  /** The members of what it follows; none for the oldest. */
  readonly before: readonly GroupMember[];
}

/** What a new epoch follows. */
export interface EpochBasis {
  readonly parents: readonly Uint8Array[];
  readonly number: number;
  readonly members: readonly GroupMember[];
}

/** The checked epochs of a group. */
export class GroupHistory {
  readonly group: Uint8Array;
  /** From the oldest to the newest. */
  readonly epochs: readonly Epoch[];
  /** Those that are not void and that no other such one comes after, the highest number first. */
  readonly heads: readonly Epoch[];
  /** Of all epochs together: removals win, additions join. Ascending by public key. */
  readonly members: readonly GroupMember[];
  /** The epochs in the same order, with what each changed (epoch-changes.ts tells it). */
  readonly nodes: readonly EpochNode[];

  private constructor(group: Uint8Array, nodes: readonly EpochNode[]) {
    this.nodes = nodes;
    this.group = group;
    this.epochs = nodes.map(({ epoch }) => epoch);
    this.heads = liveHeadsOf(nodes).map(({ epoch }) => epoch);
    this.members = membersOf(nodes);
  }

  /**
   * Checks epochs of one group.
   *
   * @param epochs in any order; repeats are one
   * @throws EnvelopeError TOO_LARGE for more than 1,024; BAD_ENVELOPE where one is forged, of another group, or not signed by
   *   an admin of what it follows; NEEDS_KEY where one is missing that another one follows
   */
  static async check(epochs: readonly Epoch[], trust: EpochTrust): Promise<GroupHistory> {
    const unique = new Map(epochs.map((epoch) => [toHex(epoch.digest), epoch]));
    if (unique.size > GROUP_EPOCHS_MAX) {
      throw new EnvelopeError('TOO_LARGE', `A group has at most ${GROUP_EPOCHS_MAX} epochs`);
    }
    const inOrder = [...unique.values()].sort(
      (a, b) => a.number - b.number || compareBytes(a.digest, b.digest),
    );
    if (inOrder.length === 0) throw missing('none is known');
    // All at once: the platform verifies on threads of its own.
    const signed = await Promise.all(inOrder.map(isEpochSigned));
    const nodes = new Map<string, EpochNode>();
    inOrder.forEach((epoch, i) => {
      if (!equal(groupOf(epoch), trust.group)) throw refused('it is of another group');
      const node = nodeOf(epoch, nodes, trust);
      if (!signed[i]) throw refused('its signature is not valid');
      nodes.set(toHex(epoch.digest), node);
    });
    return new GroupHistory(trust.group, [...nodes.values()]);
  }

  /**
   * The one epoch whose members are those of all epochs together, to which senders seal; undefined while none of what admins
   * changed at the same time has them all. Who is an admin does not matter for that.
   */
  get whole(): Epoch | undefined {
    const wanted = namesOf(this.members);
    return this.heads.find(({ members }) => isSame(namesOf(members), wanted));
  }

  /**
   * The one epoch whose members and admins are those of all epochs together, which the next change follows; undefined until an
   * admin has joined what admins changed at the same time.
   */
  get settled(): Epoch | undefined {
    return this.heads.find(({ members }) => hasSameRoles(members, this.members));
  }

  /**
   * The epochs to seal to, so that every member reads it. More than one where admins added members at the same time.
   *
   * @returns 1 to 8
   * @throws EnvelopeError NEEDS_KEY while an admin has to join what admins changed at the same time, because one of them
   *   removed somebody
   */
  newest(): readonly Epoch[] {
    if (this.whole) return [this.whole];
    const { heads } = this;
    const all = new Set(heads.flatMap(({ members }) => [...namesOf(members)]));
    const isJoined = isSame(all, namesOf(this.members));
    if (isJoined && heads.length <= EPOCH_PARENTS_MAX) return heads;
    throw missing('admins changed the group at the same time, and one of them has to join that');
  }

  /**
   * What an epoch follows that joins what admins changed at the same time, or the next one of a group without such changes.
   *
   * @throws RangeError after epoch 2^32 - 1
   */
  basis(): EpochBasis {
    const { settled } = this;
    const followed = settled ? [settled] : this.heads.slice(0, EPOCH_PARENTS_MAX);
    const heads = this.nodes.filter(({ epoch }) => followed.includes(epoch));
    const number = Math.max(...heads.map(({ epoch }) => epoch.number)) + 1;
    if (number > EPOCH_NUMBER_MAX) throw new RangeError('number: there is no further epoch');
    const parents = heads.map(({ epoch }) => epoch.digest);
    return { parents, number, members: membersOf(upTo(heads)) };
  }
}

/** @throws EnvelopeError BAD_ENVELOPE, NEEDS_KEY if the epoch does not follow from these */
function nodeOf(
  epoch: Epoch,
  known: ReadonlyMap<string, EpochNode>,
  { group, trusted = [] }: EpochTrust,
): EpochNode {
  const signer = textOf(epoch.signer);
  if (known.size === 0) {
    const isFirst = equal(epoch.digest, group);
    if (!isFirst && !trusted.some((key) => equal(key, epoch.signer))) {
      throw missing(
        'the oldest that is known is neither the first nor of an admin who was compared',
      );
    }
    if (isFirst && !isAdmin(epoch.members, epoch.signer)) throw refused(NOT_BY_ADMIN);
    const added = entriesOf(epoch.members);
    return { epoch, signer, before: [], ancestors: new Set(), added, removed: [] };
  }
  const parents = epoch.parents.map((digest) => {
    const parent = known.get(toHex(digest));
    if (!parent) throw missing('one is missing that another one follows');
    return parent;
  });
  const highest = Math.max(...parents.map((parent) => parent.epoch.number));
  if (parents.length === 0 || epoch.number !== highest + 1) throw refused('its number is not next');
  const ancestors = new Set(upTo(parents));
  if (parents.some((parent) => parents.some((each) => each.ancestors.has(parent)))) {
    throw refused('it follows an epoch and one before that');
  }
  const before = parents.length === 1 ? parents[0]!.epoch.members : membersOf([...ancestors]);
  if (!isAdmin(before, epoch.signer)) throw refused(NOT_BY_ADMIN);
  const { added, removed } = changesBetween(before, epoch.members);
  if (parents.length > 1 && added.length + removed.length > 0) {
    throw refused('it joins epochs and changes more');
  }
  return { epoch, signer, before, ancestors, added, removed };
}

const NOT_BY_ADMIN = 'it is not signed by an admin of what it follows';

/** Those that are not parents of others. */
function headsOf(nodes: readonly EpochNode[]): EpochNode[] {
  const followed = new Set(nodes.flatMap(({ epoch }) => epoch.parents.map(toHex)));
  return nodes.filter(({ epoch }) => !followed.has(toHex(epoch.digest)));
}

/** Those that are not void and that no other such one comes after, the highest number first. */
function liveHeadsOf(nodes: readonly EpochNode[]): EpochNode[] {
  if (headsOf(nodes).length === 1) return nodes.slice(-1);
  const standing = standingsOf(nodes);
  const live = nodes.filter((node) => standing.get(node) !== 'void');
  return live.filter((node) => !live.some(({ ancestors }) => ancestors.has(node))).reverse();
}

/** These and all before them. */
const upTo = (nodes: readonly EpochNode[]): readonly EpochNode[] => [
  ...new Set(nodes.flatMap((node) => [...(node.ancestors as ReadonlySet<EpochNode>), node])),
];

/** Of one line of epochs it is what the last one says; else what all of them say together. */
function membersOf(nodes: readonly EpochNode[]): readonly GroupMember[] {
  const heads = headsOf(nodes);
  if (heads.length === 1) return heads[0]!.epoch.members;
  const all = nodes.flatMap(({ epoch }) => epoch.members);
  const keys = all.flatMap(({ publicKey, adminKey }) => [
    publicKey,
    ...(adminKey ? [adminKey] : []),
  ]);
  const bytes = new Map(keys.map((key) => [textOf(key), key]));
  const entries = membersAfter(nodes);
  const members = entries
    .flatMap(({ member, admin }) => (admin === undefined ? bytes.get(member)! : []))
    .sort(compareBytes);
  const admins = oneToOne(
    entries.flatMap(({ member, admin }) =>
      admin === undefined ? [] : [{ admin: bytes.get(admin)!, member: bytes.get(member)! }],
    ),
  );
  return members.map((publicKey) => {
    const adminKey = admins.get(textOf(publicKey));
    return { publicKey, ...(adminKey && { adminKey }) };
  });
}

/** Where epochs of the same time give a member two admin's keys, or a key to two members, the lowest of each counts. */
function oneToOne(
  pairs: readonly { readonly admin: Uint8Array; readonly member: Uint8Array }[],
): ReadonlyMap<string, Uint8Array> {
  const sorted = [...pairs].sort(
    (a, b) => compareBytes(a.admin, b.admin) || compareBytes(a.member, b.member),
  );
  const taken = new Set<string>();
  const admins = new Map<string, Uint8Array>();
  for (const { admin, member } of sorted) {
    if (taken.has(textOf(admin)) || admins.has(textOf(member))) continue;
    taken.add(textOf(admin));
    admins.set(textOf(member), admin);
  }
  return admins;
}

function entriesOf(members: readonly GroupMember[]): Entry[] {
  return members.flatMap(({ publicKey, adminKey }) => {
    const member = textOf(publicKey);
    return adminKey ? [{ member }, { member, admin: textOf(adminKey) }] : [{ member }];
  });
}

/**
 * What an epoch adds and removes. Most members stay as they are: they are compared by their bytes, and only the others are
 * made into entries.
 *
 * @param before the members of what it follows, ascending by public key, as those of the epoch
 */
function changesBetween(
  before: readonly GroupMember[],
  now: readonly GroupMember[],
): Pick<Change, 'added' | 'removed'> {
  const old: GroupMember[] = [];
  const fresh: GroupMember[] = [];
  for (let i = 0, j = 0; i < before.length || j < now.length;) {
    const [left, right] = [before[i], now[j]];
    const order = !left ? 1 : !right ? -1 : compareBytes(left.publicKey, right.publicKey);
    if (order <= 0) i++;
    if (order >= 0) j++;
    if (order === 0 && hasSameAdminKey(left!, right!)) continue;
    if (order <= 0) old.push(left!);
    if (order >= 0) fresh.push(right!);
  }
  const [removed, added] = [entriesOf(old), entriesOf(fresh)];
  return { added: without(added, removed), removed: without(removed, added) };
}

const hasSameAdminKey = ({ adminKey: a }: GroupMember, { adminKey: b }: GroupMember): boolean =>
  a && b ? equal(a, b) : a === b;

/** @param a ascending by public key, as `b` */
const hasSameRoles = (a: readonly GroupMember[], b: readonly GroupMember[]): boolean =>
  a.length === b.length &&
  a.every(
    (member, i) => equal(member.publicKey, b[i]!.publicKey) && hasSameAdminKey(member, b[i]!),
  );

function without(entries: readonly Entry[], others: readonly Entry[]): Entry[] {
  const names = new Set(others.map(nameOf));
  return entries.filter((entry) => !names.has(nameOf(entry)));
}

const isAdmin = (members: readonly GroupMember[], key: Uint8Array): boolean =>
  members.some(({ adminKey }) => adminKey !== undefined && equal(adminKey, key));

const namesOf = (members: readonly GroupMember[]): ReadonlySet<string> =>
  new Set(members.map(({ publicKey }) => textOf(publicKey)));

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((each) => b.has(each));

const LATIN1 = new TextDecoder('latin1');

/** One character for each byte: a text that maps and sets compare fast. */
export const textOf = (bytes: Uint8Array): string => LATIN1.decode(bytes);

const refused = (why: string) =>
  new EnvelopeError('BAD_ENVELOPE', `An epoch of the group is refused: ${why}`);

const missing = (why: string) =>
  new EnvelopeError('NEEDS_KEY', `An epoch of the group is missing: ${why}`);
