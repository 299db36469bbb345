/** Converts integers in the `bytes` of the Montgomery module, little-endian, to limbs and back. */
import type { Body, Local } from '../dsl/body.ts';
import type { Expr, I32 } from '../dsl/expression.ts';
import { i32, i64, op } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { f64 } from './lanes.ts';
import type { MontgomeryLayout } from './layout.ts';
import { BYTES_LENGTH } from './layout.ts';
import { storeDigit } from './setup.ts';

const params = { x: 'i32', pairs: 'i32' } as const;

/** Adds the functions that convert between bytes and limbs. */
export function addIntegers(module: ModuleText, layout: MontgomeryLayout): void {
  const { bytes, n: modulus, limbBits } = layout;
  const digitMask = (1n << BigInt(limbBits)) - 1n;
  const shiftDown = (value: Expr<'i64'>): Expr<'i64'> =>
    op('i64', 'i64.shr_s', value, BigInt(limbBits));

  // split: x = the integer in `bytes`, which has two bits less than x can represent
  module.func('split', { params }, (body, { x, pairs }) => {
    const carry = body.local('i64', 0n);
    eachLimb(body, layout, x, pairs, ({ at, address, shift }) => {
      const digit = i64.and(i64.shrU(i64.load(address, bytes), shift), digitMask);
      storeDigit(body, layout, at, i64.add(digit, carry), carry);
    });
  });

  // join: `bytes` = x modulo N, for |x| < N; x itself changes
  module.func('join', { params }, (body, { x, pairs }) => {
    const carry = body.local('i64', 0n);
    const sum = (at: I32): Expr<'i64'> => i64.add(f64.toI64(f64.load(at)), carry);
    eachLimb(body, layout, x, pairs, ({ at }) => body.set(carry, shiftDown(sum(at))));
    // The last carry is -1 if x is negative, else 0. N is added -carry times.
    const times = body.let(f64.fromI64(i64.sub(0n, carry)));
    const n = body.local('i32', i32.const(modulus));
    eachLimb(body, layout, x, pairs, ({ at }) => {
      body.store(at, f64.add(f64.load(at), f64.mul(times, f64.load(n))));
      body.set(n, i32.add(n, 8));
    });
    body.emit('memory.fill', i32.const(bytes), i32.const(0), i32.const(BYTES_LENGTH));
    body.set(carry, i64.const(0n));
    eachLimb(body, layout, x, pairs, ({ at, address, shift }) => {
      const value = body.let(sum(at));
      const digit = i64.shl(i64.and(value, digitMask), shift);
      body.store(address, i64.or(i64.load(address, bytes), digit), bytes);
      body.set(carry, shiftDown(value));
    });
  });
}

interface Limb {
  readonly at: Local<'i32'>;
  /** The byte of `bytes`, and the bit in it, where the limb's digit begins */
  readonly address: Expr<'i32'>;
  readonly shift: Expr<'i64'>;
}

function eachLimb(
  body: Body,
  { limbBits }: MontgomeryLayout,
  x: I32,
  pairs: I32,
  turn: (limb: Limb) => void,
): void {
  const at = body.local('i32', x);
  const bit = body.local('i32', 0);
  const count = body.local('i32', i32.shl(pairs, 1));
  body.loop(count, () => {
    turn({ at, address: i32.shrU(bit, 3), shift: i64.extendU(i32.and(bit, 7)) });
    body.set(at, i32.add(at, 8));
    body.set(bit, i32.add(bit, limbBits));
  });
}
