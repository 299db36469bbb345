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

/** scrypt with the cost that is common for interactive logins, to 32 bytes. */
export interface ScryptTask {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  readonly length: number;
}
