/* `sealwright/react`: the state of Sealwright in components of React. */
import { useSyncExternalStore } from 'react';
import type { SealwrightState, SealwrightWatch } from './watch.ts';

/**
 * The state of Sealwright, which renders the component again at every change. On a server and while the page is
 * hydrated it is `watch.serverState`. Call `watchSealwright` once, outside of components: all of them share the watch.
 *
 * @example
 *   const watch = watchSealwright({ capabilities: ['seal', 'open'] });
 *   const State = () => explain(useSealwright(watch).name);
 */
export function useSealwright(watch: SealwrightWatch): SealwrightState {
  // No hook there: a server that loads this package by itself renders with a React of its own (Next with serverExternalPackages).
  if (!('document' in globalThis)) return watch.serverState;
  return useSyncExternalStore(
    watch.subscribe,
    () => watch.state,
    () => watch.serverState,
  );
}
