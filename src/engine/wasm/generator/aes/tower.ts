/**
 * The S-box of AES by look-ups of four bits, after Hamburg ("Accelerating AES with Vector Permute
 * Instructions", CHES 2009). All tables are computed here, from the field's definition.
 *
 * GF(2^8) is GF(2^4)[ζ] with ζ + ζ^16 = 1. With x = i·ζ + j·ζ^16, k = i + j and N = ζ·ζ^16, the norm is D =
 * N·k² + i·j, and 1/x = (j·ζ + i·ζ^16) / D. For a = 1/N the values
 *
 *     io = 1 / (1/i + a/k) + j        1/io = (N·k + i) / D
 *     jo = 1 / (1/j + a/k) + i        1/jo = (N·k + j) / D
 *
 * contain i/D and j/D as linear combinations, so that every linear function of 1/x, and so S(x) ⊕ 0x63, is a
 * table of io plus a table of jo. 1/0 is an index above 127: its look-up gives 0, also after four bits are
 * XORed to it.
 *
 * A byte is represented as (i, k): i in its high half, k in its low half.
 */
/** An index that looks up 0. */
const INFINITY = 0x80;

/** x · a in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, section 4.2). */
const xtime = (a: number): number => (a << 1) ^ ((a >> 7) * 0x11b);

/** The product in GF(2^8). */
export function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 0, power = a; bit < 8; bit++, power = xtime(power)) {
    if ((b >> bit) & 1) product ^= power;
  }
  return product;
}

const power = (x: number, exponent: number): number =>
  exponent === 0 ? 1 : multiply(x, power(x, exponent - 1));
/** 1/x, and 0 for 0. */
const invert = (x: number): number => power(x, 254);

/** S ⊕ 0x63 of the byte whose inverse is y: the sum of five rotations (FIPS 197, equation 5.1). */
function affine(y: number): number {
  const sum = y ^ (y << 1) ^ (y << 2) ^ (y << 3) ^ (y << 4);
  return (sum ^ (sum >> 8)) & 0xff;
}

const BYTES = Array.from({ length: 256 }, (_, x) => x);
const NIBBLES = BYTES.slice(0, 16);

// The subfield GF(2^4), and four linearly independent elements of it
const SUBFIELD = BYTES.filter((x) => power(x, 16) === x);
const BASIS = SUBFIELD.reduce<number[]>(
  (basis, x) => (span(basis).includes(x) ? basis : [...basis, x]),
  [],
);
function span(basis: readonly number[]): number[] {
  return basis.reduce((sums, x) => [...sums, ...sums.map((sum) => sum ^ x)], [0]);
}

const element = (nibble: number): number => span(BASIS)[nibble]!;
const nibble = (x: number): number => span(BASIS).indexOf(x);

const ZETA = BYTES.find((x) => (x ^ power(x, 16)) === 1)!;
const ZETA_BAR = power(ZETA, 16);
const NORM = multiply(ZETA, ZETA_BAR);

/** (i, k) of a byte. */
const HELD = new Map<number, number>();
for (const i of SUBFIELD) {
  for (const j of SUBFIELD) {
    HELD.set(multiply(i, ZETA) ^ multiply(j, ZETA_BAR), (nibble(i) << 4) | nibble(i ^ j));
  }
}
const hold = (x: number): number => HELD.get(x)!;

/** A table of 16 entries: `value` of an element, and `atZero` for 0. */
const table = (value: (x: number) => number, atZero: number): number[] =>
  NIBBLES.map((n) => (n === 0 ? atZero : value(element(n))));

/** Conversion to this representation: a look-up for each half; the results are XORed. */
export const HOLD_LOW = NIBBLES.map((n) => hold(n));
/** The same for the high nibble. */
export const HOLD_HIGH = NIBBLES.map((n) => hold(n << 4));

/** a / k of k. */
export const QUOTIENT = table((k) => nibble(multiply(invert(NORM), invert(k))), INFINITY);
/** 1 / i of i. */
export const INVERSE = table((i) => nibble(invert(i)), INFINITY);

/** The tables of io and of jo for a linear function of S(x) ⊕ 0x63. */
function outputs(linear: (s: number) => number): { readonly io: number[]; readonly jo: number[] } {
  // S ⊕ 0x63 is linear in 1/x, so the function is applied to each part of 1/x separately.
  const ofInverse = (y: number): number => linear(affine(y));
  const part = (own: number, other: number) => (index: number) => {
    const u = invert(index);
    const nu = multiply(NORM, u);
    return ofInverse(multiply(nu, own) ^ multiply(u ^ nu, other));
  };
  return { io: table(part(ZETA, ZETA_BAR), 0), jo: table(part(ZETA_BAR, ZETA), 0) };
}

/** S ⊕ 0x63 in the representation (i, k), twice that (for MixColumns), and in the standard representation. */
export const ONCE = outputs(hold);
/** Twice S(x) ⊕ 0x63, in the tower representation. */
export const TWICE = outputs((s) => hold(multiply(2, s)));
/** S(x) ⊕ 0x63 in the standard representation. */
export const PLAIN = outputs((s) => s);
