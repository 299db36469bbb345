/** The bits of an integer in the opposite order: BitRev₇ and BitRev₈ of FIPS 203 and FIPS 204. */
export function bitReversed(integer: number, bits: number): number {
  let reversed = 0;
  for (let i = 0; i < bits; i++) reversed = (reversed << 1) | ((integer >> i) & 1);
  return reversed;
}
