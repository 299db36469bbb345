import { toHex } from '../../../src/crypto/bytes.ts';
import { epochText, parseEpochText, type GroupMember } from '../../../src/format/groups/epoch.ts';
import { MEMBER_KEY, parseGroupId } from '../../../src/format/groups/group-id.ts';
import { problemOf } from '../../../src/format/groups/group-problem.ts';
import { GroupHistory } from '../../../src/format/groups/history.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { GROUP_RECIPIENT } from '../../../src/format/wire/recipient-table.ts';
import type { OwnSharingKey, UiContact, UiGroup } from '../../../src/rpc/methods/ui-contacts.ts';
import { verificationOf } from '../../../src/service/sharing/verification.ts';
import { GROUP_PROBLEMS, type AudienceGroup } from '../../views/audience/audience.ts';
import { changeFacts, type ChangeFacts, type PersonFacts } from './group-changes.ts';

/** A signing key of the user. */
export interface OwnSigner {
  readonly ref: string;
  /** "swp1.…" */
  readonly publicKey: string;
}

/** What the user has, by which members are recognized. */
export interface KnownKeys {
  readonly own: readonly OwnSharingKey[];
  readonly signers: readonly OwnSigner[];
  readonly contacts: readonly UiContact[];
}

/** A group, by all epochs of it that are kept. */
export interface GroupFacts extends AudienceGroup {
  /** "swge1.…" each, from the oldest to the newest. */
  readonly epochs: readonly string[];
  /** The user first, then contacts by name, then others. */
  readonly members: readonly PersonFacts[];
  /** Whether admins changed it at the same time, and one of them has to join that before the next change. */
  readonly isForked: boolean;
  /** Whether nothing can be sealed for it before that. */
  readonly isWaiting: boolean;
  /** The keys by which members are admins, "swp1.…". */
  readonly adminKeys: readonly string[];
  /** The signing key by which the user is an admin; undefined if the user is not one. */
  readonly signer: string | undefined;
  /** Whether the user made it. No other maker is proven: an epoch can name anybody's key as a member and admin. */
  readonly isOwn: boolean;
  /** Six words of the group's id. */
  readonly words: readonly number[];
  /** What was changed, from the first epoch to the newest; worked out at each call. */
  readonly changes: () => readonly ChangeFacts[];
}

/**
 * What is known of a group.
 *
 * @throws EnvelopeError for epochs that do not hold, which the background does not keep
 */
export async function groupFacts(
  { id, name, epochs: kept }: UiGroup,
  { own, signers, contacts }: KnownKeys,
): Promise<GroupFacts> {
  const group = parseGroupId(id);
  const parsed = await Promise.all(kept.map(({ text }) => parseEpochText(text)));
  const history = await GroupHistory.check(parsed, { group });
  const isUser = (member: GroupMember) =>
    own.some(({ publicKey }) => publicKey === memberText(member));
  const personOf = (member: GroupMember): PersonFacts => {
    const publicKey = memberText(member);
    return {
      publicKey,
      isAdmin: member.adminKey !== undefined,
      isUser: isUser(member),
      contact: contacts.find((each) => each.publicKey === publicKey),
      words: verificationOf(MEMBER_KEY.type, member.publicKey).words,
    };
  };
  const adminKeys = history.members.flatMap(({ adminKey }) => adminText(adminKey));
  const members = history.members.map(personOf).sort(byName);
  const [maker] = adminText(history.epochs[0]!.signer);
  const problem = problemOf(history, isUser);
  const isMember = problem !== 'left';
  const times = new Map(parsed.map(({ digest }, at) => [toHex(digest), kept[at]!.at]));
  return {
    id,
    name,
    epochs: history.epochs.map(epochText),
    members,
    isForked: history.settled === undefined,
    isWaiting: isMember && problem !== undefined,
    problem: problem && GROUP_PROBLEMS[problem],
    adminKeys,
    signer: isMember
      ? signers.find(({ publicKey }) => adminKeys.includes(publicKey))?.ref
      : undefined,
    isOwn: signers.some(({ publicKey }) => publicKey === maker),
    words: verificationOf(GROUP_RECIPIENT, group).words,
    changes: () => changeFacts(history, times, personOf),
  };
}

const memberText = ({ publicKey: bytes }: GroupMember): string =>
  publicKeyText({ type: MEMBER_KEY.name, bytes });

const adminText = (key: Uint8Array | undefined): string[] =>
  key ? [publicKeyText({ type: 'Ed25519', bytes: key })] : [];

function byName(a: PersonFacts, b: PersonFacts): number {
  const rank = ({ isUser, contact }: PersonFacts) => (isUser ? 0 : contact ? 1 : 2);
  return rank(a) - rank(b) || (a.contact?.name ?? '').localeCompare(b.contact?.name ?? '');
}
