/**
 * Encoding of polynomials (FIPS 204, section 7.1), four coefficients at a time, which are whole bytes in each of the formats,
 * and rounding (section 7.4). Words are written whole and overlap: up to 16 bytes of zeros follow the last coefficient.
 */
import type { Body } from '../dsl/body.ts';
import { i32x4, i64, i64x2, i8x16, v128 } from '../dsl/expression.ts';
import type { I32, V128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { fieldOf, Q, VECTORS } from './ml-dsa-field.ts';
import { advance } from './statements.ts';

/** In a shuffle with zeros as second operand. */
const ZERO_BYTE = 16;
/** d, the bits that t₀ takes of t */
const DROPPED_BITS = 13;

/**
 * Adds, each with `from` and `to`:
 *
 * - `pack4`, `pack6`, `pack10`: coefficients of so many bits, of w₁ and t₁
 * - `pack18`, `unpack18`, `pack20`, `unpack20`: γ₁ less the coefficient, of y and z
 * - `unpack10`: t₁ · 2^13
 *
 * and the rounding functions.
 */
export function codingFunctions(module: ModuleText): void {
  const params = { from: 'i32', to: 'i32' } as const;
  const add = (name: string, groupBytes: readonly [number, number], turn: Turn): void =>
    module.func(name, { params, exported: false }, (body, { from, to }) => {
      const count = body.local('i32', VECTORS);
      body.loop(count, () => {
        turn(body, from, to);
        advance(body, [from], groupBytes[0]);
        advance(body, [to], groupBytes[1]);
      });
    });
  for (const bits of [4, 6, 10]) {
    add(`pack${bits}`, [16, bits / 2], (body, from, to) => pack(body, v128.load(from), to, bits));
  }
  for (const bits of [18, 20]) {
    const gamma1 = i32x4.splat(2 ** (bits - 1));
    add(`pack${bits}`, [16, bits / 2], (body, from, to) =>
      pack(body, i32x4.sub(gamma1, v128.load(from)), to, bits),
    );
    add(`unpack${bits}`, [bits / 2, 16], (body, from, to) =>
      body.store(to, i32x4.sub(gamma1, unpack(body, from, bits))),
    );
  }
  add('unpack10', [5, 16], (body, from, to) =>
    body.store(to, i32x4.shl(unpack(body, from, 10), DROPPED_BITS)),
  );
  roundingFunctions(module);
}

type Turn = (body: Body, from: I32, to: I32) => void;

/** Four words of `bits` bits. */
function pack(body: Body, given: V128, to: I32, bits: number): void {
  const words = body.let(given);
  const low = i64x2.splat(2n ** 32n - 1n);
  const pairs = body.let(v128.or(v128.and(words, low), i64x2.shl(i64x2.shrU(words, 32), bits)));
  const second = body.let(i64x2.extract(1, pairs));
  const shift = 2 * bits;
  body.store(to, i64.or(i64x2.extract(0, pairs), i64.shl(second, BigInt(shift))));
  if (4 * bits > 64) body.store(to, i64.shrU(second, BigInt(64 - shift)), 8);
}

/** The inverse: three bytes have each word, which is shifted to one place in all lanes by a product. */
function unpack(body: Body, from: I32, bits: number): V128 {
  const places = [0, 1, 2, 3].map((i) => i * bits);
  const most = Math.max(...places.map((place) => place % 8));
  const order = places.flatMap((place) => [...[0, 1, 2].map((i) => i + (place >> 3)), ZERO_BYTE]);
  const words = i8x16.shuffle(v128.load(from), v128.const(new Uint8Array(16)), order);
  const factors = places.map((place) => 2 ** (most - (place % 8)));
  const aligned = i32x4.mul(words, v128.const(new Uint8Array(Int32Array.from(factors).buffer)));
  return body.let(v128.and(i32x4.shrU(aligned, most), i32x4.splat(2 ** bits - 1)));
}

/**
 * - `power2Round(at, high, low)`: t, as t₁ and t₀ (algorithm 35)
 * - `decompose88(at, high, low)`, `decompose32(…)`: r, as r₁ and r₀ with γ₂ = (q − 1) / 88 or / 32 (algorithm 36)
 * - `hint88(high, low, to)`, `hint32(…)`: 1 where r₀ + z, `low`, needs another r₁ (algorithm 39)
 * - `useHint88(at, hints)`, `useHint32(…)`: r becomes r₁, corrected by the hint (algorithm 40)
 *
 * Words of the first operands are any below 2^31 − 2^22.
 */
function roundingFunctions(module: ModuleText): void {
  const params = { at: 'i32', high: 'i32', low: 'i32' } as const;
  module.func('power2Round', { params, exported: false }, (body, { at, high, low }) => {
    const { canonical } = fieldOf(body);
    const count = body.local('i32', VECTORS);
    body.loop(count, () => {
      const t = canonical(v128.load(at));
      const half = i32x4.splat(2 ** (DROPPED_BITS - 1) - 1);
      const t1 = body.let(i32x4.shrS(i32x4.add(t, half), DROPPED_BITS));
      body.store(high, t1);
      body.store(low, i32x4.sub(t, i32x4.shl(t1, DROPPED_BITS)));
      advance(body, [at, high, low], 16);
    });
  });
  for (const divisor of [88, 32] as const) {
    module.func(`decompose${divisor}`, { params, exported: false }, (body, { at, high, low }) => {
      const { canonical } = fieldOf(body);
      const count = body.local('i32', VECTORS);
      body.loop(count, () => {
        const [r1, r0] = decomposed(body, canonical(v128.load(at)), divisor);
        body.store(high, r1);
        body.store(low, r0);
        advance(body, [at, high, low], 16);
      });
    });
    hintFunction(module, divisor);
    useHintFunction(module, divisor);
  }
}

type Divisor = 88 | 32;
const gamma2Of = (divisor: Divisor): number => (Q - 1) / divisor;

/**
 * r₁ = round(r / 2γ₂) without division: 2γ₂ is 128 · 1488 or 128 · 4092, and the products are right for all r below q (a test
 * tries all). For r₁ = (q − 1) / 2γ₂ it is 0, and r₀ one less.
 */
function decomposed(body: Body, r: V128, divisor: Divisor): readonly [V128, V128] {
  const words = i32x4.splat;
  const eighth = i32x4.shrS(i32x4.add(r, words(127)), 7);
  const [factor, shift] = divisor === 32 ? [1_025, 22] : [11_275, 24];
  const rounded = body.let(
    i32x4.shrS(i32x4.add(i32x4.mul(eighth, words(factor)), words(2 ** (shift - 1))), shift),
  );
  const end = words(divisor === 32 ? 16 : 44);
  const r1 = body.let(v128.and(rounded, i32x4.ltS(rounded, end)));
  const rest = body.let(i32x4.sub(r, i32x4.mul(r1, words(2 * gamma2Of(divisor)))));
  const isHigh = i32x4.ltS(words((Q - 1) / 2), rest);
  return [r1, body.let(i32x4.sub(rest, v128.and(isHigh, words(Q))))];
}

function hintFunction(module: ModuleText, divisor: Divisor): void {
  const params = { high: 'i32', low: 'i32', to: 'i32' } as const;
  module.func(`hint${divisor}`, { params, exported: false }, (body, { high, low, to }) => {
    const gamma2 = i32x4.splat(gamma2Of(divisor));
    const lowest = i32x4.splat(-gamma2Of(divisor));
    const zero = i32x4.splat(0);
    const count = body.local('i32', VECTORS);
    body.loop(count, () => {
      const r0 = body.let(v128.load(low));
      const isOutside = v128.or(i32x4.ltS(gamma2, r0), i32x4.ltS(r0, lowest));
      const isEdge = v128.andnot(i32x4.eq(r0, lowest), i32x4.eq(v128.load(high), zero));
      body.store(to, v128.and(v128.or(isOutside, isEdge), i32x4.splat(1)));
      advance(body, [high, low, to], 16);
    });
  });
}

function useHintFunction(module: ModuleText, divisor: Divisor): void {
  const params = { at: 'i32', hints: 'i32' } as const;
  module.func(`useHint${divisor}`, { params, exported: false }, (body, { at, hints }) => {
    const { canonical } = fieldOf(body);
    const m = divisor === 32 ? 16 : 44;
    const words = i32x4.splat;
    const count = body.local('i32', VECTORS);
    body.loop(count, () => {
      const [r1, r0] = decomposed(body, canonical(v128.load(at)), divisor);
      // 1 if r₀ > 0, else −1
      const step = i32x4.sub(words(-1), i32x4.shl(i32x4.ltS(words(0), r0), 1));
      const hint = i32x4.sub(words(0), v128.load(hints));
      const moved = body.let(i32x4.add(r1, v128.and(step, hint)));
      const below = v128.and(i32x4.ltS(moved, words(0)), words(m));
      const above = v128.and(i32x4.eq(moved, words(m)), words(m));
      body.store(at, i32x4.sub(i32x4.add(moved, below), above));
      advance(body, [at, hints], 16);
    });
  });
}
