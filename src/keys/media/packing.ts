/*
 * Which entries stand in which item. Each item has a range of positions, and holds every entry there: so it says by itself
 * up to which changes nothing of its range is missing. Ranges stay as they are while their entries fit. Where some do not,
 * as few items as possible that stand side by side share what they have evenly, which are two for most changes.
 */

/** What is placed: bytes at a position from 0 to 2^48 − 1. */
export interface Placed {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** The end of all ranges. */
export const POSITIONS = 2 ** 48;

/**
 * Places all of `units`, and says in which ranges.
 *
 * @param units in the order of their positions
 * @param starts where the range of each item begins, ascending from 0: as a medium has them, or undefined for a new one
 * @param room bytes of each item
 * @returns where each range begins now; undefined where they do not fit
 */
export function placed(
  units: readonly Placed[],
  starts: readonly number[] | undefined,
  items: number,
  room: number,
): readonly number[] | undefined {
  let ranges = starts ?? spread(units, 0, POSITIONS, items, room);
  while (ranges !== undefined) {
    const over = ranges.findIndex((_, at) => lengthIn(units, rangeOf(ranges!, at)) > room);
    if (over < 0) return ranges;
    ranges = relieved(units, ranges, over, room);
  }
  return undefined;
}

/** The range of an item: from the first position on, up to the second. */
export const rangeOf = (starts: readonly number[], at: number): readonly [number, number] => [
  starts[at]!,
  starts[at + 1] ?? POSITIONS,
];

/** The units of a range. */
export const unitsIn = <T extends Placed>(
  units: readonly T[],
  [from, to]: readonly [number, number],
): readonly T[] => units.filter(({ position }) => position >= from && position < to);

const lengthOf = (units: readonly Placed[]): number =>
  units.reduce((total, { bytes }) => total + bytes.length, 0);

const lengthIn = (units: readonly Placed[], range: readonly [number, number]): number =>
  lengthOf(unitsIn(units, range));

/** The ranges, after the fewest items around `over` have shared what they hold; undefined where all together cannot. */
function relieved(
  units: readonly Placed[],
  starts: readonly number[],
  over: number,
  room: number,
): readonly number[] | undefined {
  for (let count = 2; count <= starts.length; count++) {
    const windows = Array.from({ length: count }, (_, back) => over - back)
      .filter((first) => first >= 0 && first + count <= starts.length)
      .map((first) => {
        const range = [starts[first]!, starts[first + count] ?? POSITIONS] as const;
        return { first, range, length: lengthIn(units, range) };
      });
    // The one with the most room.
    windows.sort((a, b) => a.length - b.length);
    for (const { first, range } of windows) {
      const shared = spread(units, ...range, count, room);
      if (shared) return [...starts.slice(0, first), ...shared, ...starts.slice(first + count)];
    }
  }
  return undefined;
}

/** Ranges of some items that share the units of a range evenly; undefined where they do not fit. */
function spread(
  units: readonly Placed[],
  from: number,
  to: number,
  items: number,
  room: number,
): readonly number[] | undefined {
  const all = unitsIn(units, [from, to]);
  const total = lengthOf(all);
  const starts = [from];
  let [before, filled] = [0, 0];
  for (const [at, { position, bytes }] of all.entries()) {
    const isSplit = position !== all[at - 1]?.position;
    // In the item in which the middle of the unit would lie, if all were cut evenly.
    const isNext = before + bytes.length / 2 > (total * starts.length) / items;
    const isFull = filled + bytes.length > room;
    if (isSplit && (isNext || isFull) && starts.length < items && at > 0) {
      starts.push(position);
      filled = 0;
    }
    filled += bytes.length;
    before += bytes.length;
    if (filled > room) return undefined;
  }
  // Ranges without units, at the end.
  while (starts.length < items) starts.push(to);
  return starts;
}
