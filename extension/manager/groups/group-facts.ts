import { EnvelopeError } from '../../../src/format/errors.ts';
import { epochText, parseEpochText } from '../../../src/format/groups/epoch.ts';
import { MEMBER_KEY, parseGroupId } from '../../../src/format/groups/group-id.ts';
import { GroupHistory } from '../../../src/format/groups/history.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { GROUP_RECIPIENT } from '../../../src/format/wire/recipient-table.ts';
import type { OwnSharingKey, UiContact, UiGroup } from '../../../src/rpc/methods/ui-contacts.ts';
import { verificationOf } from '../../../src/service/sharing/verification.ts';
import type { AudienceGroup } from '../../views/audience/audience.ts';

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

/** One member, as the user knows them. */
export interface MemberFacts {
  /** "swp1.…" */
  readonly publicKey: string;
  readonly isAdmin: boolean;
  readonly isUser: boolean;
  /** The contact who has this key. */
  readonly contact: UiContact | undefined;
  /** Six words of the key: places in EFF's list. */
  readonly words: readonly number[];
}

/** A group, by all epochs of it that are kept. */
export interface GroupFacts extends AudienceGroup {
  /** "swge1.…" each, from the oldest to the newest. */
  readonly epochs: readonly string[];
  /** The user first, then contacts by name, then others. */
  readonly members: readonly MemberFacts[];
  readonly isWaiting: boolean;
  /** The signing key by which the user is an admin; undefined if the user is not one. */
  readonly signer: string | undefined;
  /** Whether the user made it. No other maker is proven: an epoch can name anybody's key as a member and admin. */
  readonly isOwn: boolean;
  /** Six words of the group's id. */
  readonly words: readonly number[];
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
  const admins = new Set(history.members.flatMap(({ adminKey }) => adminText(adminKey)));
  const members = history.members.map(({ publicKey: bytes, adminKey }) => {
    const publicKey = publicKeyText({ type: MEMBER_KEY.name, bytes });
    return {
      publicKey,
      isAdmin: adminKey !== undefined,
      isUser: own.some((each) => each.publicKey === publicKey),
      contact: contacts.find((each) => each.publicKey === publicKey),
      words: verificationOf(MEMBER_KEY.type, bytes).words,
    };
  });
  const [maker] = adminText(history.epochs[0]!.signer);
  const isWaiting = !canSeal(history);
  const isMember = members.some(({ isUser }) => isUser);
  const problem = !isMember ? 'groupLeft' : isWaiting ? 'groupWaiting' : undefined;
  return {
    id,
    name,
    epochs: history.epochs.map(epochText),
    members: members.sort(byName),
    isWaiting,
    problem,
    signer: isMember ? signers.find(({ publicKey }) => admins.has(publicKey))?.ref : undefined,
    isOwn: signers.some(({ publicKey }) => publicKey === maker),
    words: verificationOf(GROUP_RECIPIENT, group).words,
  };
}

const adminText = (key: Uint8Array | undefined): string[] =>
  key ? [publicKeyText({ type: 'Ed25519', bytes: key })] : [];

function canSeal(history: GroupHistory): boolean {
  try {
    return history.newest().length > 0;
  } catch (error) {
    if (error instanceof EnvelopeError && error.code === 'NEEDS_KEY') return false;
    throw error;
  }
}

function byName(a: MemberFacts, b: MemberFacts): number {
  const rank = ({ isUser, contact }: MemberFacts) => (isUser ? 0 : contact ? 1 : 2);
  return rank(a) - rank(b) || (a.contact?.name ?? '').localeCompare(b.contact?.name ?? '');
}
