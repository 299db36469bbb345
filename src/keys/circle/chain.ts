/*
 * How one epoch follows another, and what a device makes of epochs that it is shown. An epoch is signed by a member of the
 * one before it: a removed member knows an old sync key, and could otherwise make one that the others take.
 */
import { equal } from '../../crypto/bytes.ts';
import { isSigned } from '../../format/recipients/signature.ts';
import { EpochError, signedBytes, statementIn } from './epoch.ts';
import type { EpochLink } from './epoch.ts';
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
  // The last epoch that is in both, or else the parent of the oldest one that was shown.
  const shared = other.findLastIndex(({ digest }) => placeOf(digest, own) >= 0);
  const base = own[placeOf(shared < 0 ? other[0]!.parent : other[shared]!.digest, own)];
  if (base === undefined) return 'unconnected';
  let parent = base;
  for (const child of other.slice(shared + 1)) {
    await checkNextEpoch(parent, child);
    parent = child;
  }
  return base === current ? 'newer' : 'forked';
}

const placeOf = (digest: Uint8Array, epochs: readonly EpochLink[]): number =>
  epochs.findIndex((epoch) => equal(epoch.digest, digest));

async function checkSignature(epoch: EpochLink, signers: readonly Signer[]): Promise<void> {
  const signer = signers.find(({ id }) => equal(id, epoch.signer));
  if (signer === undefined) throw new EpochError();
  const signed = signedBytes(statementIn(epoch));
  if (!(await isSigned(signer.ed25519, epoch.signature, signed))) throw new EpochError();
}
