/**
 * The scrypt module: ROMix (RFC 7914, sections 3 to 5). Its memory grows to the size for the parameters
 * before a derivation begins. Each derivation in progress has its own instance.
 *
 * Not constant in time: scrypt reads V at addresses that depend on the password, by design (RFC 7914, section
 * 13), like Argon2id in its second half.
 *
 * Salsa20/8 works word by word. Four words in a vector, in diagonals, depend on each other: one chain of 136
 * instructions. The sixteen separate words are four such chains, without the extra shift that a rotation of
 * vectors costs, and measured twice as fast (AMD Zen 5, V8 11.3).
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32 } from '../dsl/expression.ts';
import type { Expr } from '../dsl/expression.ts';
import { ModuleText } from '../dsl/module.ts';
import { SCRYPT_V } from './scrypt-layout.ts';

const BLOCK_BYTES = 64;
/** The address space of WebAssembly; the parameters determine how much of it is used. */
const MOST_BYTES = 2 ** 32;

/** @returns the module in WebAssembly's text format, the same in both variants */
export function scryptModule(): string {
  const module = new ModuleText(SCRYPT_V, MOST_BYTES);
  fillFunction(module);
  mixFunction(module);
  return module.toString();
}

/** `fill(pointer, r, count)`: V_{i+1} = BlockMix(V_i), `count` times from `pointer` on. */
function fillFunction(module: ModuleText): void {
  const params = { pointer: 'i32', r: 'i32', count: 'i32' } as const;
  module.func('fill', { params }, (body, { pointer, r, count }) => {
    const size = body.let(i32.shl(r, 7));
    body.loop(count, () => {
      const target = body.let(i32.add(pointer, size));
      blockMix(body, r, [pointer], target);
      body.set(pointer, target);
    });
  });
}

/**
 * `mix(x, y, mask, r, count)`: `count` times X = BlockMix(X ⊕ V_j), with j = Integerify(X) mod N.
 *
 * @param x, y the address of X and of a buffer for it; they are exchanged each time, so that X is at its
 * address again after an even count
 * @param mask N - 1
 */
function mixFunction(module: ModuleText): void {
  const params = { x: 'i32', y: 'i32', mask: 'i32', r: 'i32', count: 'i32' } as const;
  module.func('mix', { params }, (body, { x, y, mask, r, count }) => {
    const size = body.let(i32.shl(r, 7));
    const other = body.local('i32');
    body.loop(count, () => {
      // Integerify: the last block as a little-endian integer; N is below 2^25, so word 0 is enough
      const j = i32.and(i32.load(i32.sub(i32.add(x, size), BLOCK_BYTES)), mask);
      const v = body.let(i32.add(SCRYPT_V, i32.mul(j, size)));
      blockMix(body, r, [x, v], y);
      body.set(other, x);
      body.set(x, y);
      body.set(y, other);
    });
  });
}

/**
 * scryptBlockMix (section 4) of the XOR of `sources`: X = Salsa20/8(X ⊕ B_i), even results in the first half
 * of the target, odd ones in the second.
 */
function blockMix(
  body: Body,
  r: Expr<'i32'>,
  sources: readonly Expr<'i32'>[],
  target: Expr<'i32'>,
): void {
  const half = body.let(i32.shl(r, 6));
  const last = body.let(i32.sub(i32.shl(half, 1), BLOCK_BYTES));
  const pointers = sources.map((source) => body.local('i32', i32.add(source, last)));
  const word = (i: number): Expr<'i32'> =>
    pointers.map((pointer): Expr<'i32'> => i32.load(pointer, 4 * i)).reduce(i32.xor);
  const x = Array.from({ length: 16 }, (_, i) => body.local('i32', word(i)));
  pointers.forEach((pointer, i) => body.set(pointer, sources[i]!));
  const output = body.local('i32', target);
  const other = body.local('i32', i32.add(target, half));
  const following = body.local('i32');
  const count = body.local('i32', i32.shl(r, 1));
  body.loop(count, () => {
    salsa8(body, x, word, output);
    for (const pointer of pointers) body.set(pointer, i32.add(pointer, BLOCK_BYTES));
    body.set(following, i32.add(output, BLOCK_BYTES));
    body.set(output, other);
    body.set(other, following);
  });
}

/** x = Salsa20/8(x ⊕ input) (section 3), also to `output`, which contains x ⊕ input in between. */
function salsa8(
  body: Body,
  x: readonly Local<'i32'>[],
  input: (i: number) => Expr<'i32'>,
  output: Expr<'i32'>,
): void {
  x.forEach((word, i) => {
    body.set(word, i32.xor(word, input(i)));
    body.store(output, word, 4 * i);
  });
  for (let i = 0; i < 8; i += 2) {
    for (const places of QUARTERS) quarterRound(body, x, places);
  }
  x.forEach((word, i) => {
    body.set(word, i32.add(word, i32.load(output, 4 * i)));
    body.store(output, word, 4 * i);
  });
}

type Quarter = readonly [number, number, number, number];

/** Columns, then rows. */
const QUARTERS: readonly Quarter[] = [
  [0, 4, 8, 12],
  [5, 9, 13, 1],
  [10, 14, 2, 6],
  [15, 3, 7, 11],
  [0, 1, 2, 3],
  [5, 6, 7, 4],
  [10, 11, 8, 9],
  [15, 12, 13, 14],
];

function quarterRound(body: Body, x: readonly Local<'i32'>[], [a, b, c, d]: Quarter): void {
  const step = (target: number, first: number, second: number, count: number): void => {
    const sum = i32.add(x[first]!, x[second]!);
    body.set(x[target]!, i32.xor(x[target]!, i32.rotl(sum, count)));
  };
  step(b, a, d, 7);
  step(c, b, a, 9);
  step(d, c, b, 13);
  step(a, d, c, 18);
}
