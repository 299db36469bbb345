import { checkOptions } from './errors.ts';
import { later, onSealwright, WAIT_MS } from './discovery.ts';
import type { FindOptions } from './discovery.ts';
import type { Capability, Grant, Sealwright } from './page-api.ts';

/** The state of Sealwright in a page. `explain` has a sentence for each. */
export type SealwrightState =
  | { readonly name: 'looking' }
  /** Not installed, or not enabled on this site. It may become available later. */
  | { readonly name: 'absent' }
  | { readonly name: 'locked'; readonly sealwright: Sealwright }
  /** Unlocked, but without the grants that the app needs: show a "Connect" button. */
  | { readonly name: 'unconnected'; readonly sealwright: Sealwright }
  | {
      readonly name: 'ready';
      readonly sealwright: Sealwright;
      readonly grants: readonly Grant[];
    }
  /** The extension was updated, reloaded or removed. The state changes when it is back. */
  | { readonly name: 'disconnected'; readonly sealwright: Sealwright };

/** How to find Sealwright, and when it is "ready". */
export interface WatchOptions extends Pick<FindOptions, 'waitMs' | 'target'> {
  /** What the app needs to be "ready"; by default any grant. */
  readonly capabilities?: readonly Capability[] | undefined;
}

/**
 * An observable state. It works with React's useSyncExternalStore and is a Svelte store. On a server it is
 * 'looking', and 'absent' after `waitMs`.
 */
export interface SealwrightWatch {
  readonly state: SealwrightState;
  /** The first state, always the same object: what a server renders, and the page before it is hydrated. */
  readonly serverState: SealwrightState;
  /** Calls `listener` at once and at every change. @returns unsubscribes */
  readonly subscribe: (listener: (state: SealwrightState) => void) => () => void;
  readonly stop: () => void;
}

const LOOKING: SealwrightState = { name: 'looking' };

/** Events after which the state is read again. */
export const EVENTS = ['lock', 'unlock', 'grantchange', 'reconnect'] as const;

/**
 * Observes whether Sealwright is available, unlocked and granted.
 *
 * @example
 *   watchSealwright().subscribe((state) => {
 *     banner.textContent = explain(state.name);
 *     connect.hidden = state.name !== 'unconnected' && state.name !== 'locked';
 *   });
 */
export function watchSealwright(options: WatchOptions = {}): SealwrightWatch {
  checkOptions(options, 'waitMs', 'target', 'capabilities');
  const { waitMs = WAIT_MS, target, capabilities = [] } = options;
  const listeners = new Set<(state: SealwrightState) => void>();
  const endings = new AbortController();
  let state = LOOKING;
  let newest = 0;

  const become = (next: SealwrightState): void => {
    if (endings.signal.aborted) return;
    state = next;
    for (const listener of [...listeners]) listener(state);
  };

  /** Answers may arrive out of order: only that to the newest question is used. */
  const look = async (sealwright: Sealwright): Promise<void> => {
    const question = ++newest;
    const next = await stateOf(sealwright, capabilities);
    if (question === newest) become(next);
  };

  const meet = (sealwright: Sealwright): void => {
    clearTimeout(timer);
    const { signal } = endings;
    for (const name of EVENTS) {
      sealwright.addEventListener(name, () => void look(sealwright), { signal });
    }
    const onDisconnect = (): void => {
      newest += 1;
      become({ name: 'disconnected', sealwright });
    };
    sealwright.addEventListener('disconnect', onDisconnect, { signal });
    void look(sealwright);
  };

  const timer = later(waitMs, () => become({ name: 'absent' }));
  const stopFinding = onSealwright(meet, target);

  return {
    serverState: LOOKING,
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      listener(state);
      return () => listeners.delete(listener);
    },
    stop() {
      clearTimeout(timer);
      stopFinding();
      endings.abort();
    },
  };
}

async function stateOf(
  sealwright: Sealwright,
  wanted: readonly Capability[],
): Promise<SealwrightState> {
  try {
    const { locked, grants } = await sealwright.status();
    // While locked, `grants` is empty.
    if (locked) return { name: 'locked', sealwright };
    const granted = new Set(grants.flatMap(({ capabilities }) => capabilities));
    const isReady = grants.length > 0 && wanted.every((one) => granted.has(one));
    return isReady ? { name: 'ready', sealwright, grants } : { name: 'unconnected', sealwright };
  } catch {
    // `status` needs neither key nor grant: if it fails, all other methods fail too.
    return { name: 'disconnected', sealwright };
  }
}
