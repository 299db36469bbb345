/** The self-test of RFC 7693, appendix E: hashes digests of many lengths, with and without keys. */
import type { Hash } from '../../../src/crypto/contracts.ts';
import type { Blake2bOptions } from '../../../src/crypto/hash/blake2b.ts';

const DIGEST_BYTES = [20, 32, 48, 64];
const MESSAGE_BYTES = [0, 3, 128, 129, 255, 1024];

export function blake2bSelfTest(create: (options: Blake2bOptions) => Hash): Uint8Array {
  const all = create({ digestBytes: 32 });
  for (const digestBytes of DIGEST_BYTES) {
    for (const length of MESSAGE_BYTES) {
      const message = sequence(length, length);
      all.update(create({ digestBytes }).update(message).digest());
      const key = sequence(digestBytes, digestBytes);
      all.update(create({ digestBytes, key }).update(message).digest());
    }
  }
  return all.digest();
}

/** The Fibonacci generator of the appendix. */
function sequence(length: number, seed: number): Uint8Array {
  let a = Math.imul(0xdead4bad, seed);
  let b = 1;
  return Uint8Array.from({ length }, () => {
    const t = (a + b) | 0;
    [a, b] = [b, t];
    return t >>> 24;
  });
}
