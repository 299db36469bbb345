/**
 * The preparation of the Montgomery module for a modulus or an exponent: a multiple of the modulus that suits
 * the kernels, reduction of numbers below N (one limb at a time, by 64-bit integers), entries of the table of
 * powers, and one window of an exponent.
 */
import type { Body, Local } from '../dsl/body.ts';
import { call } from '../dsl/body.ts';
import type { Expr, I32 } from '../dsl/expression.ts';
import { i32, i32x4, i64, op, v128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import type { F64 } from './lanes.ts';
import { f64, ZERO } from './lanes.ts';
import type { MontgomeryLayout } from './layout.ts';

/** Adds the functions that prepare a modulus. */
export function addSetUp(module: ModuleText, layout: MontgomeryLayout): void {
  addPrepare(module, layout);
  addTop(module, layout);
  addShift(module, layout);
  addSum(module, layout);
  addPick(module, layout);
  addWindow(module);
}

/** Bits per step: 2^11 · limb and 11 bits · limb stay below 2^62. */
const STEP_BITS = 11;

/** The steps for the bits of a limb. */
export function stepsOf(limbBits: number): number[] {
  const whole = Array.from({ length: Math.floor(limbBits / STEP_BITS) }, () => STEP_BITS);
  return [...whole, limbBits % STEP_BITS];
}

/**
 * prepare: computes from N the modulus M = k · N with k = -1/N modulo 2^limbBits, so that M is -1 there: its
 * lowest limb is -1, and those above are t = (k · N + 1) / 2^limbBits. t begins as 1; each step adds the
 * multiple of N that makes it divisible, and divides.
 */
function addPrepare(module: ModuleText, layout: MontgomeryLayout): void {
  const t = layout.modulus + 8;
  module.func('prepare', { params: { pairs: 'i32' } }, (body, { pairs }) => {
    const n = body.let(f64.toI64(f64.load(i32.const(layout.n))));
    const inverse = body.local('i64', n); // correct to three bits; Newton's steps double their number
    for (let bits = 3; bits < STEP_BITS; bits *= 2) {
      body.set(inverse, i64.mul(inverse, i64.sub(2n, i64.mul(n, inverse))));
    }
    body.emit('memory.fill', i32.const(t), i32.const(0), i32.sub(i32.shl(pairs, 4), 8));
    body.store(i32.const(t), f64.const(1));
    for (const bits of stepsOf(layout.limbBits)) {
      const low = f64.toI64(f64.load(i32.const(t)));
      const factor = i64.mul(i64.sub(0n, low), inverse);
      const mask = (1n << BigInt(bits)) - 1n;
      body.call('divide', i64.and(factor, mask), BigInt(bits), pairs);
    }
    body.store(i32.const(layout.modulus), f64.const(-1));
    const top = body.let(call('f64', 'top', i32.const(layout.n), pairs));
    body.store(i32.const(layout.topInverse), inverseOf(body, top));
  });

  // t = (t + factor · N) / 2^bits
  const params = { factor: 'i64', bits: 'i64', pairs: 'i32' } as const;
  module.func('divide', { params, exported: false }, (body, { factor, bits, pairs }) => {
    const up = body.let(i64.sub(BigInt(layout.limbBits), bits));
    const mask = body.let(i64.sub(i64.shl(1n, bits), 1n));
    const carry = body.local('i64', 0n);
    const rest = body.local('i64', 0n);
    const at = body.local('i32', i32.const(t));
    const n = body.local('i32', i32.const(layout.n));
    const count = body.local('i32', i32.sub(i32.shl(pairs, 1), 1));
    body.loop(count, () => {
      const multiple = i64.mul(factor, f64.toI64(f64.load(n)));
      const sum = body.let(i64.add(f64.toI64(f64.load(at)), multiple));
      // The limb below gets these lowest bits; the one below t's lowest, which is M's, gets 0.
      const below = body.let(i64.add(rest, i64.shl(i64.and(sum, mask), up)));
      storeDigit(body, layout, i32.sub(at, 8), i64.add(below, carry), carry);
      body.set(rest, op('i64', 'i64.shr_s', sum, bits));
      body.set(at, i32.add(at, 8));
      body.set(n, i32.add(n, 8));
    });
    storeDigit(body, layout, i32.sub(at, 8), i64.add(rest, carry), carry);
  });
}

/** Bits of a double: this number minus those of x > 0 is 1/x with an error of at most 6 %. */
const INVERSE_BITS = 0x7fde_6238_22fc_16e6n;
/** Each squares the error; `shift` needs 1/N to 18 bits. */
const INVERSE_STEPS = 4;

/** 1/x for x > 0, by Newton's method: the time of a division may depend on x. */
function inverseOf(body: Body, x: F64): F64 {
  const bits = i64.sub(INVERSE_BITS, op('i64', 'i64.reinterpret_f64', x));
  const inverse = body.local('f64', op('f64', 'f64.reinterpret_i64', bits));
  for (let step = 0; step < INVERSE_STEPS; step++) {
    const correction = f64.sub(f64.const(2), f64.mul(x, inverse));
    body.set(inverse, f64.mul(inverse, correction));
  }
  return inverse;
}

/** The four topmost limbs as one double. At least 38 bits of N's are not leading zeros. */
function addTop(module: ModuleText, { limbBits }: MontgomeryLayout): void {
  const signature = { params: { x: 'i32', pairs: 'i32' }, result: 'f64', exported: false } as const;
  module.func('top', signature, (body, { x, pairs }) => {
    const end = body.let(i32.add(x, i32.shl(pairs, 4)));
    const limb = (i: number): F64 => f64.load(i32.sub(end, 8 * i));
    const join = (high: F64, low: F64): F64 =>
      f64.add(f64.mul(high, f64.const(2 ** limbBits)), low);
    body.result(join(join(join(limb(1), limb(2)), limb(3)), limb(4)));
  });
}

/**
 * shift: x = 2^bits · x - q · N, where q is the rounded quotient, so that |x| < 0.51 · N. Requires |x| ≤ N
 * and at most 11 bits.
 */
function addShift(module: ModuleText, layout: MontgomeryLayout): void {
  const params = { x: 'i32', bits: 'i32', pairs: 'i32' } as const;
  module.func('shift', { params }, (body, { x, bits, pairs }) => {
    const up = body.let(i64.extendU(bits));
    const topInverse = f64.load(i32.const(layout.topInverse));
    const ratio = f64.mul(call('f64', 'top', x, pairs), topInverse);
    const power = f64.fromI64(i64.shl(1n, up));
    const q = body.let(f64.toI64(f64.nearest(f64.mul(ratio, power))));
    const carry = body.local('i64', 0n);
    const n = body.local('i32', i32.const(layout.n));
    eachLimb(body, x, pairs, (at) => {
      const shifted = i64.shl(f64.toI64(f64.load(at)), up);
      const multiple = i64.mul(q, f64.toI64(f64.load(n)));
      storeDigit(body, layout, at, i64.add(i64.sub(shifted, multiple), carry), carry);
      body.set(n, i32.add(n, 8));
    });
  });

  // narrow: |x| < M becomes |x| < 0.51 · N: the limbs above the lowest, which are below N, are shifted up
  // again bit by bit; then the lowest is added.
  module.func('narrow', { params: { x: 'i32', pairs: 'i32' } }, (body, { x, pairs }) => {
    const lowest = body.let(f64.load(x));
    const rest = i32.sub(i32.shl(pairs, 4), 8);
    body.emit('memory.copy', x, i32.add(x, 8), rest);
    body.store(i32.add(x, rest), f64.const(0));
    for (const bits of stepsOf(layout.limbBits)) body.call('shift', x, i32.const(bits), pairs);
    body.store(x, f64.add(f64.load(x), lowest));
    body.call('shift', x, i32.const(0), pairs);
  });
}

/** @param turn gets the address of each limb, from the lowest on */
function eachLimb(body: Body, x: I32, pairs: I32, turn: (at: Local<'i32'>) => void): void {
  const at = body.local('i32', x);
  const count = body.local('i32', i32.shl(pairs, 1));
  body.loop(count, () => {
    turn(at);
    body.set(at, i32.add(at, 8));
  });
}

/** Stores the balanced digit of an integer as a limb; the rest becomes the carry. */
export function storeDigit(
  body: Body,
  { limbBits }: MontgomeryLayout,
  at: I32,
  given: Expr<'i64'>,
  carry: Local<'i64'>,
): void {
  const value = body.let(given);
  const half = 1n << BigInt(limbBits - 1);
  body.set(carry, op('i64', 'i64.shr_s', i64.add(value, half), BigInt(limbBits)));
  body.store(at, f64.fromI64(i64.sub(value, i64.shl(carry, BigInt(limbBits)))));
}

/** add: x = x + y */
function addSum(module: ModuleText, layout: MontgomeryLayout): void {
  module.func('add', { params: { x: 'i32', y: 'i32', pairs: 'i32' } }, (body, { x, y, pairs }) => {
    const carry = body.local('i64', 0n);
    const other = body.local('i32', y);
    eachLimb(body, x, pairs, (at) => {
      const sum = f64.toI64(f64.add(f64.load(at), f64.load(other)));
      storeDigit(body, layout, at, i64.add(sum, carry), carry);
      body.set(other, i32.add(other, 8));
    });
  });
}

/** Pairs that `pick` reads side by side: independent sums. */
const PICKED = 4;

/** pick: target = entry `index` of the first `entries` of the table, all of which are read */
function addPick(module: ModuleText, { table }: MontgomeryLayout): void {
  const params = { index: 'i32', entries: 'i32', target: 'i32', pairs: 'i32' } as const;
  module.func('pick', { params }, (body, { index, entries, target, pairs }) => {
    const wanted = body.let(i32x4.splat(index));
    const one = body.let(i32x4.splat(1));
    const stride = body.let(i32.shl(pairs, 4));
    const at = body.local('i32', 0);
    /** The pairs at `at` of the wanted entry: a sum over all entries. */
    const pickPairs = (count: number): void => {
      const left = body.local('i32', entries);
      const entry = body.local('i32', at);
      const number = body.local('v128', ZERO);
      const sums = Array.from({ length: count }, () => body.local('v128', ZERO));
      body.loop(left, () => {
        const mask = body.let(op('v128', 'i32x4.eq', number, wanted));
        sums.forEach((sum, i) => {
          body.set(sum, v128.or(sum, v128.and(mask, v128.load(entry, table + 16 * i))));
        });
        body.set(number, i32x4.add(number, one));
        body.set(entry, i32.add(entry, stride));
      });
      sums.forEach((sum, i) => body.store(i32.add(target, at), sum, 16 * i));
    };
    const last = body.let(i32.sub(stride, 16 * PICKED));
    const few = i32.ltU(pairs, PICKED);
    const pickNext = (count: number): void => {
      pickPairs(count);
      body.set(at, i32.add(at, 16 * count));
    };
    body.while(i32.ltU(at, stride), () => {
      body.if(
        few,
        () => pickNext(1),
        () => {
          // The last ones overlap the preceding ones.
          body.set(at, op('i32', 'select', at, last, i32.ltU(at, last)));
          pickNext(PICKED);
        },
      );
    });
  });
}

/** window: x = x^(2^width) · entry `index` of the table, which is copied to `factor` */
function addWindow(module: ModuleText): void {
  const params = { x: 'i32', factor: 'i32', index: 'i32', width: 'i32', pairs: 'i32' } as const;
  module.func('window', { params }, (body, { x, factor, index, width, pairs }) => {
    const squarings = body.local('i32', width);
    body.loop(squarings, () => body.call('square', x, x, pairs));
    body.call('pick', index, i32.shl(1, width), factor, pairs);
    body.call('multiply', x, factor, x, pairs);
  });
}
