/**
 * The module of Twofish (Schneier and others, "Twofish: A 128-Bit Block Cipher", 1998) with full keying: pairs of
 * blocks, and single blocks.
 *
 * NOT safe against side channels: the addresses of its look-ups depend on key and data.
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32 } from '../dsl/expression.ts';
import type { Expr } from '../dsl/expression.ts';
import { ModuleText } from '../dsl/module.ts';
import { KEYS, MEMORY_BYTES, TWOFISH_TABLES } from './layout.ts';
import { tableFunctions } from './modes.ts';
import type { States } from './modes.ts';

const ROUNDS = 16;
/** Round keys before those of the rounds: whitening of the input, then of the output. */
const ROUND_KEYS = KEYS + 4 * 8;
/** Bytes of the keys of two rounds, after which the halves are where they were. */
const TWO_ROUNDS = 4 * 4;

/** @returns the text of the module */
export function twofishModule(): string {
  const module = new ModuleText(MEMORY_BYTES);
  tableFunctions(module, { encrypt, decrypt });
  return module.toString();
}

type Words = readonly [Local<'i32'>, Local<'i32'>, Local<'i32'>, Local<'i32'>];

/** Sections 4.1 and 4.2 */
function encrypt(body: Body, states: States): void {
  whiten(body, states, 0);
  const key = body.local('i32', ROUND_KEYS);
  const turns = body.local('i32', ROUNDS / 2);
  body.loop(turns, () => {
    for (const [half, order] of [[0, [0, 1, 2, 3]] as const, [8, [2, 3, 0, 1]] as const]) {
      for (const words of states) {
        const [a, b, c, d] = order.map((i) => words[i]!) as unknown as Words;
        const [f0, f1] = roundFunction(body, a, b, key, half);
        body.set(c, i32.rotr(i32.xor(c, f0), 1));
        body.set(d, i32.xor(i32.rotl(d, 1), f1));
      }
    }
    body.set(key, i32.add(key, TWO_ROUNDS));
  });
  // The last exchange is undone.
  exchange(body, states);
  whiten(body, states, 16);
}

/** The steps of `encrypt`, undone from the last to the first. */
function decrypt(body: Body, states: States): void {
  whiten(body, states, 16);
  exchange(body, states);
  const key = body.local('i32', ROUND_KEYS + (ROUNDS / 2) * TWO_ROUNDS);
  const turns = body.local('i32', ROUNDS / 2);
  body.loop(turns, () => {
    body.set(key, i32.sub(key, TWO_ROUNDS));
    for (const [half, order] of [[8, [2, 3, 0, 1]] as const, [0, [0, 1, 2, 3]] as const]) {
      for (const words of states) {
        const [a, b, c, d] = order.map((i) => words[i]!) as unknown as Words;
        const [f0, f1] = roundFunction(body, a, b, key, half);
        body.set(c, i32.xor(i32.rotl(c, 1), f0));
        body.set(d, i32.rotr(i32.xor(d, f1), 1));
      }
    }
  });
  whiten(body, states, 0);
}

/** @param offset of the whitening's four keys */
function whiten(body: Body, states: States, offset: number): void {
  for (const words of states) {
    words.forEach((word, i) => body.set(word, i32.xor(word, i32.load(KEYS, offset + 4 * i))));
  }
}

/** (R0, R1, R2, R3) = (R2, R3, R0, R1) */
function exchange(body: Body, states: States): void {
  for (const words of states) {
    const values = [2, 3, 0, 1].map((i) => body.let(words[i]!));
    words.forEach((word, i) => body.set(word, values[i]!));
  }
}

/** F, section 4.2: T0 = g(R0), T1 = g(R1 <<< 8); F0 = T0 + T1 + K_2r+8, F1 = T0 + 2 T1 + K_2r+9 */
function roundFunction(
  body: Body,
  r0: Expr<'i32'>,
  r1: Expr<'i32'>,
  key: Expr<'i32'>,
  offset: number,
): readonly [Expr<'i32'>, Expr<'i32'>] {
  const t1 = g(body, r1, [1, 2, 3, 0]);
  const sum = body.let(i32.add(g(body, r0, [0, 1, 2, 3]), t1));
  return [
    i32.add(sum, i32.load(key, offset)),
    i32.add(i32.add(sum, t1), i32.load(key, offset + 4)),
  ];
}

/** The sum of the S-boxes of each byte, the lowest first. */
function g(body: Body, x: Expr<'i32'>, boxes: readonly number[]): Expr<'i32'> {
  const looked = boxes.map((box, byte) => {
    const index = i32.and(i32.shrU(x, 8 * byte), 0xff);
    return i32.load(i32.shl(index, 2), TWOFISH_TABLES + 1024 * box);
  });
  return body.let(looked.reduce((a, b) => i32.xor(a, b)));
}
