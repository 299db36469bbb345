import CryptoJS from 'crypto-js';

/** crypto-js works on WordArrays: 32-bit words, big-endian. */
export function toWords(data: Uint8Array): CryptoJS.lib.WordArray {
  return CryptoJS.lib.WordArray.create(data);
}

export function fromWords({ words, sigBytes }: CryptoJS.lib.WordArray): Uint8Array {
  return Uint8Array.from({ length: sigBytes }, (_, i) => words[i >> 2]! >>> (24 - 8 * (i & 3)));
}
