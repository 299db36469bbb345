/* The epochs of a group in words, for `sealwright group show`. */
import { equal, toBase64url } from '../../crypto/bytes.ts';
import { EnvelopeError } from '../../format/errors.ts';
import type { Epoch, GroupMember } from '../../format/groups/epoch.ts';
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
  const before = new Map<string, Epoch>();
  const lines = [`group ${id}`];
  for (const epoch of history.epochs) {
    lines.push(...inLines(epoch, before));
    before.set(toBase64url(epoch.digest), epoch);
  }
  lines.push(`now  ${count(history.members)}`, ...history.members.map((each) => `  ${said(each)}`));
  return `${[...lines, newestIn(history)].join('\n')}\n`;
}

function inLines(epoch: Epoch, before: ReadonlyMap<string, Epoch>): string[] {
  const parents = epoch.parents.flatMap((digest) => before.get(toBase64url(digest)) ?? []);
  const head = `epoch ${epoch.number}  ${toBase64url(epoch.digest)}`;
  const signer = `  signed by ${adminText(epoch.signer)}`;
  if (parents.length > 1) {
    const numbers = parents.map(({ digest }) => toBase64url(digest)).join(' and ');
    return [head, signer, `  joins ${numbers}`];
  }
  const old = parents[0]?.members ?? [];
  const added = epoch.members.filter((member) => !isIn(old, member));
  const removed = old.filter((member) => !isIn(epoch.members, member));
  const isSame = added.length + removed.length === 0;
  return [
    head,
    signer,
    ...removed.map((member) => `  removes ${said(member)}`),
    ...added.map((member) => `  ${parents.length === 0 ? 'has' : 'adds'} ${said(member)}`),
    ...(isSame ? ['  changes the key alone'] : []),
    ...(epoch.oldKeys.length > 0 ? ['  gives new members the keys of older epochs'] : []),
  ];
}

function newestIn(history: GroupHistory): string {
  try {
    const names = history.newest().map(({ digest }) => toBase64url(digest));
    return `what is sealed now is for epoch ${names.join(' and ')}`;
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    return 'Senders wait: admins changed the group at the same time, and one of them has to join that';
  }
}

/** Whether a member is there in the same role. */
const isIn = (members: readonly GroupMember[], { publicKey, adminKey }: GroupMember): boolean =>
  members.some(
    (each) =>
      equal(each.publicKey, publicKey) &&
      (each.adminKey === undefined
        ? adminKey === undefined
        : adminKey !== undefined && equal(each.adminKey, adminKey)),
  );

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
