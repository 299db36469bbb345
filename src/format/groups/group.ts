/*
 * What members do with the epochs of a group: open their keys, and seal to the newest. Which epochs hold is decided by
 * history.ts; admins make them (new-epoch.ts).
 */
import { equal, wipe } from '../../crypto/bytes.ts';
import type { Kem } from '../../engine/kem/kem.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import { EnvelopeError } from '../errors.ts';
import type { Identity, Recipient } from '../keys/data-key.ts';
import { groupRecipientOf, type EpochKey } from '../recipients/group-key.ts';
import { hpkeRecipient } from '../recipients/hpke.ts';
import { openEpochKeys, type EpochKeyDeps, type MemberIdentity } from './epoch-key.ts';
import type { MembersEpoch } from './epoch.ts';
import { MEMBER_KEY } from './group-id.ts';

/** What groups are made of. */
export interface GroupDeps {
  /** X-Wing. */
  readonly kem: Kem;
  readonly crypto: FormatCrypto;
  readonly random: RandomSource;
}

/** Those of the members' KEM, with their public keys. */
export async function membersAmong<I extends Identity>(
  identities: readonly I[],
  { kem }: Pick<GroupDeps, 'kem'>,
): Promise<(I & MemberIdentity)[]> {
  const members: (I & MemberIdentity)[] = [];
  for (const each of identities) {
    if (each.type !== MEMBER_KEY.type) continue;
    members.push({ ...each, publicKey: await kem.publicKey(each.key) });
  }
  return members;
}

/**
 * Opens the keys of these epochs for members, and the older keys that they give.
 *
 * @returns one for each epoch, to be wiped; an epoch's own key counts before one that an admin gave on
 */
export async function epochKeysOf(
  epochs: readonly MembersEpoch[],
  members: readonly MemberIdentity[],
  deps: GroupDeps,
): Promise<EpochKey[]> {
  const opened: EpochKey[][] = [];
  for (const epoch of epochs) opened.push(await openEpochKeys(epoch, members, keyDeps(deps)));
  const inOrder = [
    ...opened.flatMap(([first]) => first ?? []),
    ...opened.flatMap(([, ...old]) => old),
  ];
  const isFirst = ({ epoch }: EpochKey, at: number) =>
    inOrder.findIndex((each) => equal(each.epoch, epoch)) === at;
  wipe(...inOrder.filter((key, at) => !isFirst(key, at)).map(({ key }) => key));
  return inOrder.filter(isFirst);
}

/** What seals the keys of epochs to members, and opens them. */
export function keyDeps({ kem, crypto, random }: GroupDeps): EpochKeyDeps {
  return { crypto, hpke: hpkeRecipient(kem, crypto, random) };
}

/**
 * The recipients to which a message to the group is sealed. Each has a copy of a key, which the caller wipes.
 *
 * @param newest the newest epoch, or several where admins added members at the same time
 * @throws EnvelopeError NEEDS_KEY where a key is missing
 */
export function recipientsOfGroup(
  newest: readonly Pick<MembersEpoch, 'digest'>[],
  keys: readonly EpochKey[],
): Recipient[] {
  return newest.map(({ digest }) => {
    const key = keys.find(({ epoch }) => equal(epoch, digest));
    if (key) return groupRecipientOf([key]);
    throw new EnvelopeError('NEEDS_KEY', 'Only members seal to a group: no key here is of one');
  });
}
