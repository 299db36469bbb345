/* What admins do with the epochs of a group: make the first one, and those that follow it. */
import { equal, wipe } from '../../crypto/bytes.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import type { EpochKey } from '../recipients/group-key.ts';
import type { MessageSigner } from '../recipients/signature.ts';
import { commitmentOf, contextOf, withOldKeyAead, type EpochKeyDeps } from './epoch-key.ts';
import {
  compareBytes,
  signEpoch,
  type Epoch,
  type EpochContent,
  type EpochMember,
  type EpochPlace,
  type GroupMember,
  type OldKey,
} from './epoch.ts';
import { keyDeps, type GroupDeps } from './group.ts';
import type { EpochBasis, GroupHistory } from './history.ts';

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
  epoch: NewEpoch,
  signer: MessageSigner,
  deps: GroupDeps,
): Promise<Epoch> {
  const key = deps.random.bytes(EPOCH_KEY_BYTES);
  try {
    return await signEpoch(await newContent(epoch, key, deps), signer);
  } finally {
    wipe(key);
  }
}

/**
 * What the admin of a new epoch signs.
 *
 * @param key of the epoch, 32 random bytes
 * @throws RangeError for a public key that is not one
 */
export async function newContent(
  { basis = { parents: [], number: 0 }, group = NO_GROUP, members, oldKeys = [] }: NewEpoch,
  key: Uint8Array,
  deps: GroupDeps,
): Promise<EpochContent> {
  // In the order of the epoch's bytes: keys are bound to it.
  const parents = [...basis.parents].sort(compareBytes);
  const place = { group, number: basis.number, parents };
  return {
    ...place,
    commitment: await commitmentOf(key, place, deps.crypto),
    oldKeys: await Promise.all(oldKeys.map((old) => sealOldKey(key, old, deps.crypto))),
    members: await wrapsFor(key, place, members, keyDeps(deps)),
  };
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
 * @throws RangeError for a change while the group waits for such an epoch, for adding a member, removing one who is not, and
 *   for one after which there is no admin
 */
export async function nextEpoch(
  history: GroupHistory,
  change: GroupChange,
  signer: MessageSigner,
  deps: GroupDeps,
): Promise<Epoch> {
  return makeEpoch(following(history, change), signer, deps);
}

/** The next epoch of a group, to be made. @throws RangeError as `nextEpoch` */
export function following(
  history: GroupHistory,
  { add = [], remove = [], oldKeys }: GroupChange,
): NewEpoch {
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
  const members = [...staying, ...add];
  if (remove.length > 0 && !members.some(({ adminKey }) => adminKey)) {
    throw new RangeError('remove: no admin is left; make another member an admin first');
  }
  const { group } = history;
  return { basis, group, members, oldKeys };
}

/** Seals the key of an epoch to each member, one after the other. */
async function wrapsFor(
  key: Uint8Array,
  place: EpochPlace,
  members: readonly GroupMember[],
  { hpke }: EpochKeyDeps,
): Promise<EpochMember[]> {
  const wrapped: EpochMember[] = [];
  for (const member of members) {
    const wrap = await hpke.wrap(member.publicKey, key, contextOf(place, member));
    wrapped.push({ ...member, wrap });
  }
  return wrapped;
}

/** Seals the key of an older epoch under that of a new one. */
async function sealOldKey(
  key: Uint8Array,
  old: Pick<EpochKey, 'epoch' | 'key'>,
  crypto: FormatCrypto,
): Promise<OldKey> {
  const sealed = await withOldKeyAead(key, old.epoch, crypto, (aead, nonce) =>
    aead.seal(nonce, old.key),
  );
  return { epoch: old.epoch, sealed };
}
