/** Base64 of bytes that are hashed as text (RFC 4648, section 4): the HMAC of sync records is over the Base64. */
import type { Body } from '../dsl/body.ts';
import { i32, i32x4, i8x16, op, v128 } from '../dsl/expression.ts';
import type { V128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';

/** The bytes of each group of three as one number, most significant first. */
const GROUPS = [2, 1, 0, 16, 5, 4, 3, 16, 8, 7, 6, 16, 11, 10, 9, 16];

/** Digits from this value on are `by` further away from their value than those before: A-Z, a-z, 0-9, +, /. */
const STEPS = [
  { from: 26, by: 6 },
  { from: 52, by: -75 },
  { from: 62, by: -15 },
  { from: 63, by: 3 },
] as const;

/**
 * `base64Encode(from, to, steps)`: twelve bytes become sixteen digits in each step. Digits are computed and not looked
 * up. `to` may be before `from` in the same memory, as far as four bytes a step. Each step reads sixteen bytes.
 */
export function base64EncodeFunction(module: ModuleText): void {
  const params = { from: 'i32', to: 'i32', steps: 'i32' } as const;
  module.func('base64Encode', { params }, (body, { from, to, steps }) => {
    body.loop(steps, () => {
      const bytes = v128.load(from);
      const groups = body.let(i8x16.shuffle(bytes, splat(0), GROUPS));
      const values = body.let(
        [
          i32x4.shrU(groups, 18),
          masked(i32x4.shrU(groups, 4), 8),
          masked(i32x4.shl(groups, 10), 16),
          masked(i32x4.shl(groups, 24), 24),
        ].reduce(v128.or),
      );
      body.store(to, digits(body, values));
      body.set(from, i32.add(from, 12));
      body.set(to, i32.add(to, 16));
    });
  });
}

/** The six bits of each word from bit `at` on. */
function masked(words: V128, at: number): V128 {
  return v128.and(words, i32x4.splat(0x3f << at));
}

function digits(body: Body, values: V128): V128 {
  const first = i8x16.add(values, splat(0x41));
  return STEPS.reduce((sum: V128, { from, by }) => {
    const isBeyond = op('v128', 'i8x16.lt_s', splat(from - 1), values);
    return body.let(i8x16.add(sum, v128.and(isBeyond, splat(by))));
  }, first);
}

function splat(byte: number): V128 {
  return v128.const(new Array<number>(16).fill(byte & 0xff));
}
