/*
 * How a device takes what others share, whatever it came over: which epoch holds, and what of it goes into the vault. Where it
 * lies, and when it is read, is of the exchanges that use this.
 */
import { equal, toHex, wipe } from '../../crypto/bytes.ts';
import { CIRCLE, DEVICE } from '../../keys/annotations/deletions.ts';
import { settledFork, successionOf } from '../../keys/circle/chain.ts';
import { syncKeyOf, type CircleParts } from '../../keys/circle/changes.ts';
import { circleRecord, type Circle } from '../../keys/circle/circle-record.ts';
import {
  hasMember,
  unlessEpochError,
  type Epoch,
  type EpochLink,
  type WrappedKey,
} from '../../keys/circle/epoch.ts';
import { changesSince, withChanges, type LeftChanges } from '../../keys/circle/membership.ts';
import { deviceOf, type Device } from '../../keys/devices/device-record.ts';
import { EMPTY_STATE, type SharedState } from '../../keys/devices/shared-state.ts';
import { isOfOne, type ItemKey } from '../../keys/media/items.ts';
import type { CircleOnMedium } from '../../keys/media/medium.ts';
import { sameJson } from '../../keys/values/json.ts';
import type { VaultDraft, VaultRecord } from '../../keys/vault/vault.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import { haveJoinedIn, noteJoinedIn } from '../vault/member-notes.ts';
import type { MergeRevokingIn } from '../vault/merged-states.ts';

/** Why nothing is taken of another epoch. */
export type EpochHindrance =
  /** A part of it is there, and the rest has not come yet. */
  | 'late'
  /** It does not reach this device: it was removed, or the epoch is of another circle. */
  | 'unreached'
  /** It follows one that this device knows otherwise than its own does, or no epoch that it knows. The person says which one holds. */
  | 'forked';

/** What an epoch is to this device. */
export type Found =
  | {
      readonly kind: 'newer';
      readonly circle: Circle;
      readonly syncKey: Uint8Array;
      /** Where another chain holds than the own one: what of the members this device makes anew, within the same commit. */
      readonly left: LeftChanges | undefined;
    }
  /** Of another chain, which does not hold. Its devices will follow this one. */
  | { readonly kind: 'settled' }
  | { readonly kind: EpochHindrance; readonly other: string };

/** What an epoch is compared with, and how it is opened. */
export interface Following {
  readonly own: Circle;
  readonly crypto: CircleParts;
  /** What lies there under a sync key; `isWhole`: nothing of it is missing. */
  readonly open: (
    key: ItemKey,
  ) => Promise<Pick<CircleOnMedium, 'links' | 'epoch'> & { readonly isWhole: boolean }>;
  /** The epoch that the person has chosen over the own one (`nameOf`). */
  readonly accepted: string | undefined;
}

/** What names an epoch to the person's choice: its commitment as hex. */
export const nameOf = ({ commitment }: Pick<WrappedKey, 'commitment'>): string => toHex(commitment);

/** More than a person chooses between. */
const REFUSED_MAX = 16;

/**
 * The epochs that the person has chosen against, after a choice (`nameOf`).
 *
 * @param names against which the choice was
 * @param accepted an epoch that is refused no longer
 */
export const refusing = (
  refused: readonly string[],
  names: readonly string[],
  accepted?: string,
): readonly string[] =>
  [...refused.filter((each) => !names.includes(each) && each !== accepted), ...names].slice(
    -REFUSED_MAX,
  );

/** There is nothing to exchange without a circle. */
export const withoutOthers = (): SealwrightError =>
  new SealwrightError('INVALID_ARGUMENT', 'There is no other device: pair one first');

/**
 * Compares an epoch with the own one.
 *
 * @param box of an epoch that this device has not followed, with all wraps
 * @returns for a newer one with its sync key, which the caller wipes
 */
export async function compareEpoch(box: WrappedKey, following: Following): Promise<Found> {
  const { own, crypto } = following;
  const syncKey = await unlessEpochError(syncKeyOf(box, own.pair, crypto));
  if (!syncKey) return { kind: 'unreached', other: nameOf(box) };
  let found: Found | undefined;
  try {
    found = await compareReached(box, syncKey, following);
    return found;
  } finally {
    if (found?.kind !== 'newer') wipe(syncKey);
  }
}

async function compareReached(
  box: WrappedKey,
  syncKey: Uint8Array,
  { own, open, accepted }: Following,
): Promise<Found> {
  const other = nameOf(box);
  const { links, epoch, isWhole } = await open({ ...box, syncKey });
  const shown = epoch && isOfOne(epoch, box) ? [...links.slice(0, -1), epoch] : undefined;
  const known = [...own.links, own.epoch];
  const succession = shown && (await unlessEpochError(successionOf(known, shown)));
  // The link that leads from the own epoch to this one may be in a part that has not come.
  const isPart = succession === 'unconnected' && !isWhole;
  if (!shown || !epoch || !succession || isPart) return { kind: 'late', other };
  if (!hasMember(epoch, own.pair.id)) return { kind: 'unreached', other };
  const isTaken = succession === 'newer' || accepted === other;
  const settled = isTaken ? undefined : settledFork(known, shown);
  if (!isTaken && !settled) return { kind: 'forked', other };
  if (settled?.holds === 'own') return { kind: 'settled' };
  const circle = { pair: own.pair, links: followed(known, shown).slice(0, -1), epoch };
  return { kind: 'newer', circle, syncKey, left: settled && changesSince(settled.base, own.epoch) };
}

/** What a run takes into the vault. */
export interface Taken {
  readonly states: readonly SharedState[];
  /** The circle as it was read: where another one is there now, nothing is taken. */
  readonly record: VaultRecord;
  /** The newest epoch in it. */
  readonly known: Epoch;
  /** The circle that this device goes on with. */
  readonly circle: Circle;
  /** The members that were heard of, as hex. */
  readonly present: readonly string[];
}

/**
 * Takes an epoch and states, within a commit.
 *
 * @param now ms since the epoch
 * @returns this device after it; undefined where it is in another circle meanwhile
 * @throws SharedStateError where the states are nothing that a vault can hold
 */
export async function takeIn(
  draft: VaultDraft,
  mergeRevokingIn: MergeRevokingIn,
  { states, record, known, circle, present }: Taken,
  now: number,
): Promise<Device | undefined> {
  const [before, after] = [await draft.get(CIRCLE), circleRecord(circle)];
  const isTaken = before !== undefined && isSame(before, after);
  if (!isTaken && (before === undefined || !isSame(before, record))) return undefined;
  // Of nothing as well: what this device says is then a part of its state.
  for (const state of [EMPTY_STATE, ...states]) await mergeRevokingIn(draft, state);
  if (!isTaken) {
    draft.put(after);
    await noteJoinedIn(draft, known, now);
  }
  await haveJoinedIn(draft, present);
  return deviceOf((await draft.get(DEVICE))!);
}

/**
 * Makes anew what was changed of the members in chains that hold no more, within the commit that follows another one.
 *
 * @returns the circle that this device goes on with
 */
export async function withLeftIn(
  draft: VaultDraft,
  followed: Circle,
  left: readonly LeftChanges[],
  crypto: CircleParts,
): Promise<Circle> {
  let circle = followed;
  for (const changes of left) circle = await withChanges(circle, changes, crypto);
  if (circle !== followed) draft.put(circleRecord(circle));
  return circle;
}

const isSame = (a: VaultRecord, b: VaultRecord): boolean => sameJson(a.value, b.value);

/** One chain of what this device knows and what it was shown. */
function followed(known: readonly EpochLink[], shown: readonly (EpochLink | Epoch)[]) {
  const [first] = shown;
  const same = known.findIndex(({ digest }) => equal(digest, first!.digest));
  const parent = known.findIndex(({ digest }) => equal(digest, first!.parent));
  return [...known.slice(0, same >= 0 ? same : parent + 1), ...shown];
}
