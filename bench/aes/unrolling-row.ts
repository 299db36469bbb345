export const UNROLLING_ROW = {
  algorithm: 'AES-128-ECB, rounds unrolled',
  size: 1 << 14,
  unit: 'B',
} as const;

export const unrolledName = (rounds: number): string => `${rounds} of 9 rounds a turn`;
