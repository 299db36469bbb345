/** 16 KiB, where the fixed costs of a message are small. Lipmaa measured 1 KB and 8,000 blocks. */
const BYTES = 1 << 14;

export const MODES_ROW = {
  algorithm: 'AES-128, modes of one engine',
  size: BYTES,
  unit: 'B',
} as const;

export const MODES = ['ECB', 'CBC', 'CBC-MAC', 'CTR', 'OCB'] as const;
export type Mode = (typeof MODES)[number];
export type ModesEngine = 'js' | 'wasm-simd';

/** "js OCB" */
export const modeName = (engine: ModesEngine, mode: Mode): string => `${engine} ${mode}`;
