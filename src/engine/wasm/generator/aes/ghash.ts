/**
 * GHASH (SP 800-38D, section 6.4) and POLYVAL (RFC 8452, section 3). GHASH is POLYVAL with reversed bytes and
 * another power of x (appendix A); the internal form is POLYVAL: blocks are polynomials over GF(2), lowest
 * coefficient in the lowest bit of byte 0, and a • b = a · b · x^-128 modulo x^128 + x^127 + x^126 + x^121 +
 * 1. Kind 0 is GHASH, kind 1 POLYVAL.
 *
 * Multiplication by a fixed value is linear, so a product is a sum of look-ups by nibble: entry n of table d
 * is byte d of n · h. The same tables serve every byte of the other factor; the position of the byte is the
 * position of its contribution. 16 indices are looked up at once:
 *
 * - few blocks: the 16 bytes of one block. Each table's result is moved to its position.
 * - many blocks: 16 blocks side by side as 16 streams, transposed so that a vector is one byte of each. Each
 * stream is multiplied by h^16, and the streams are combined at the end. Karatsuba's method saves a quarter
 * of the look-ups.
 */
import type { Body } from '../dsl/body.ts';
import { i32, i64x2, i8x16, op, v128 } from '../dsl/expression.ts';
import type { V128 } from '../dsl/expression.ts';
import type { Lookup } from '../dsl/lookup.ts';
import type { ModuleText } from '../dsl/module.ts';
import {
  CARRY_POLYVAL,
  COUNT_PLANES,
  LOW_NIBBLES,
  REDUCTION,
  REVERSE,
  SQUARES,
} from './constants.ts';
import {
  HASH,
  HASH_BLOCKS,
  HASH_GROUP_BYTES,
  HASH_MANY_TABLE,
  HASH_NIBBLES,
  HASH_PRODUCTS,
  HASH_SOURCE,
  HASH_SUMS,
  HASH_TABLE,
  SUBKEY,
} from './layout.ts';

const LANES = Array.from({ length: 16 }, (_, lane) => lane);
const ZERO = new Uint8Array(16);

/** Adds the exports of GHASH and POLYVAL. */
export function hashFunctions(module: ModuleText, lookup: Lookup): void {
  buildTables(module);
  prepareHash(module, lookup);
  prepareHashMany(module, lookup);
  hashFew(module, lookup);
  transpose(module);
  multiplyHalves(module, lookup);
  multiplyMany(module, lookup);
  hashMany(module);
}

/**
 * The tables of the value at HASH_SOURCE + 16, which has zeros around it: for each byte of its multiples, the
 * table for low nibbles, then the table for high nibbles.
 *
 * @param bytes of the value; there is one more pair of tables
 */
function buildTables(module: ModuleText): void {
  const signature = { params: { bytes: 'i32', target: 'i32' }, exported: false } as const;
  module.func('buildTables', signature, (body, { bytes, target }) => {
    // Lane n of vector b is all ones if bit b of n is 1.
    const bitOfIndex = [0, 1, 2, 3].map((b) => body.let(v128.load(0, COUNT_PLANES + 16 * (3 + b))));
    const source = body.local('i32', HASH_SOURCE + 16);
    const count = body.local('i32', i32.add(bytes, 1));
    body.loop(count, () => {
      const byte = i32.shl(i32.load8u(source), 8);
      const word = body.let(i32.or(byte, i32.load8u(i32.sub(source, 1))));
      const table = (shift: number): V128 =>
        bitOfIndex
          .map((mask, b) => {
            const multiple = i32.shrU(i32.shl(word, shift + b), 8);
            return v128.and(i8x16.splat(multiple), mask);
          })
          .reduce((sum, term) => v128.xor(sum, term));
      body.store(target, table(0));
      body.store(target, table(4), 16);
      body.set(source, i32.add(source, 1));
      body.set(target, i32.add(target, 32));
    });
  });
}

/** Computes HASH_TABLE from SUBKEY, which is H as in its standard. */
function prepareHash(module: ModuleText, lookup: Lookup): void {
  module.func('prepareHash', { params: { kind: 'i32' } }, (body, { kind }) => {
    const h = body.local('v128', v128.load(0, SUBKEY));
    body.if(i32.eqz(kind), () => {
      // RFC 8452, appendix A: mulX_POLYVAL(ByteReverse(H))
      const reversed = body.let(lookup(h, v128.load(0, REVERSE)));
      const highest = body.let(op('v128', 'i8x16.lt_s', reversed, v128.const(ZERO)));
      const carried = i8x16.shuffle(
        highest,
        highest,
        LANES.map((lane) => (lane - 1) & 15),
      );
      const out = i8x16.shuffle(
        highest,
        highest,
        LANES.map(() => 15),
      );
      const low = v128.and(carried, v128.load(0, CARRY_POLYVAL));
      const high = v128.and(out, v128.load(0, CARRY_POLYVAL + 16));
      body.set(h, v128.xor(i8x16.add(reversed, reversed), v128.xor(low, high)));
    });
    body.store(0, v128.const(ZERO), HASH_SOURCE);
    body.store(0, h, HASH_SOURCE + 16);
    body.store(0, v128.const(ZERO), HASH_SOURCE + 32);
    body.call('buildTables', 16, HASH_TABLE);
  });
}

/** Computes HASH_MANY_TABLE, after `prepareHash`: of both halves of h^16 and of their sum. */
function prepareHashMany(module: ModuleText, lookup: Lookup): void {
  module.func('prepareHashMany', {}, (body) => {
    const h = body.local('v128', v128.load(0, HASH_SOURCE + 16));
    const count = body.local('i32', 4);
    const squares = body.let(v128.load(0, SQUARES));
    body.loop(count, () => {
      const { low, high } = nibbles(body, h);
      const even = body.let(lookup(squares, low));
      const odd = body.let(lookup(squares, high));
      const interleaved = (from: number): V128 =>
        i8x16.shuffle(
          even,
          odd,
          LANES.map((lane) => from + (lane >> 1) + 16 * (lane & 1)),
        );
      body.set(h, reduce(body, interleaved(0), interleaved(8)));
    });
    const zero = body.let(v128.const(ZERO));
    const halves = [
      i8x16.shuffle(
        h,
        zero,
        LANES.map((lane) => (lane < 8 ? lane : 16)),
      ),
      i8x16.shuffle(
        h,
        zero,
        LANES.map((lane) => (lane < 8 ? lane + 8 : 16)),
      ),
    ].map((half) => body.let(half));
    const factors = [...halves, v128.xor(halves[0]!, halves[1]!)];
    factors.forEach((factor, i) => {
      body.store(0, factor, HASH_SOURCE + 16);
      body.call('buildTables', 8, HASH_MANY_TABLE + 288 * i);
    });
    body.store(0, zero, HASH_SOURCE + 16);
  });
}

/** HASH := (HASH ⊕ block) · h for each block; best for few. */
function hashFew(module: ModuleText, lookup: Lookup): void {
  const params = { offset: 'i32', blocks: 'i32', kind: 'i32' } as const;
  module.func('hashFew', { params }, (body, { offset, blocks, kind }) => {
    const order = body.let(v128.load(i32.shl(kind, 4), REVERSE));
    const y = body.local('v128', lookup(v128.load(0, HASH), order));
    const zero = body.let(v128.const(ZERO));
    body.loop(blocks, () => {
      const x = body.let(v128.xor(y, lookup(v128.load(offset), order)));
      const { low, high } = nibbles(body, x);
      /** Byte d of the products of all bytes. */
      const part = (d: number): V128 => {
        const first = lookup(v128.load(0, HASH_TABLE + 32 * d), low);
        return v128.xor(first, lookup(v128.load(0, HASH_TABLE + 32 * d + 16), high));
      };
      // Horner's rule in bytes within four parts, then over them
      const sums = [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9, 10, 11],
        [12, 13, 14, 15, 16],
      ].map((places) => {
        const [top, ...below] = places.toReversed();
        let sum: Wide = { low: body.let(part(top!)), high: zero };
        for (const d of below) sum = plus(body, moved(body, sum, 1, zero), part(d));
        return sum;
      });
      const [first, second, third, fourth] = sums as [Wide, Wide, Wide, Wide];
      let product = fourth;
      for (const sum of [third, second, first]) {
        const { low: l, high: h } = moved(body, product, 4, zero);
        product = {
          low: body.let(v128.xor(l, sum.low)),
          high: body.let(v128.xor(h, sum.high)),
        };
      }
      body.set(y, reduce(body, product.low, product.high));
      body.set(offset, i32.add(offset, 16));
    });
    body.store(0, lookup(y, order), HASH);
  });
}

/** 32 bytes. */
interface Wide {
  readonly low: V128;
  readonly high: V128;
}

/** Shifts by some bytes. */
function moved(body: Body, { low, high }: Wide, bytes: number, zero: V128): Wide {
  const lanes = LANES.map((lane) => lane + 16 - bytes);
  return {
    low: body.let(i8x16.shuffle(zero, low, lanes)),
    high: body.let(i8x16.shuffle(low, high, lanes)),
  };
}

const plus = (body: Body, { low, high }: Wide, addend: V128): Wide => ({
  low: body.let(v128.xor(low, addend)),
  high,
});

function nibbles(body: Body, bytes: V128): { readonly low: V128; readonly high: V128 } {
  const mask = body.let(v128.load(0, LOW_NIBBLES));
  return {
    low: body.let(v128.and(bytes, mask)),
    high: body.let(v128.and(i64x2.shrU(bytes, 4), mask)),
  };
}

/**
 * The 256-bit product times x^-128: adding v · (x^128 + x^127 + x^126 + x^121 + 1) at their positions cancels
 * its words v_0 and v_1 (64 bits).
 */
function reduce(body: Body, lowHalf: V128, highHalf: V128): V128 {
  const low = body.let(lowHalf);
  const zero = v128.const(ZERO);
  const shifted = (x: V128, by: (a: V128, n: number) => V128, counts: readonly number[]): V128 =>
    counts.map((n) => by(x, n)).reduce((sum, term) => v128.xor(sum, term));
  // v_0 first: it contributes to v_1
  const intoNext = (x: V128): V128 => body.let(shifted(x, i64x2.shl, [63, 62, 57]));
  const secondWord = LANES.map((lane) => (lane < 8 ? 0 : lane + 8));
  const both = body.let(v128.xor(low, i8x16.shuffle(zero, intoNext(low), secondWord)));
  const above = v128.xor(both, shifted(both, i64x2.shrU, [1, 2, 7]));
  const firstWord = LANES.map((lane) => (lane < 8 ? lane + 8 : 16));
  const fromSecond = i8x16.shuffle(intoNext(both), zero, firstWord);
  return body.let(v128.xor(v128.xor(highHalf, fromSecond), above));
}

/**
 * Transposes 16 vectors.
 *
 * @param reverse 0, or 15 to write the vectors in reverse order
 */
function transpose(module: ModuleText): void {
  const params = { from: 'i32', to: 'i32', reverse: 'i32' } as const;
  module.func('transpose', { params, exported: false }, (body, { from, to, reverse }) => {
    let v = LANES.map((i) => body.let(v128.load(from, 16 * i)));
    // Four times: vectors i and i + 8 interleaved become 2i and 2i + 1.
    for (let step = 0; step < 4; step++) {
      v = LANES.map((i) => {
        const half = 8 * (i & 1);
        const lanes = LANES.map((lane) => half + (lane >> 1) + 16 * (lane & 1));
        return body.let(i8x16.shuffle(v[i >> 1]!, v[(i >> 1) + 8]!, lanes));
      });
    }
    v.forEach((vector, i) => {
      body.store(i32.add(to, i32.shl(i32.xor(reverse, i), 4)), vector);
    });
  });
}

/** 8 bytes, as planes of nibbles, times 8 bytes, as tables: 16 planes. */
function multiplyHalves(module: ModuleText, lookup: Lookup): void {
  const params = { planes: 'i32', tables: 'i32', target: 'i32' } as const;
  const signature = { params, exported: false };
  module.func('multiplyHalves', signature, (body, { planes, tables, target }) => {
    // Four positions of the product at a time stay in registers, with four tables that advance with them.
    for (let first = 0; first < 16; first += 4) {
      const places = [0, 1, 2, 3];
      const sums: (V128 | undefined)[] = places.map(() => undefined);
      for (const half of [0, 1]) {
        const loaded = new Map<number, V128>();
        for (let j = 0; j < 8; j++) {
          const wanted = places.filter((p) => first + p - j >= 0 && first + p - j <= 8);
          if (wanted.length === 0) continue;
          const index = body.let(v128.load(planes, 16 * (j + 8 * half)));
          for (const p of wanted) {
            const d = first + p - j;
            const table = loaded.get(d) ?? body.let(v128.load(tables, 32 * d + 16 * half));
            loaded.set(d, table);
            const term = lookup(table, index);
            const sum = sums[p];
            sums[p] = body.let(sum === undefined ? term : v128.xor(sum, term));
          }
        }
      }
      sums.forEach((sum, p) => {
        if (sum !== undefined) body.store(target, sum, 16 * (first + p));
      });
    }
  });
}

/** HASH_SUMS := HASH_SUMS · h^16, of 16 streams. */
function multiplyMany(module: ModuleText, lookup: Lookup): void {
  module.func('multiplyMany', { exported: false }, (body) => {
    // Nibbles of the low half, the high half, and their sum: 8 low planes, then 8 high ones
    for (let j = 0; j < 8; j++) {
      const a = nibbles(body, body.let(v128.load(0, HASH_SUMS + 16 * j)));
      const b = nibbles(body, body.let(v128.load(0, HASH_SUMS + 16 * (j + 8))));
      const low = [a.low, b.low, v128.xor(a.low, b.low)];
      const high = [a.high, b.high, v128.xor(a.high, b.high)];
      low.forEach((plane, i) => body.store(0, plane, HASH_NIBBLES + 256 * i + 16 * j));
      high.forEach((plane, i) => body.store(0, plane, HASH_NIBBLES + 256 * i + 16 * (j + 8)));
    }
    for (const i of [0, 1, 2]) {
      const [planes, tables] = [HASH_NIBBLES + 256 * i, HASH_MANY_TABLE + 288 * i];
      body.call('multiplyHalves', planes, tables, HASH_PRODUCTS + 256 * i);
    }
    const product = karatsuba(body);
    reducePlanes(body, lookup, product).forEach((plane, j) => {
      body.store(0, plane, HASH_SUMS + 16 * j);
    });
  });
}

/** (a_1 z + a_0)(b_1 z + b_0) from a_0 b_0, a_1 b_1 and (a_0 + a_1)(b_0 + b_1), with z = x^64. */
function karatsuba(body: Body): V128[] {
  const at = (product: number) => (j: number) =>
    v128.load(0, HASH_PRODUCTS + 256 * product + 16 * j);
  const [p0, p2, p1] = [at(0), at(1), at(2)];
  const place = (j: number): V128 => {
    if (j < 8) return p0(j);
    if (j >= 24) return p2(j - 16);
    const middle = v128.xor(v128.xor(p0(j - 8), p1(j - 8)), p2(j - 8));
    return v128.xor(middle, j < 16 ? p0(j) : p2(j - 16));
  };
  return Array.from({ length: 32 }, (_, j) => body.let(place(j)));
}

/** The same reduction as `reduce`, by bytes and look-ups. */
function reducePlanes(body: Body, lookup: Lookup, product: readonly V128[]): V128[] {
  const tables = [0, 1, 2, 3].map((i) => body.let(v128.load(0, REDUCTION + 16 * i)));
  const [lowest, lowestHigh, next, nextHigh] = tables as [V128, V128, V128, V128];
  const p = [...product];
  for (let j = 0; j < 16; j++) {
    const { low, high } = nibbles(body, p[j]!);
    const add = (place: number, a: V128, b: V128) => {
      const sum = v128.xor(lookup(a, low), lookup(b, high));
      p[place] = body.let(v128.xor(p[place]!, sum));
    };
    add(j + 15, lowest, lowestHigh);
    add(j + 16, next, nextHigh);
  }
  return p.slice(16);
}

/** Groups of 16 blocks. @param groups at least 1 */
function hashMany(module: ModuleText): void {
  const params = { offset: 'i32', groups: 'i32', kind: 'i32' } as const;
  module.func('hashMany', { params }, (body, { offset, groups, kind }) => {
    const reverse = body.let(i32.and(i32.sub(kind, 1), 15));
    // Adds the previous hash to the first block, which is stream 0.
    body.emit('memory.fill', HASH_SUMS, 0, HASH_GROUP_BYTES);
    body.store(0, v128.load(0, HASH), HASH_SUMS);
    body.call('transpose', HASH_SUMS, HASH_SUMS, reverse);
    body.while(groups, () => {
      body.call('transpose', offset, HASH_BLOCKS, reverse);
      for (const j of LANES) {
        const sum = v128.xor(v128.load(0, HASH_SUMS + 16 * j), v128.load(0, HASH_BLOCKS + 16 * j));
        body.store(0, sum, HASH_SUMS + 16 * j);
      }
      body.set(offset, i32.add(offset, HASH_GROUP_BYTES));
      body.set(groups, i32.sub(groups, 1));
      body.if(groups, () => body.call('multiplyMany'));
    });
    // Converts the streams back to blocks, which hashFew then combines
    body.call('transpose', HASH_SUMS, HASH_BLOCKS, 0);
    body.store(0, v128.const(ZERO), HASH);
    body.call('hashFew', HASH_BLOCKS, 16, 1);
    // hashFew wrote in POLYVAL's order
    body.if(i32.eqz(kind), () => {
      const y = body.let(v128.load(0, HASH));
      body.store(0, i8x16.swizzle(y, v128.load(0, REVERSE)), HASH);
    });
  });
}
