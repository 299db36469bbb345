import type { Engine, EngineName } from './contract.ts';

/** An engine that this build does not have: listed with its reason, so that nobody searches. */
export function absentEngine(name: EngineName, reason = 'not part of this build'): Engine {
  return {
    name,
    probe: () => ({ available: false, reason }),
    close: () => undefined,
  };
}
