import type { AlgorithmName } from '../../src/engine/contract.ts';
import { ARGON2_COSTS } from '../hashes/task.ts';

/** What the engine `wasm-threads` has. */
export const ALGORITHMS = [
  ...(['AES-CTR', 'AES-GCM', 'AES-OCB', 'ChaCha20-Poly1305', 'XChaCha20-Poly1305'] as const),
  'BLAKE3',
] as const satisfies readonly AlgorithmName[];

/** RFC 9106's second recommendation: a lane for each of four threads. */
export const ARGON2_COST = ARGON2_COSTS[2];

export const SIZES = [1 << 14, 1 << 20, 1 << 24];
