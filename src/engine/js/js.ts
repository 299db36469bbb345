import type { AlgorithmName, Algorithms, Engine, PowerAlgorithm, PowerName } from '../contract.ts';
import { KANGAROO_PRIMITIVES } from '../../crypto/hash/kangaroo-twelve.ts';
import { keccakFunctions } from '../keccak-functions.ts';
import { JS_CIPHERS } from './ciphers.ts';
import { JS_HASHES } from './hashes.ts';
import { JS_KDFS } from './kdfs.ts';
import { JS_KEY_PAIRS } from './key-pairs.ts';
import { JS_MACS } from './macs.ts';
import { oddPower } from '../../crypto/bigint/odd-power.ts';

/**
 * The engine `js`: the code of src/crypto, ML-DSA and SLH-DSA of @noble/post-quantum, and @noble/curves for X448, Ed448 and the
 * X25519 of X-Wing. It is always available and has every algorithm but RSA and the other elliptic curves, which only
 * the platform has.
 *
 * Its AES uses tables indexed by keys and data: NOT side-channel safe. `auto` uses it for AES only if no
 * other engine has the algorithm (thresholds.ts).
 */
/** The engine of plain JavaScript. @param without algorithms that it is not to have */
export function jsEngine(without: readonly AlgorithmName[] = []): Engine {
  const all = {
    ...JS_CIPHERS,
    ...JS_MACS,
    ...JS_HASHES,
    ...keccakFunctions(KANGAROO_PRIMITIVES),
    ...JS_KDFS,
    ...JS_POWERS,
    ...JS_KEY_PAIRS,
  };
  const kept = Object.entries(all).filter(([name]) => !without.includes(name as AlgorithmName));
  const algorithms: Algorithms = Object.fromEntries(kept);
  return {
    name: 'js',
    probe: () => ({ available: true, algorithms }),
    close: () => undefined, // the owners of keyed ciphers wipe them
  };
}

const PORTABLE: PowerAlgorithm = { constantTime: 'by-construction', power: oddPower };

/** The classical algorithms, over the portable modular exponentiation. */
export const JS_POWERS: Readonly<Record<PowerName, PowerAlgorithm>> = {
  DH: PORTABLE,
  DSA: PORTABLE,
};
