/**
 * The positions of the bytes of a state. ShiftRows never moves data: after round t of Nr, lane p contains the
 * state's byte σ^{Nr-t}(p), where σ is the permutation of one ShiftRows (FIPS 197, section 5.1.2). The result
 * is in natural order, the input is permuted into the order σ^Nr, and constants that refer to bytes of the
 * state (round keys, rows of MixColumns) are permuted instead. σ^4 is the identity: there are four orders.
 */

/** ShiftRows by k rounds: byte r + 4c of the new state is byte r + 4((c + k·r) mod 4) of the old. */
export function shifted(k: number, byte: number): number {
  const row = byte & 3;
  return row + 4 * (((byte >> 2) + k * row) & 3);
}

/** The state's byte in lane `lane` in order k. */
export const byteIn = shifted;

/** The lane of a state's byte in order k. */
export const laneOf = (k: number, byte: number): number => shifted(-k & 3, byte);

const LANES = Array.from({ length: 16 }, (_, lane) => lane);

/** Sixteen bytes, by lane. */
export const byLane = (value: (lane: number) => number): number[] => LANES.map(value);

/** A look-up that permutes natural order into order k. */
export const intoOrder = (k: number): number[] => byLane((lane) => byteIn(k, lane));

/** A look-up that permutes order k into natural order. */
export const outOfOrder = (k: number): number[] => byLane((byte) => laneOf(k, byte));

/** A look-up that moves row r + `rows` of each column to row r, in order k. */
export function rotated(k: number, rows: number): number[] {
  return byLane((lane) => {
    const byte = byteIn(k, lane);
    return laneOf(k, (byte & ~3) | ((byte + rows) & 3));
  });
}
