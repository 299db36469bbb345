import type { RowKey } from '../row.ts';

/** A hash function over one message. */
export interface HashTask {
  readonly hash: HashName;
  readonly message: Uint8Array;
}

export const HASHES = ['SHA-1', 'SHA-256', 'SHA-512', 'SHA3-256', 'BLAKE2b', 'BLAKE3'] as const;
export type HashName = (typeof HASHES)[number];

/** PBKDF2 of so many iterations, to 32 bytes (20 for SHA-1: one block of output either way). */
export interface Pbkdf2Task {
  readonly hash: 'SHA-1' | 'SHA-256';
  readonly iterations: number;
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  readonly length: number;
}

/** N = 2^14 blocks of 128 · r bytes: 16 MiB. */
export const SCRYPT_ROW = {
  algorithm: 'scrypt with r=8, p=1',
  size: 1 << 14,
  unit: 'blocks',
} as const;

/** Argon2id: short, as OWASP recommends it at least, and RFC 9106's second recommendation, which the vault begins with. */
export const ARGON2_COSTS = [
  { memoryKiB: 1024, passes: 1, parallelism: 1 },
  { memoryKiB: 19_456, passes: 2, parallelism: 1 },
  { memoryKiB: 65_536, passes: 3, parallelism: 4 },
] as const;

/** The row of a cost. */
export function argon2Row({ memoryKiB, passes, parallelism }: Argon2Task['cost']): RowKey {
  const algorithm = `Argon2id with t=${passes}, p=${parallelism}`;
  return { algorithm, size: memoryKiB, unit: 'KiB' };
}

/** Argon2id of one cost, to 32 bytes. */
export interface Argon2Task {
  readonly cost: {
    readonly memoryKiB: number;
    readonly passes: number;
    readonly parallelism: number;
  };
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  readonly length: number;
}

/** scrypt with the cost that is common for interactive logins, to 32 bytes. */
export interface ScryptTask {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  readonly length: number;
}
