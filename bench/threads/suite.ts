import { timesAsFast } from '../figures.ts';
import { THREADS, WASM_FRESH } from '../names.ts';
import type { Suite } from '../suite.ts';
import { argon2Row } from '../hashes/task.ts';
import { ALGORITHMS, ARGON2_COST } from './task.ts';

/** Asked of two processors; a worker each. */
const SHORTEST_ASKED = { node: 1, chromium: 1, firefox: 1 };
const ASKED = { node: 1.7, chromium: 1.7, firefox: 1.7 };

export const threads: Suite = {
  name: 'threads',
  title: 'One thread and several',
  rows: 'bench/threads/rows.ts',
  largest: 1 << 24,
  figures: [
    ...ALGORITHMS.map((algorithm) =>
      timesAsFast({ algorithm, size: 1 << 24, unit: 'B' }, THREADS, WASM_FRESH, ASKED),
    ),
    timesAsFast(argon2Row(ARGON2_COST), THREADS, WASM_FRESH, { node: 1.7 }),
    // From here on `auto` takes the threads for them.
    ...(['AES-CTR', 'AES-GCM', 'AES-OCB'] as const).map((algorithm) =>
      timesAsFast({ algorithm, size: 1 << 20, unit: 'B' }, THREADS, WASM_FRESH, SHORTEST_ASKED),
    ),
  ],
  plots: [],
};
