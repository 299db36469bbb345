import { pattern } from '../pattern.ts';

export const ARX_ALGORITHMS = [
  'ChaCha20',
  'ChaCha20-Poly1305',
  'XChaCha20-Poly1305',
  'Salsa20',
  'Salsa20/12',
] as const;

export interface ArxTask {
  readonly algorithm: (typeof ARX_ALGORITHMS)[number];
  readonly plaintext: Uint8Array;
}

export const KEY = pattern(32, 7);
/** For Salsa20, ChaCha20 and the AEADs, XChaCha20. */
export const NONCE_8 = pattern(8, 5);
export const NONCE_12 = pattern(12, 5);
export const NONCE_24 = pattern(24, 5);
export const TAG_BYTES = 16;

/** Bytes of what a task gives. */
export const resultBytes = ({ algorithm, plaintext }: ArxTask): number =>
  plaintext.length + (algorithm.endsWith('Poly1305') ? TAG_BYTES : 0);
