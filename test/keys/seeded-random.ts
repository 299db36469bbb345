import { createHash } from 'node:crypto';
import type { RandomSource } from '../../src/random/contract.ts';

/** The same bytes again for the same seed. */
export function seededRandom(seed: string): RandomSource {
  let count = 0;
  return {
    bytes: (length) => {
      const blocks = Array.from({ length: Math.ceil(length / 32) }, () =>
        createHash('sha256').update(`${seed} ${count++}`).digest(),
      );
      return new Uint8Array(Buffer.concat(blocks).subarray(0, length));
    },
  };
}
