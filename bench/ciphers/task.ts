import type { BlockCipherName } from '../../src/crypto/ciphers/block-cipher.ts';
import type { RowKey } from '../row.ts';
import { pattern } from '../pattern.ts';

export const CIPHERS = ['IDEA', 'Twofish', 'RC6', 'MARS', 'Serpent', 'SC2000'] as const;
export const CIPHER_MODES = ['ECB', 'ECB decryption', 'CTR', 'CBC', 'OCB'] as const;
/** Lipmaa's: 1 KB, and 8,000 blocks of 16 bytes. Whole blocks of every cipher. */
export const CIPHER_SIZES = [1 << 10, 1 << 14, 128_000] as const;

/** The row that Serpent is compared with. */
export const AES_CTR = 'AES-128-CTR';
/** One block after the other, as Lipmaa's one-way code. */
export const WASM_SINGLE = 'Sealwright wasm-simd, one block at a time';

export interface CipherTask {
  readonly cipher: BlockCipherName;
  readonly mode: (typeof CIPHER_MODES)[number];
  readonly plaintext: Uint8Array;
}

/** 128 bits, the length that all six have. */
export const KEY = pattern(16, 7);

export const cipherRow = (
  cipher: BlockCipherName,
  mode: CipherTask['mode'],
  size: number,
): RowKey => ({ algorithm: `${cipher}-128-${mode}`, size, unit: 'B' });
