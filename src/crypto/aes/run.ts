/** Processes runs of blocks of any length, each under one key, with the registers and rounds of AES. */
import type { OffsetRun } from '../contracts.ts';
import type { Keys } from './key-schedule.ts';
import { CHUNK, CHUNK_BYTES, INDEX, KEYS, MASK, OFFSETS, registers, TABLES } from './registers.ts';
import { COUNTER_END, crypt, cryptOne, CTR } from './rounds.ts';
import { computeTables } from './tables.ts';

/** The tables of AES, computed when this module is loaded. */
export const tables = computeTables();

/** Up to so many bytes are encrypted block by block: in up to a third less time than in the registers. Of 128 bytes V8 takes more. */
const FEW_BYTES = 64;

const BLANK = /* @__PURE__ */ new Int32Array(TABLES);

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
  if (source.length <= FEW_BYTES && !inverse && !offsets) {
    for (let at = 0; at < source.length; at += 16) {
      cryptOne(step, roundKeys, at, source, target, mask);
    }
    return;
  }
  w.set(roundKeys, KEYS);
  if (mask) copy(b, 4 * MASK, mask, 0, 16);
  if (offsets) {
    b.set(offsets.masks, 4 * OFFSETS);
    w[INDEX] = offsets.index;
  }
  for (let done = 0; done < source.length;) {
    // For CTR, chunks end where the counter's last byte wraps.
    const bytes = Math.min(source.length - done, CHUNK_BYTES - (step & CTR && 16 * b[COUNTER_END]));
    copy(b, 4 * CHUNK, source, done, bytes);
    crypt(step, CHUNK + bytes / 4, KEYS - 4 + roundKeys.length, inverse ? 3 : 1);
    if (target) copy(target, done, b, 4 * CHUNK, bytes);
    done += bytes;
  }
  if (offsets) offsets.index = w[INDEX];
  if (mask) copy(mask, 0, b, 4 * MASK, 16);
  w.set(BLANK);
  if (offsets) w.fill(0, OFFSETS, CHUNK);
  const used = CHUNK + Math.min(source.length, CHUNK_BYTES) / 4;
  for (let i = CHUNK; i < used; i++) w[i] = 0;
}

/** Few bytes one by one: a view and a call of `set` cost as much as the encryption of a block. */
function copy(
  target: Uint8Array,
  to: number,
  source: Uint8Array,
  from: number,
  bytes: number,
): void {
  if (bytes > 64) target.set(source.subarray(from, from + bytes), to);
  else for (let i = 0; i < bytes; i++) target[to + i] = source[from + i];
}
