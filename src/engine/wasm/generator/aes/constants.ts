/** The constants in the memory of the AES module, with their offsets. */
import type { ModuleText } from '../dsl/module.ts';
import { byLane, byteIn, intoOrder, laneOf, outOfOrder, rotated } from './state.ts';
import { HOLD_HIGH, HOLD_LOW, INVERSE, ONCE, PLAIN, QUOTIENT, TWICE } from './tower.ts';
import { SECRETS } from './layout.ts';

const ORDERS = [0, 1, 2, 3];
const bytes: number[] = [];

/** @returns the offset of the vectors, which are stored one after the other */
function place(...vectors: readonly (readonly number[])[]): number {
  const offset = bytes.length;
  bytes.push(...vectors.flat());
  return offset;
}

const filled = (byte: number): number[] => byLane(() => byte);

// Permutations, by order of lanes (16 bytes for each order)
/** By order: from the order of FIPS 197 into that order of lanes. */
export const INTO_ORDER = place(...ORDERS.map(intoOrder));
/** By order: from that order of lanes back into the order of FIPS 197. */
export const OUT_OF_ORDER = place(...ORDERS.map(outOfOrder));
/** By order: rows rotated by one, by two and by three. */
export const ROTATIONS = place(...ORDERS.flatMap((k) => [1, 2, 3].map((rows) => rotated(k, rows))));
/** Bytes of the three rotations of one order. */
export const ROTATIONS_BYTES = 48;

// Vector permutation (tower.ts)
/** 0x0f in every byte. */
export const LOW_NIBBLES = place(filled(0x0f));
/** 0x63 in every byte: the constant of SubBytes. */
export const AFFINE = place(filled(0x63));
/**
 * Look-up tables from the standard representation into the tower field: low nibble, high nibble.
 */
export const HOLD = place(HOLD_LOW, HOLD_HIGH);
/** Look-up tables of the inversion in the tower field. */
export const INVERSION = place(INVERSE, QUOTIENT);
/** Look-up tables of S(x) ⊕ 0x63 in the tower representation. */
export const OUTPUT_ONCE = place(ONCE.io, ONCE.jo);
/** The same, multiplied by 2 for MixColumns. */
export const OUTPUT_TWICE = place(TWICE.io, TWICE.jo);
/** The same, multiplied by 3 for MixColumns. */
export const OUTPUT_THRICE = place(
  ONCE.io.map((once, n) => once ^ TWICE.io[n]!),
  ONCE.jo.map((once, n) => once ^ TWICE.jo[n]!),
);
/** Look-up tables of S(x) ⊕ 0x63 in the standard representation, for the last round. */
export const OUTPUT_PLAIN = place(PLAIN.io, PLAIN.jo);

// Bit planes: 1 << i in all lanes, and the masks of the transposition
/** By bit i: 1 << i in every byte. */
export const BITS = place(...[0, 1, 2, 3, 4, 5, 6, 7].map((i) => filled(1 << i)));
/** Masks of the three steps that transpose bytes into bit planes. */
export const SWAP_MASKS = place(filled(0x55), filled(0x33), filled(0x0f));

/*
 * Counter mode (counter.ts). Two kinds of counter blocks: `last`, whose byte 15 is the lowest byte of the
 * counter (CTR, GCM), and `first`, where it is byte 0 (GCM-SIV). Constants of `last` come first.
 */
const COUNTING = [15, 0];
/** The bits of the counter byte within a group of 8 blocks, and of the group in its lane. */
export const COUNT_PLANES = place(
  filled(0xaa),
  filled(0xcc),
  filled(0xf0),
  ...[0, 1, 2, 3].map((bit) => byLane((lane) => ((lane >> bit) & 1) * 0xff)),
);
/** Kind by order: all bytes except the counting one. */
export const ALL_BUT_COUNT = place(
  ...COUNTING.flatMap((byte) =>
    ORDERS.map((k) => byLane((lane) => keep(byteIn(k, lane) !== byte))),
  ),
);
/** By order: all but column 0, to which ShiftRows moves either of those bytes in round 1. */
export const ALL_BUT_COLUMN = place(
  ...ORDERS.map((k) => byLane((lane) => keep(byteIn(k, lane) >= 4))),
);
/** By order: column 0, four times: lane 4g + r from row r. */
export const GATHER_COLUMN = place(...ORDERS.map((k) => byLane((lane) => laneOf(k, lane & 3))));
/** By quarter q: lane 4g + r from lane 4q + g, which holds the counters 8(4q + g) … */
export const GATHER_COUNTS = place(
  ...[0, 1, 2, 3].map((q) => byLane((lane) => 4 * q + (lane >> 2))),
);
/**
 * By kind: the rows in which MixColumns adds the byte an odd number of times (once or three times), and
 * doubled.
 */
export const COUNT_FACTORS = place(
  ...COUNTING.flatMap((byte) => [
    byLane((lane) => keep(factor(lane & 3, byte & 3) !== 2)),
    byLane((lane) => keep(factor(lane & 3, byte & 3) !== 1)),
  ]),
);
/**
 * By order: the varying column after ShiftRows of round 2, spread by MixColumns: for the group at lanes 0 …
 * 3, the odd and the doubled contributions. Lanes without a contribution look up 0 for all groups.
 */
export const SPREAD = place(
  ...ORDERS.flatMap((k) => [
    byLane((lane) => spread(byteIn(k, lane), (f) => f !== 2)),
    byLane((lane) => spread(byteIn(k, lane), (f) => f !== 1)),
  ]),
);

/** Reverses the order of bytes. */
export const REVERSE = place(byLane((lane) => 15 - lane));
/** Leaves the order of bytes as it is. */
export const IDENTITY = place(byLane((lane) => lane));

/*
 * GHASH and POLYVAL (ghash.ts), by nibbles. The reduction of a product's low byte b at position j adds at
 * positions j + 15 and j + 16: b · (x^121 + x^126 + x^127 + x^128).
 */
const NIBBLES = byLane((nibble) => nibble);
const reduced = (b: number): number => (b << 1) ^ (b << 6) ^ (b << 7) ^ (b << 8);
/** Look-up tables of the reduction polynomial: low byte, high byte, each by low and high nibble. */
export const REDUCTION = place(
  ...[0, 8].flatMap((shift) =>
    [0, 4].map((half) => NIBBLES.map((n) => (reduced(n << half) >> shift) & 0xff)),
  ),
);
/** The square of a nibble: a zero between its bits. */
export const SQUARES = place(
  NIBBLES.map((n) => (n & 1) | ((n & 2) << 1) | ((n & 4) << 2) | ((n & 8) << 3)),
);
/** Doubling: the targets of carries; big-endian (OCB), and little-endian with the reduction (POLYVAL). */
export const CARRY = place(byLane((lane) => (lane < 15 ? 1 : 0x87)));
/** Doubling in POLYVAL's field: the carry of each byte, and the reduction. */
export const CARRY_POLYVAL = place(
  byLane(() => 1),
  byLane((lane) => (lane < 15 ? 0 : 0xc2)),
);

function keep(condition: boolean): number {
  return condition ? 0xff : 0;
}

/** Factor of row `from` in row `to` of a column in MixColumns (FIPS 197, equation 5.6): 2, 3, 1, 1. */
function factor(to: number, from: number): number {
  return [2, 3, 1, 1][(from - to) & 3]!;
}

/** Row r of column 0 is in column -r after ShiftRows: the source of each byte of the state. */
function spread(byte: number, wanted: (factor: number) => boolean): number {
  const from = -(byte >> 2) & 3;
  return wanted(factor(byte & 3, from)) ? from : 0x80;
}

/** Puts the constants into a module. */
export function placeConstants(module: ModuleText): void {
  if (bytes.length > SECRETS) throw new Error('the constants overflow into the secrets');
  module.data(0, bytes);
}
