/**
 * What the Montgomery module needs once for a modulus or for an exponent: the inverse of its lowest
 * limb, numbers brought below N, and entries of the table. One limb at a time, by 64-bit integers.
 */
import type { Body, Local } from '../kernel/body.ts';
import { call } from '../kernel/body.ts';
import type { Expr, I32 } from '../kernel/expression.ts';
import { i32, i64, op, v128 } from '../kernel/expression.ts';
import type { ModuleText } from '../kernel/module.ts';
import type { F64 } from './montgomery-lanes.ts';
import { f64, f64x2, ZERO } from './montgomery-lanes.ts';
import type { MontgomeryLayout } from './montgomery-layout.ts';

export function addSetUp(module: ModuleText, layout: MontgomeryLayout): void {
  addPrepare(module, layout);
  addTop(module, layout);
  addShift(module, layout);
  addSum(module);
  addPick(module, layout);
}

/** prepare: inverse and topInverse from the modulus */
function addPrepare(module: ModuleText, layout: MontgomeryLayout): void {
  module.func('prepare', { params: { pairs: 'i32' } }, (body, { pairs }) => {
    const n = body.let(f64.toI64(f64.load(i32.const(layout.modulus))));
    const inverse = body.local('i64', n); // right to three bits, which Newton's steps double
    for (let bits = 3; bits < layout.limbBits; bits *= 2) {
      body.set(inverse, i64.mul(inverse, i64.sub(2n, i64.mul(n, inverse))));
    }
    const up = BigInt(64 - layout.limbBits);
    const balanced = op('i64', 'i64.shr_s', i64.shl(i64.sub(0n, inverse), up), up);
    body.store(i32.const(layout.inverse), f64x2.splat(f64.fromI64(balanced)));
    const top = call('f64', 'top', i32.const(layout.modulus), pairs);
    body.store(i32.const(layout.topInverse), f64.div(f64.const(1), top));
  });
}

/** The four topmost limbs as one double. Of N's at least 38 bits are not zeros in front. */
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
 * shift: x = 2^bits · x - q · N, where q is the quotient rounded, so that |x| < 0.51 · N. Takes
 * |x| ≤ 2 · N if bits is 0, |x| ≤ N if it is 1 to 11: 2^11 · limb and q · limb stay below 2^62.
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
    const count = body.local('i32', i32.shl(pairs, 1));
    const at = body.local('i32', x);
    const n = body.local('i32', i32.const(layout.modulus));
    body.loop(count, () => {
      const shifted = i64.shl(f64.toI64(f64.load(at)), up);
      const multiple = i64.mul(q, f64.toI64(f64.load(n)));
      const value = body.let(i64.add(i64.sub(shifted, multiple), carry));
      storeDigit(body, layout, at, value, carry);
      body.set(at, i32.add(at, 8));
      body.set(n, i32.add(n, 8));
    });
  });
}

/** Stores the balanced digit of an integer as a limb; the rest of it becomes the carry. */
export function storeDigit(
  body: Body,
  { limbBits }: MontgomeryLayout,
  at: I32,
  value: Expr<'i64'>,
  carry: Local<'i64'>,
): void {
  const half = 1n << BigInt(limbBits - 1);
  body.set(carry, op('i64', 'i64.shr_s', i64.add(value, half), BigInt(limbBits)));
  body.store(at, f64.fromI64(i64.sub(value, i64.shl(carry, BigInt(limbBits)))));
}

/** add: target = a + b, whose limbs are not settled; see `shift` */
function addSum(module: ModuleText): void {
  const params = { a: 'i32', b: 'i32', target: 'i32', pairs: 'i32' } as const;
  module.func('add', { params }, (body, { a, b, target, pairs }) => {
    const at = body.local('i32', 0);
    const count = body.local('i32', pairs);
    body.loop(count, () => {
      const sum = f64x2.add(v128.load(i32.add(a, at)), v128.load(i32.add(b, at)));
      body.store(i32.add(target, at), sum);
      body.set(at, i32.add(at, 16));
    });
  });
}

/** pick: target = entry `index` of the first `entries` of the table, all of which are read */
function addPick(module: ModuleText, { masks, table }: MontgomeryLayout): void {
  const params = { index: 'i32', entries: 'i32', target: 'i32', pairs: 'i32' } as const;
  module.func('pick', { params }, (body, { index, entries, target, pairs }) => {
    const entry = body.local('i32', entries);
    body.loop(entry, () => {
      const number = body.let(i32.sub(entry, 1));
      // All ones if they are equal: of all differences only 0 - 1 has its top bit set.
      const mask = i32.shrS(i32.sub(i32.xor(number, index), 1), 31);
      body.store(i32.shl(number, 4), op('v128', 'i32x4.splat', mask), masks);
    });
    const stride = body.let(i32.shl(pairs, 4));
    const at = body.local('i32', 0);
    const count = body.local('i32', pairs);
    body.loop(count, () => {
      const left = body.local('i32', entries);
      const power = body.local('i32', at);
      const mask = body.local('i32', 0);
      const sum = body.local('v128', ZERO);
      body.loop(left, () => {
        body.set(sum, v128.or(sum, v128.and(v128.load(power, table), v128.load(mask, masks))));
        body.set(power, i32.add(power, stride));
        body.set(mask, i32.add(mask, 16));
      });
      body.store(i32.add(target, at), sum);
      body.set(at, i32.add(at, 16));
    });
  });
}
