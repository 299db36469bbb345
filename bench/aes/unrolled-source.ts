import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/*
 * The 2009 paper's study of unrolling: one template of the AES-128 round loop, made into code with
 * 1, 3 or all 9 of its middle rounds in one turn of the loop. The code is generated when the bench
 * is bundled, so that the engine that runs it meets ordinary source.
 */
const MIDDLE_ROUNDS = 9;
export const ROUNDS_PER_TURN = [1, 3, MIDDLE_ROUNDS] as const;

/** Writes the variants as a module and returns its path. */
export function writeUnrolledModule(): string {
  const path = resolve('.cache/bench/unrolled.mjs');
  mkdirSync(resolve('.cache/bench'), { recursive: true });
  writeFileSync(path, unrolledModule());
  return path;
}

/** The module's text: `variants`, as peers.d.ts declares it. */
export function unrolledModule(): string {
  const variants = ROUNDS_PER_TURN.map(
    (rounds) => `  { roundsPerTurn: ${rounds}, encrypt: ${encryptSource(rounds)} },`,
  );
  return `export const variants = [\n${variants.join('\n')}\n];\n`;
}

/** One variant: a function over whole blocks as little-endian words, T-tables and round keys. */
export function encryptSource(roundsPerTurn: number): string {
  const unrolled = Array.from({ length: roundsPerTurn }, (_, i) => middleRound(4 * i)).join('');
  const loop =
    roundsPerTurn === MIDDLE_ROUNDS
      ? `const q = 4;${unrolled}`
      : `for (let q = 4; q < 40; q += ${4 * roundsPerTurn}) {${unrolled}}`;
  return `(t, k, source, target) => {
    for (let p = 0; p < source.length; p += 4) {
      let [a, b, c, d] = [0, 0, 0, 0], x = 0, y = 0, z = 0;
      a = source[p] ^ k[0]; b = source[p + 1] ^ k[1];
      c = source[p + 2] ^ k[2]; d = source[p + 3] ^ k[3];
      ${loop}
      target[p] = ${column('abcd', 1024)} ^ k[40];
      target[p + 1] = ${column('bcda', 1024)} ^ k[41];
      target[p + 2] = ${column('cdab', 1024)} ^ k[42];
      target[p + 3] = ${column('dabc', 1024)} ^ k[43];
    }
    return target;
  }`;
}

const middleRound = (key: number): string => `
        x = ${column('abcd', 0)} ^ k[q + ${key}];
        y = ${column('bcda', 0)} ^ k[q + ${key + 1}];
        z = ${column('cdab', 0)} ^ k[q + ${key + 2}];
        d = ${column('dabc', 0)} ^ k[q + ${key + 3}];
        a = x; b = y; c = z;`;

/** Of one new column: a byte of each of four, through the table of its row (aes/tables.ts). */
const column = ([r0, r1, r2, r3]: Iterable<string> & string, page: number): string =>
  `t[${page} + (${r0!} & 255)] ^ t[${page + 256} + (${r1!} >>> 8 & 255)] ^ ` +
  `t[${page + 512} + (${r2!} >>> 16 & 255)] ^ t[${page + 768} + (${r3!} >>> 24)]`;
