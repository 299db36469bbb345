import type { Algorithms, Engine, EngineName, Probe } from '../../src/engine/contract.ts';
import { jsEngine } from '../../src/engine/js/js.ts';

/** All algorithms of engine js, which are always available; synchronously. */
export function jsAlgorithms(): Algorithms {
  const probe = jsEngine().probe() as Probe;
  if (!probe.available) throw new Error(probe.reason);
  return probe.algorithms;
}

/** An engine of any name with these algorithms. */
export function fakeEngine(name: EngineName, algorithms: Algorithms): Engine {
  return {
    name,
    probe: () => ({ available: true, algorithms }),
    close: () => undefined,
  };
}
