/* What peers written for Node expect as globals. */
export { Buffer } from 'buffer';
export const process = { env: {}, browser: true, version: 'v20.0.0', nextTick: queueMicrotask };
