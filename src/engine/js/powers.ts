/** The classical algorithms of floor 0 in the shape of the engine contract. */
import { oddPower } from '../../crypto/bigint/odd-power.ts';
import type { PowerAlgorithm, PowerName } from '../contract.ts';

const PORTABLE: PowerAlgorithm = { constantTime: 'by-construction', power: oddPower };

export const JS_POWERS: Readonly<Record<PowerName, PowerAlgorithm>> = {
  DH: PORTABLE,
  DSA: PORTABLE,
};
