/* The epochs of a group in words, for `sealwright group show`. */
import { toBase64url } from '../../crypto/bytes.ts';
import { EnvelopeError } from '../../format/errors.ts';
import { changesIn, type EpochChange } from '../../format/groups/epoch-changes.ts';
import type { GroupMember } from '../../format/groups/epoch.ts';
import { MEMBER_KEY, parseGroupId } from '../../format/groups/group-id.ts';
import { GroupHistory } from '../../format/groups/history.ts';
import { fingerprintOf } from '../../format/recipients/sender.ts';
import { parsePublicKey, publicKeyText } from '../../format/wire/public-key.ts';
import type { StandardInput } from '../input.ts';
import { checkedAdminKey, inPlace, oneGroupOf, readGroupFiles } from './epoch-files.ts';
import type { EpochSource } from './epoch-files.ts';

/**
 * Checks the epochs of one group, without any key, and tells them from the oldest to the newest.
 *
 * @returns lines to print
 * @throws CommandError for an epoch that is forged or missing
 */
export async function groupInWords(source: EpochSource, input: StandardInput): Promise<string> {
  const read = await readGroupFiles(source, input);
  const id = oneGroupOf(read);
  const epochs = read.flatMap((file) => file.epochs);
  const trusted = source.trust.map((text) => parsePublicKey(checkedAdminKey(text)).bytes);
  const group = parseGroupId(id);
  const history = await inPlace(`Group ${id}`, () =>
    GroupHistory.check(epochs, { group, trusted }),
  );
  const lines = [`group ${id}`, ...changesIn(history).flatMap(inLines)];
  lines.push(`now  ${count(history.members)}`, ...history.members.map((each) => `  ${said(each)}`));
  return `${[...lines, newestIn(history)].join('\n')}\n`;
}

function inLines({ epoch, standing, ...change }: EpochChange, at: number): string[] {
  const { parents, oldKeys } = epoch;
  const isOldest = at === 0;
  const head = [
    `epoch ${epoch.number}  ${toBase64url(epoch.digest)}`,
    `  signed by ${adminText(epoch.signer)}`,
    ...(standing === 'counts' ? [] : [`  ${NO_EFFECT[standing]}`]),
  ];
  if (parents.length > 1 && !isOldest) {
    return [...head, `  joins ${parents.map(toBase64url).join(' and ')}`];
  }
  const changes = [
    ...change.removed.map((member) => `  removes ${said(member)}`),
    ...change.added.map((member) => `  ${isOldest ? 'has' : 'adds'} ${said(member)}`),
    ...change.newAdmins.map((member) => `  makes an admin of ${said(member)}`),
    ...change.formerAdmins.map((member) => `  ends the admin's right of ${said(member)}`),
  ];
  return [
    ...head,
    ...(changes.length > 0 ? changes : ['  changes the key alone']),
    ...(oldKeys.length > 0 ? ['  gives new members the keys of older epochs'] : []),
  ];
}

/** Of epochs that admins made at the same time (docs/design/groups.md). */
const NO_EFFECT = {
  void: 'does not count: its signer was not an admin, by what was changed at the same time',
  undecided: 'removes other admins alone: they removed each other at the same time',
} as const;

function newestIn(history: GroupHistory): string {
  try {
    const names = history.newest().map(({ digest }) => toBase64url(digest));
    return `what is sealed now is for epoch ${names.join(' and ')}`;
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    return 'Senders wait: admins changed the group at the same time, and one of them has to join that';
  }
}

function said({ publicKey, adminKey }: GroupMember): string {
  const admin = adminKey ? `, admin ${adminText(adminKey)}` : '';
  return `member ${toBase64url(fingerprintOf(MEMBER_KEY.type, publicKey))}${admin}`;
}

/** A key of Ed25519 is short enough to be shown whole. */
const adminText = (bytes: Uint8Array): string => publicKeyText({ type: 'Ed25519', bytes });

function count(members: readonly GroupMember[]): string {
  const admins = members.filter(({ adminKey }) => adminKey).length;
  return `members: ${members.length}, admins: ${admins}`;
}
