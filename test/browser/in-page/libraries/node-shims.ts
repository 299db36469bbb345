/* What PouchDB's adapter for memory takes of Node's `util` and `assert`. */
export { default as inherits } from 'inherits';

export function strictEqual(actual: unknown, expected: unknown, message: string): void {
  if (actual !== expected) throw new Error(message);
}
