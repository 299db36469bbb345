/** Processes runs of blocks of any length, each under one key, with the registers and rounds of AES. */
import type { OffsetRun } from '../contracts.ts';
import type { Keys } from './key-schedule.ts';
import { CHUNK, CHUNK_BYTES, INDEX, KEYS, MASK, OFFSETS, registers, TABLES } from './registers.ts';
import { COUNTER_END, crypt, CTR } from './rounds.ts';
import { computeTables } from './tables.ts';

/** The tables of AES, computed when this module is loaded. */
export const tables = computeTables();

/**
 * Loads the registers, processes the blocks chunk by chunk, and wipes the registers.
 *
 * @param keys those of the step's direction must be there
 * @param step one of the constants of rounds.ts
 * @param mask counter, chaining block or offset; updated by the run
 * @param offsets L_i of OCB and the number of blocks before this run; updated by the run
 */
export function run(
  { keys }: { readonly keys: Readonly<Keys> },
  step: number,
  source: Uint8Array,
  target?: Uint8Array,
  mask?: Uint8Array,
  offsets?: OffsetRun,
): void {
  const { w, b } = registers;
  const inverse = step & 1;
  const roundKeys = keys[inverse]!;
  const table = tables[inverse];
  // The first word shows which table is in the registers.
  if (w[TABLES] !== table[0]) w.set(table, TABLES);
  w.set(roundKeys, KEYS);
  if (mask) b.set(mask, 4 * MASK);
  if (offsets) {
    b.set(offsets.masks, 4 * OFFSETS);
    w[INDEX] = offsets.index;
  }
  for (let done = 0; done < source.length;) {
    // For CTR, chunks end where the counter's last byte wraps.
    const chunk = source.subarray(done, done + CHUNK_BYTES - (step & CTR && 16 * b[COUNTER_END]));
    b.set(chunk, 4 * CHUNK);
    crypt(step, CHUNK + chunk.length / 4, KEYS - 4 + roundKeys.length, inverse ? 3 : 1);
    target?.set(b.subarray(4 * CHUNK, 4 * CHUNK + chunk.length), done);
    done += chunk.length;
  }
  if (offsets) offsets.index = w[INDEX];
  mask?.set(b.subarray(4 * MASK, 4 * MASK + 16));
  b.fill(0, 0, 4 * TABLES);
  b.fill(0, 4 * OFFSETS, 4 * CHUNK + source.length);
}
