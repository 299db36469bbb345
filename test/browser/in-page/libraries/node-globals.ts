/* Globals of Node that PouchDB's adapter for memory expects. */
export { Buffer } from 'buffer';

export const process = {
  env: {},
  browser: true,
  version: 'v20.0.0',
  nextTick: (work: (...args: unknown[]) => void, ...args: unknown[]): void =>
    queueMicrotask(() => work(...args)),
};
