import type { RowKey } from '../row.ts';

/** base^exponent modulo an odd modulus, all big-endian. */
export interface PowerTask {
  readonly base: Uint8Array;
  readonly exponent: Uint8Array;
  readonly modulus: Uint8Array;
}

/** A line of Pomcor's tables: bits of modulus and exponent, and the strength they are for. */
export interface PomcorSize {
  readonly scheme: 'DSA and DH' | 'RSA by CRT';
  readonly modulusBits: number;
  readonly exponentBits: number;
  readonly strength: 112 | 128 | 192 | 256;
}

/**
 * Eight sizes, each measured by its authors in SJCL and in their library, on a laptop and on a phone. RSA's are
 * the halves of the private operation, with exponents as long as they took them.
 */
export const POMCOR: readonly PomcorSize[] = [
  { scheme: 'DSA and DH', modulusBits: 2048, exponentBits: 224, strength: 112 },
  { scheme: 'DSA and DH', modulusBits: 3072, exponentBits: 256, strength: 128 },
  { scheme: 'DSA and DH', modulusBits: 7680, exponentBits: 384, strength: 192 },
  { scheme: 'DSA and DH', modulusBits: 15360, exponentBits: 512, strength: 256 },
  { scheme: 'RSA by CRT', modulusBits: 1024, exponentBits: 2048, strength: 112 },
  { scheme: 'RSA by CRT', modulusBits: 1536, exponentBits: 3072, strength: 128 },
  { scheme: 'RSA by CRT', modulusBits: 3840, exponentBits: 7680, strength: 192 },
  { scheme: 'RSA by CRT', modulusBits: 7680, exponentBits: 15360, strength: 256 },
];

export const powerRow = ({ scheme, modulusBits, exponentBits }: PomcorSize): RowKey => ({
  algorithm: `${scheme} with x of ${exponentBits.toLocaleString('en')} bits`,
  size: modulusBits,
  unit: 'bits',
});
