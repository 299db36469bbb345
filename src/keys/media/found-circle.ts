/*
 * What a recovery code or a passkey finds on a medium in a browser that has followed no epoch: the circle and its state, checked
 * as far as that is possible. A medium that keeps all of an old circle is not told from one that holds the newest.
 */
import { wipe } from '../../crypto/bytes.ts';
import { syncKeyOf } from '../circle/changes.ts';
import type { CircleParts } from '../circle/changes.ts';
import type { Circle } from '../circle/circle-record.ts';
import { EpochError } from '../circle/epoch.ts';
import type { WrappedKey } from '../circle/epoch.ts';
import { MEMBERS_MAX } from '../circle/members.ts';
import type { MemberPair } from '../circle/members.ts';
import { openCircle } from '../circle/membership.ts';
import type { SharedState } from '../devices/shared-state.ts';
import { SharedStateError } from '../devices/state-text.ts';
import { BOXES, haveLengths, isOfOne, ITEM_NAMES, wrappedKeysIn } from './items.ts';
import { circleOf, openItems, stateOf } from './medium.ts';

/** Why nothing is taken of a medium. */
export type MediumFault =
  /** It holds nothing. */
  | 'empty'
  /** The secret is of no member: it was replaced, or the items are of another circle. */
  | 'unopened'
  /** A part is missing, or of an older epoch than the rest: it has not come yet, or was put back. */
  | 'late'
  /** It shows two epochs of one number. A device on which the person chooses one settles it. */
  | 'forked'
  /** No device makes such items: they are damaged, forged, too long, or of a later version. */
  | 'refused';

/** Nothing is taken of a medium. */
export class FoundCircleError extends Error {
  override readonly name = 'FoundCircleError';
  readonly fault: MediumFault;

  constructor(fault: MediumFault) {
    super(`nothing is taken of the medium: ${fault}`);
    this.fault = fault;
  }
}

/** What was found. */
export interface FoundCircle {
  /** With the pair that was given. */
  readonly circle: Circle;
  readonly state: SharedState;
}

/**
 * Opens what a medium holds.
 *
 * @param texts of the medium, by name
 * @param pair of an opener, which is a part of the result
 * @throws FoundCircleError unless all items are there, of one epoch, which reaches this member
 */
export async function findCircle(
  texts: ReadonlyMap<string, string>,
  pair: MemberPair,
  parts: CircleParts,
): Promise<FoundCircle> {
  if (texts.size === 0) throw new FoundCircleError('empty');
  if (!haveLengths(texts)) throw new FoundCircleError('refused');
  const box = oneBoxOf(texts);
  const isHalf = box.wraps.length < MEMBERS_MAX;
  const opening = () => syncKeyOf(box, pair, parts);
  const syncKey = await unlessFault(isHalf ? 'late' : 'unopened', opening);
  try {
    const items = await openItems(texts, { ...box, syncKey });
    if (!items.every((item) => item !== undefined)) throw new FoundCircleError('late');
    const { links, epoch } = circleOf(texts, items);
    if (!epoch || !isOfOne(epoch, box)) throw new FoundCircleError('refused');
    const found = { links: links.slice(0, -1), epoch };
    const circle = await unlessFault('refused', () => openCircle(found, pair, parts));
    return { circle, state: await unlessFault('refused', () => stateOf(items)) };
  } finally {
    wipe(syncKey);
  }
}

/** What the boxes say, where they are of one epoch. */
function oneBoxOf(texts: ReadonlyMap<string, string>): WrappedKey {
  const [box, other] = wrappedKeysIn(texts);
  const isThere = ITEM_NAMES.slice(0, BOXES).every((name) => texts.has(name));
  if (box === undefined) throw new FoundCircleError(isThere ? 'refused' : 'late');
  if (other) throw new FoundCircleError(other.number === box.number ? 'forked' : 'late');
  return box;
}

async function unlessFault<T>(fault: MediumFault, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isFault = error instanceof EpochError || error instanceof SharedStateError;
    throw isFault ? new FoundCircleError(fault) : error;
  }
}
