/** The prototypes to which pages add `toJSON`: Prototype.js 1.6 has arrays written as strings. */
const SHARED: readonly object[] = [Object.prototype, Array.prototype];

/**
 * The JSON text of a value, as `JSON.stringify` gives it where a page has added no `toJSON` to arrays and objects. What is
 * sealed must not depend on that.
 */
export function jsonOf(value: unknown): string {
  return JSON.stringify(shielded(value, ''));
}

function shielded(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { toJSON } = value as { toJSON?: unknown };
  const isShared = SHARED.some((one) => (one as { toJSON?: unknown }).toJSON === toJSON);
  if (typeof toJSON === 'function' && !isShared) return toJSON.call(value, key) as unknown;
  const copy = Array.isArray(value)
    ? value.map((one, i) => shielded(one, String(i)))
    : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shielded(one, name)]));
  return Object.hasOwn(copy, 'toJSON') ? copy : Object.defineProperty(copy, 'toJSON', {});
}
