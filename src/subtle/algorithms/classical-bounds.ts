import { toBytes } from '../../crypto/bigint/integers.ts';
import { isInRange } from '../../crypto/classical/private-range.ts';

/**
 * Whether a private key is 1 … limit - 1.
 *
 * @param secret big-endian without leading zeros; compared without telling at which digit it differs
 */
export function inBounds(secret: Uint8Array, limit: bigint): boolean {
  const bound = toBytes(limit);
  if (secret.length > bound.length) return false;
  const padded = new Uint8Array(bound.length);
  padded.set(secret, bound.length - secret.length);
  const answer = isInRange(padded, bound);
  padded.fill(0);
  return answer;
}
