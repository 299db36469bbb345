import { expect } from 'chai';
import {
  substitute,
  substituteInverse,
} from '../../../../../src/engine/wasm/generator/aes/sbox.ts';
import type { Logic } from '../../../../../src/engine/wasm/generator/aes/sbox.ts';
import {
  HOLD_HIGH,
  HOLD_LOW,
  INVERSE,
  ONCE,
  PLAIN,
  QUOTIENT,
  TWICE,
} from '../../../../../src/engine/wasm/generator/aes/tower.ts';

const BYTES = Array.from({ length: 256 }, (_, x) => x);

/** x · y in GF(2^8), by the definition. */
function times(x: number, y: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11b) ^ (((y >> bit) & 1) * x);
  }
  return product;
}

/** S(x) ⊕ 0x63 from FIPS 197, section 5.1.1: the inverse found by search, then equation 5.1. */
const LINEAR_SBOX = BYTES.map((x) => {
  const b = BYTES.find((y) => times(x, y) === 1) ?? 0;
  const bit = (i: number): number => (b >> (i & 7)) & 1;
  return [0, 1, 2, 3, 4, 5, 6, 7].reduce(
    (sum, i) => sum | ((bit(i) ^ bit(i + 4) ^ bit(i + 5) ^ bit(i + 6) ^ bit(i + 7)) << i),
    0,
  );
});

/** A circuit on the bits of one byte. */
function run(circuit: typeof substitute, x: number, count = () => undefined as unknown): number {
  const gate = (f: (a: number, b: number) => number) => (a: number, b: number) => {
    count();
    return f(a, b);
  };
  const logic: Logic<number> = { xor: gate((a, b) => a ^ b), and: gate((a, b) => a & b) };
  const bits = circuit(
    logic,
    [0, 1, 2, 3, 4, 5, 6, 7].map((i) => (x >> i) & 1),
  );
  return bits.reduce((sum, bit, i) => sum | (bit << i), 0);
}

describe('the S-box of the kernels', () => {
  it('is right in this test for values of the standard', () => {
    // FIPS 197, table 4: S(00) = 63, S(01) = 7c, S(53) = ed, S(ff) = 16
    for (const [x, s] of [
      [0, 0x63],
      [1, 0x7c],
      [0x53, 0xed],
      [0xff, 0x16],
    ] as const) {
      expect(LINEAR_SBOX[x]! ^ 0x63).to.equal(s);
    }
  });

  it('is right as a circuit for all 256 bytes, with 113 gates', () => {
    let gates = 0;
    expect(BYTES.map((x) => run(substitute, x, () => gates++))).to.deep.equal(LINEAR_SBOX);
    expect(gates / 256).to.equal(113);
  });

  it('is inverted by the inverse circuit for all 256 bytes', () => {
    expect(LINEAR_SBOX.map((s) => run(substituteInverse, s))).to.deep.equal(BYTES);
  });

  it('is right as look-ups of four bits for all 256 bytes, in all representations', () => {
    const lookup = (table: readonly number[], index: number) => (index < 16 ? table[index]! : 0);
    const hold = (x: number) => HOLD_LOW[x & 15]! ^ HOLD_HIGH[x >> 4]!;
    for (const x of BYTES) {
      const held = hold(x);
      const k = held & 15;
      const i = held >> 4;
      const j = i ^ k;
      const ak = lookup(QUOTIENT, k);
      const io = lookup(INVERSE, lookup(INVERSE, i) ^ ak) ^ j;
      const jo = lookup(INVERSE, lookup(INVERSE, j) ^ ak) ^ i;
      const out = (table: typeof PLAIN) => lookup(table.io, io) ^ lookup(table.jo, jo);
      const s = LINEAR_SBOX[x]!;
      expect(out(PLAIN), `S(${x})`).to.equal(s);
      expect(out(ONCE), `held S(${x})`).to.equal(hold(s));
      expect(out(TWICE), `held 2 S(${x})`).to.equal(hold(times(2, s)));
    }
  });

  it('never indexes a table with 16 … 127, where relaxed and plain look-ups differ', () => {
    const indices = new Set<number>();
    const lookup = (table: readonly number[], index: number) => {
      indices.add(index);
      return index < 16 ? table[index]! : 0;
    };
    for (const x of BYTES) {
      const [k, i] = [x & 15, x >> 4];
      const ak = lookup(QUOTIENT, k);
      const io = lookup(INVERSE, lookup(INVERSE, i) ^ ak) ^ i ^ k;
      const jo = lookup(INVERSE, lookup(INVERSE, i ^ k) ^ ak) ^ i;
      lookup(ONCE.io, io);
      lookup(ONCE.jo, jo);
    }
    expect([...indices].filter((index) => index > 15 && index < 128)).to.deep.equal([]);
  });
});
