import { toHex } from '../../../src/crypto/bytes.ts';
import { changesIn, type EpochChange } from '../../../src/format/groups/epoch-changes.ts';
import type { GroupMember } from '../../../src/format/groups/epoch.ts';
import type { GroupHistory } from '../../../src/format/groups/history.ts';
import { GROUP_RECIPIENT } from '../../../src/format/wire/recipient-table.ts';
import type { UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { verificationOf } from '../../../src/service/sharing/verification.ts';

/** A person of a group, as the user knows them. */
export interface PersonFacts {
  /** "swp1.…" */
  readonly publicKey: string;
  readonly isAdmin: boolean;
  readonly isUser: boolean;
  /** The contact who has this key. */
  readonly contact: UiContact | undefined;
  /** Six words of the key: places in EFF's list. */
  readonly words: readonly number[];
}

/** One change of a group, with the people as the user knows them. */
export interface ChangeFacts extends Pick<EpochChange, 'standing'> {
  /** 0 for the first; changes of the same time have the same number. */
  readonly number: number;
  /** 'first': the group was made. 'join': it joins changes of the same time. 'key': it changes the key alone. */
  readonly kind: 'first' | 'members' | 'join' | 'key';
  /** When it was made or taken here, ms since the epoch: a change has no date of its own. */
  readonly at: number;
  readonly author: PersonFacts | undefined;
  readonly added: readonly PersonFacts[];
  readonly removed: readonly PersonFacts[];
  readonly newAdmins: readonly PersonFacts[];
  readonly formerAdmins: readonly PersonFacts[];
  /** Whether new members got the keys of older epochs. */
  readonly givesOldKeys: boolean;
  /**
   * Six words of the epoch's digest: two people to whom the newest has the same words have the same group. Those of the first
   * are of the group's id.
   */
  readonly words: readonly number[];
}

/**
 * The changes of a group, from the oldest to the newest.
 *
 * @param times by the epoch's digest in hexadecimal
 */
export function changeFacts(
  history: GroupHistory,
  times: ReadonlyMap<string, number>,
  personOf: (member: GroupMember) => PersonFacts,
): ChangeFacts[] {
  return changesIn(history).map((change) => {
    const { epoch, author, standing } = change;
    return {
      number: epoch.number,
      kind: kindOf(change),
      at: times.get(toHex(epoch.digest)) ?? 0,
      standing,
      author: author && personOf(author),
      added: change.added.map(personOf),
      removed: change.removed.map(personOf),
      newAdmins: change.newAdmins.map(personOf),
      formerAdmins: change.formerAdmins.map(personOf),
      givesOldKeys: epoch.oldKeys.length > 0,
      words: verificationOf(GROUP_RECIPIENT, epoch.digest).words,
    };
  });
}

function kindOf({ epoch, ...change }: EpochChange): ChangeFacts['kind'] {
  if (epoch.parents.length === 0) return 'first';
  if (epoch.parents.length > 1) return 'join';
  const { added, removed, newAdmins, formerAdmins } = change;
  const changed = [added, removed, newAdmins, formerAdmins].some((members) => members.length > 0);
  return changed ? 'members' : 'key';
}
