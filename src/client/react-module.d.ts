/* What src/client uses of React, whose types are a package of their own. */
declare module 'react' {
  export function useSyncExternalStore<Snapshot>(
    subscribe: (onChange: () => void) => () => void,
    getSnapshot: () => Snapshot,
    getServerSnapshot?: () => Snapshot,
  ): Snapshot;
}
