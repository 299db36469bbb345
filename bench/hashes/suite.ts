import { inV8, timesAsFast, type Figure } from '../figures.ts';
import { WASM } from '../names.ts';
import type { RowKey } from '../row.ts';
import type { Suite } from '../suite.ts';
import { linearity } from './linearity.ts';
import { plotHashes, plotPbkdf2 } from './plots.ts';
import { ARGON2_COSTS, argon2Row, SCRYPT_ROW } from './task.ts';

const BULK = [1 << 16, 1 << 20];
const bulk = (algorithm: string, asked: number): Figure[] =>
  BULK.map((size) => timesAsFast({ algorithm, size, unit: 'B' }, WASM, 'hash-wasm', inV8(asked)));

const PBKDF2: RowKey = { algorithm: 'PBKDF2-SHA-256', size: 10_000, unit: 'iterations' };

export const hashes: Suite = {
  name: 'hashes',
  title: 'Hash functions and key derivation',
  rows: 'bench/hashes/rows.ts',
  largest: 10_000_000,
  figures: [
    ...bulk('SHA-256', 1.15),
    ...bulk('SHA-256 of four messages', 2),
    ...bulk('SHA-1', 0.95),
    ...bulk('SHA-512', 0.95),
    ...bulk('BLAKE2b', 0.95),
    ...bulk('BLAKE3', 2.3),
    timesAsFast(PBKDF2, WASM, 'asmcrypto.js', inV8(1.8)),
    timesAsFast(PBKDF2, WASM, '@noble/hashes', inV8(4)),
    timesAsFast(PBKDF2, WASM, 'sjcl', inV8(8)),
    linearity(
      [1000, 10_000, 100_000].map((size) => ({ ...PBKDF2, size })),
      WASM,
      inV8(3),
    ),
    timesAsFast(SCRYPT_ROW, WASM, 'libsodium', inV8(1.2)),
    timesAsFast(SCRYPT_ROW, WASM, 'node:crypto', { node: 1 }),
    ...ARGON2_COSTS.map((cost) => timesAsFast(argon2Row(cost), WASM, 'hash-wasm', inV8(1.5))),
  ],
  plots: [plotHashes, plotPbkdf2],
};
