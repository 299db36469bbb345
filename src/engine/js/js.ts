import type { Engine, PowerAlgorithm, PowerName } from '../contract.ts';
import { JS_CIPHERS } from './ciphers.ts';
import { JS_HASHES } from './hashes.ts';
import { JS_KDFS } from './kdfs.ts';
import { JS_MACS } from './macs.ts';
import { oddPower } from '../../crypto/bigint/odd-power.ts';

/**
 * The engine `js`: floor 0 itself. It is always there and has every algorithm but those that are
 * the platform's (RSA and elliptic curves).
 *
 * Its AES looks keys and data up in tables: NOT side-channel safe. `auto` takes it for AES only
 * where no other engine has the algorithm (thresholds.ts).
 */

export function jsEngine(): Engine {
  return {
    name: 'js',
    probe: () => ({
      available: true,
      algorithms: { ...JS_CIPHERS, ...JS_MACS, ...JS_HASHES, ...JS_KDFS, ...JS_POWERS },
    }),
    close: () => undefined, // keys are wiped by those who hold them
  };
}

/** The classical algorithms of floor 0 in the shape of the engine contract. */

const PORTABLE: PowerAlgorithm = { constantTime: 'by-construction', power: oddPower };

export const JS_POWERS: Readonly<Record<PowerName, PowerAlgorithm>> = {
  DH: PORTABLE,
  DSA: PORTABLE,
};
