/*
 * How one epoch follows another, and what a device makes of epochs that it is shown. An epoch is signed by a member of the
 * one before it: a removed member knows an old sync key, and could otherwise make one that the others take.
 */
import { equal, toHex } from '../../crypto/bytes.ts';
import { isSigned } from '../../format/recipients/signature.ts';
import { EpochError, signedBytes, statementIn } from './epoch.ts';
import type { EpochLink, WrappedKey } from './epoch.ts';
import type { Signer } from './members.ts';

/**
 * Checks that an epoch is the first of a circle: signed by one of its own members.
 *
 * @throws EpochError where it is not; EnvelopeError UNSUPPORTED where the platform has no Ed25519
 */
export async function checkFirstEpoch(epoch: EpochLink): Promise<void> {
  if (epoch.number !== 1) throw new EpochError();
  await checkSignature(epoch, epoch.members);
}

/**
 * Checks that an epoch follows another one: the next number, the parent's digest, and the signature of a member of it.
 *
 * @throws EpochError where it does not; EnvelopeError UNSUPPORTED where the platform has no Ed25519
 */
export async function checkNextEpoch(parent: EpochLink, child: EpochLink): Promise<void> {
  const isNext = child.number === parent.number + 1 && equal(child.parent, parent.digest);
  if (!isNext) throw new EpochError();
  await checkSignature(child, parent.members);
}

/** What epochs from elsewhere are to a device. */
export type Succession =
  /** The same newest one. */
  | 'same'
  /** The newest one there is one that this device has followed before: a replay, or a device that slept. */
  | 'older'
  /** They lead on from the newest one here. */
  | 'newer'
  /** Both lead on from one epoch, in two ways. The person says which one holds; until then nothing is taken. */
  | 'forked'
  /** No epoch is in both, nor the next of one in the other: another circle, or too many epochs were missed. */
  | 'unconnected';

/**
 * Compares two chains, and checks what is new in the other. Each is the epochs of one line without a gap, the oldest first.
 *
 * @param own the chain that this device has followed, which is not checked again
 * @param other what it was shown: at least the newest one
 * @throws EpochError where one in `other` that counts does not follow the one before it
 */
export async function successionOf(
  own: readonly EpochLink[],
  other: readonly EpochLink[],
): Promise<Succession> {
  const newest = other.at(-1);
  const current = own.at(-1);
  if (newest === undefined || current === undefined) throw new RangeError('epochs: at least one');
  if (equal(newest.digest, current.digest)) return 'same';
  if (placeOf(newest.digest, own) >= 0) return 'older';
  const { base, theirs } = partingOf(own, other);
  if (base === undefined) return 'unconnected';
  let parent = base;
  for (const child of theirs) {
    await checkNextEpoch(parent, child);
    parent = child;
  }
  return base === current ? 'newer' : 'forked';
}

/** Whether one epoch holds where no chain says it: the later one; of one number, that with the lesser commitment. */
export const outranks = (one: RankedEpoch, other: RankedEpoch): boolean =>
  one.number === other.number
    ? toHex(one.commitment) < toHex(other.commitment)
    : one.number > other.number;

type RankedEpoch = Pick<WrappedKey, 'number' | 'commitment'>;

/** Which of two chains holds that have parted. */
export interface Settled {
  readonly holds: 'own' | 'other';
  /** The last epoch that is in both. */
  readonly base: EpochLink;
}

/**
 * Which of two chains that have parted holds, where they differ in openers alone: all devices decide alike, so no person has to.
 * All epochs since they parted have the same devices, and one of these has signed each. So neither a device that one side has
 * removed, nor a code, can make an epoch that is taken in this way. The one holds whose first epoch has the lesser commitment.
 *
 * @param other what `successionOf` has checked, and says is forked
 * @returns undefined where the person decides
 */
export function settledFork(
  own: readonly EpochLink[],
  other: readonly EpochLink[],
): Settled | undefined {
  const { base, ours, theirs } = partingOf(own, other);
  const [first, second] = [ours[0], theirs[0]];
  if (!base || !first || !second) return undefined;
  const devices = devicesOf(first);
  const isOfDevices = (epoch: EpochLink): boolean =>
    devices.has(toHex(epoch.signer)) && isSame(devices, devicesOf(epoch));
  if (![...ours, ...theirs].every(isOfDevices)) return undefined;
  return { holds: outranks(first, second) ? 'own' : 'other', base };
}

/** The last epoch that is in both, or else the parent of the oldest one that was shown; and what follows it in each. */
function partingOf(own: readonly EpochLink[], other: readonly EpochLink[]) {
  const shared = other.findLastIndex(({ digest }) => placeOf(digest, own) >= 0);
  const at = placeOf(shared < 0 ? other[0]!.parent : other[shared]!.digest, own);
  return { base: own[at], ours: own.slice(at + 1), theirs: other.slice(shared + 1) };
}

/** The devices among the members, by their ids: their keys and names. */
const devicesOf = ({ members }: EpochLink): ReadonlyMap<string, string> =>
  new Map(
    members
      .filter(({ kind }) => kind === 'device')
      .map(({ id, ed25519, name }) => [toHex(id), `${toHex(ed25519)} ${name}`]),
  );

const isSame = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([id, device]) => b.get(id) === device);

const placeOf = (digest: Uint8Array, epochs: readonly EpochLink[]): number =>
  epochs.findIndex((epoch) => equal(epoch.digest, digest));

async function checkSignature(epoch: EpochLink, signers: readonly Signer[]): Promise<void> {
  const signer = signers.find(({ id }) => equal(id, epoch.signer));
  if (signer === undefined) throw new EpochError();
  const signed = signedBytes(statementIn(epoch));
  if (!(await isSigned(signer.ed25519, epoch.signature, signed))) throw new EpochError();
}
