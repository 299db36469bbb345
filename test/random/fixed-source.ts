import { createHash } from 'node:crypto';
import type { RandomSource } from '../../src/random/contract.ts';

/** Platform sources for tests: reproducible good ones, and broken ones. */

/** A pseudo-random stream, the same for the same label: SHA-256(label ‖ counter)… */
export function streamSource(label: string): RandomSource & { readonly drawn: number[] } {
  let counter = 0;
  let rest = Buffer.alloc(0);
  const drawn: number[] = [];
  return {
    drawn,
    bytes(lengthBytes) {
      drawn.push(lengthBytes);
      while (rest.length < lengthBytes) {
        const next = createHash('sha256').update(`${label} ${counter++}`).digest();
        rest = Buffer.concat([rest, next]);
      }
      const bytes = Uint8Array.from(rest.subarray(0, lengthBytes));
      rest = rest.subarray(lengthBytes);
      return bytes;
    },
  };
}

/** Always the same byte. */
export const constantSource: RandomSource = {
  bytes: (lengthBytes) => new Uint8Array(lengthBytes).fill(0x42),
};

/** The same pseudo-random stream from the beginning at every call. */
export const repeatingSource: RandomSource = {
  bytes: (lengthBytes) => streamSource('again').bytes(lengthBytes),
};

export const throwingSource: RandomSource = {
  bytes: () => {
    throw new DOMException('no entropy device', 'OperationError');
  },
};
