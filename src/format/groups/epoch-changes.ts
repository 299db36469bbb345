/* What the epochs of a group changed, one after the other, as it is shown to people. */
import { equal } from '../../crypto/bytes.ts';
import type { Epoch, GroupMember } from './epoch.ts';
import { textOf, type EpochNode, type GroupHistory } from './history.ts';
import { standingsOf, type Entry, type Standing } from './membership.ts';

/** What one epoch changed. */
export interface EpochChange {
  readonly epoch: Epoch;
  /** The admin who signed it; undefined for an oldest epoch that is not the group's first. */
  readonly author: GroupMember | undefined;
  /** Members since this epoch, and those who are members no longer. */
  readonly added: readonly GroupMember[];
  readonly removed: readonly GroupMember[];
  /** Members of before who are admins since this epoch, or have another admin's key, and those who are admins no longer. */
  readonly newAdmins: readonly GroupMember[];
  readonly formerAdmins: readonly GroupMember[];
  /** Whether it counts, by what other admins changed at the same time. */
  readonly standing: Standing;
}

/** What each epoch changed, from the oldest to the newest. */
export function changesIn({ nodes }: Pick<GroupHistory, 'nodes'>): EpochChange[] {
  const standings = standingsOf(nodes);
  return nodes.map((node) => ({ ...changeOf(node), standing: standings.get(node)! }));
}

function changeOf({ epoch, before, added, removed }: EpochNode): Omit<EpochChange, 'standing'> {
  const now = epoch.members;
  const joined = membersOf(added, ({ admin }) => admin === undefined);
  const left = membersOf(removed, ({ admin }) => admin === undefined);
  const isOfStaying = ({ member, admin }: Entry) => admin !== undefined && !joined.has(member);
  const promoted = membersOf(added, isOfStaying);
  const demoted = membersOf(removed, (entry) => isOfStaying(entry) && !promoted.has(entry.member));
  const among = (members: readonly GroupMember[], keys: ReadonlySet<string>) =>
    members.filter(({ publicKey }) => keys.has(textOf(publicKey)));
  const signers = before.length === 0 ? now : before;
  return {
    epoch,
    author: signers.find(({ adminKey }) => adminKey && equal(adminKey, epoch.signer)),
    added: among(now, joined),
    removed: among(before, left),
    newAdmins: among(now, promoted),
    formerAdmins: among(now, demoted),
  };
}

const membersOf = (
  entries: readonly Entry[],
  isWanted: (entry: Entry) => boolean,
): ReadonlySet<string> => new Set(entries.filter(isWanted).map(({ member }) => member));
