/*
 * Making the epochs of a group and opening their keys, for the library and the extension. What an epoch may be is decided by
 * history.ts.
 */
import { equal, wipe } from '../../crypto/bytes.ts';
import type { Kem } from '../../engine/kem/kem.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import { EnvelopeError } from '../errors.ts';
import type { Identity, Recipient } from '../keys/data-key.ts';
import { groupRecipientOf, type EpochKey } from '../recipients/group-key.ts';
import { hpkeRecipient } from '../recipients/hpke.ts';
import type { MessageSigner } from '../recipients/signature.ts';
import {
  commitmentOf,
  openEpochKeys,
  sealOldKey,
  wrapsFor,
  type EpochKeyDeps,
  type MemberIdentity,
} from './epoch-key.ts';
import { MEMBER_KEY, compareBytes, signEpoch, type Epoch, type GroupMember } from './epoch.ts';
import type { EpochBasis, GroupHistory } from './history.ts';

/** What groups are made of. */
export interface GroupDeps {
  /** X-Wing. */
  readonly kem: Kem;
  readonly crypto: FormatCrypto;
  readonly random: RandomSource;
}

/** A new epoch. */
export interface NewEpoch {
  /** What it follows; undefined for the first. */
  readonly basis?: Pick<EpochBasis, 'parents' | 'number'> | undefined;
  /** Digest of the group's first epoch, 32 bytes; undefined for the first. */
  readonly group?: Uint8Array | undefined;
  readonly members: readonly GroupMember[];
  /** Keys of older epochs that every member gets. */
  readonly oldKeys?: readonly EpochKey[] | undefined;
}

const NO_GROUP = new Uint8Array(32);
const EPOCH_KEY_BYTES = 32;

/**
 * Makes an epoch with a fresh key.
 *
 * @throws RangeError for a list of another length, repeats, and a public key that is not one
 */
export async function makeEpoch(
  { basis = { parents: [], number: 0 }, group = NO_GROUP, members, oldKeys = [] }: NewEpoch,
  signer: MessageSigner,
  deps: GroupDeps,
): Promise<Epoch> {
  const key = deps.random.bytes(EPOCH_KEY_BYTES);
  // In the order of the epoch's bytes: keys are bound to it.
  const parents = [...basis.parents].sort(compareBytes);
  const place = { group, number: basis.number, parents };
  try {
    const content = {
      ...place,
      commitment: await commitmentOf(key, place, deps.crypto),
      oldKeys: await Promise.all(oldKeys.map((old) => sealOldKey(key, old, deps.crypto))),
      members: await wrapsFor(key, place, members, keyDeps(deps)),
    };
    return await signEpoch(content, signer);
  } finally {
    wipe(key);
  }
}

/**
 * Opens the keys of these epochs for a member, and the older keys that they give.
 *
 * @returns one for each epoch, to be wiped; an epoch's own key counts before one that an admin gave on
 */
export async function epochKeysOf(
  epochs: readonly Epoch[],
  identities: readonly Identity[],
  deps: GroupDeps,
): Promise<EpochKey[]> {
  const own: MemberIdentity[] = [];
  for (const { type, key } of identities) {
    if (type === MEMBER_KEY.type) own.push({ type, key, publicKey: await deps.kem.publicKey(key) });
  }
  const opened: EpochKey[][] = [];
  for (const epoch of epochs) opened.push(await openEpochKeys(epoch, own, keyDeps(deps)));
  const inOrder = [
    ...opened.flatMap(([first]) => first ?? []),
    ...opened.flatMap(([, ...old]) => old),
  ];
  const isFirst = ({ epoch }: EpochKey, at: number) =>
    inOrder.findIndex((each) => equal(each.epoch, epoch)) === at;
  wipe(...inOrder.filter((key, at) => !isFirst(key, at)).map(({ key }) => key));
  return inOrder.filter(isFirst);
}

/** What an admin changes of a group. */
export interface GroupChange {
  readonly add?: readonly GroupMember[] | undefined;
  /** Public keys, 1,216 bytes each. */
  readonly remove?: readonly Uint8Array[] | undefined;
  /** Keys of older epochs that the new members get too. */
  readonly oldKeys?: readonly EpochKey[] | undefined;
}

/**
 * Makes the next epoch of a group; without a change one that joins what admins changed at the same time, or that only has a
 * fresh key.
 *
 * @throws RangeError for a change while the group waits for such an epoch, for one who is a member already, or is none
 */
export async function nextEpoch(
  history: GroupHistory,
  { add = [], remove = [], oldKeys }: GroupChange,
  signer: MessageSigner,
  deps: GroupDeps,
): Promise<Epoch> {
  const basis = history.basis();
  if (basis.parents.length > 1 && add.length + remove.length > 0) {
    throw new RangeError('change: first join what admins changed at the same time');
  }
  const isIn = (list: readonly GroupMember[], key: Uint8Array) =>
    list.some(({ publicKey }) => equal(publicKey, key));
  if (!remove.every((key) => isIn(basis.members, key))) {
    throw new RangeError('remove: one is not a member');
  }
  const staying = basis.members.filter(
    ({ publicKey }) => !remove.some((key) => equal(key, publicKey)),
  );
  if (add.some(({ publicKey }) => isIn(staying, publicKey))) {
    throw new RangeError('add: one is a member already');
  }
  const { group } = history;
  return makeEpoch({ basis, group, members: [...staying, ...add], oldKeys }, signer, deps);
}

function keyDeps({ kem, crypto, random }: GroupDeps): EpochKeyDeps {
  return { crypto, hpke: hpkeRecipient(kem, crypto, random) };
}

/**
 * The recipients to which a message to the group is sealed: the newest epoch, or several where admins added members at the
 * same time. Each has a copy of a key, which the caller wipes.
 *
 * @throws EnvelopeError NEEDS_KEY where a key is missing, and while admins have to join their changes
 */
export function recipientsOfGroup(history: GroupHistory, keys: readonly EpochKey[]): Recipient[] {
  return history.newest().map(({ digest }) => {
    const key = keys.find(({ epoch }) => equal(epoch, digest));
    if (key) return groupRecipientOf([key]);
    throw new EnvelopeError('NEEDS_KEY', 'Only members seal to a group: no key here is of one');
  });
}
