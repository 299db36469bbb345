/** Plain JSON: the value of a record. Bytes are base64url strings. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * A deep, frozen copy of a JSON value, made from its text, so that the value in memory is exactly what
 * will be read back from storage.
 *
 * @throws TypeError where the value is not plain JSON and would come back as something else
 *   (undefined, NaN, a Date, a class instance, a cycle, a key `__proto__`).
 */
export function frozenJson(value: unknown): Json {
  checkJson(value, new Set());
  return deepFreeze(JSON.parse(JSON.stringify(value)) as Json);
}

/** Whether two JSON values are equal, whatever the order of keys, which browsers' stores change. */
export const sameJson = (a: unknown, b: unknown): boolean => canonicalText(a) === canonicalText(b);

/** The text of a JSON value, without spaces and with the keys of objects in the order of their UTF-16 code units. */
export const canonicalText = (value: unknown): string => JSON.stringify(sorted(value));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, sorted(each)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Parses JSON text into deeply frozen data. */
export function parseFrozen(text: string): Json {
  return deepFreeze(JSON.parse(text) as Json);
}

function checkJson(value: unknown, ancestors: Set<object>): void {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value !== 'object') throw new TypeError('value: not plain JSON');
  if (ancestors.has(value)) throw new TypeError('value: not plain JSON (cyclic)');
  ancestors.add(value);
  for (const item of itemsOf(value)) checkJson(item, ancestors);
  ancestors.delete(value);
}

function itemsOf(value: object): unknown[] {
  if (Array.isArray(value)) return Array.from(value as readonly unknown[]);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('value: not plain JSON (class instance)');
  }
  // JSON.parse keeps such a key, but object spreads and assignments of later code would not.
  if (Object.hasOwn(value, '__proto__')) throw new TypeError('value: not plain JSON (__proto__)');
  return Object.values(value);
}

function deepFreeze<T extends Json>(value: T): T {
  if (value !== null && typeof value === 'object') {
    for (const item of Object.values(value)) deepFreeze(item);
    Object.freeze(value);
  }
  return value;
}
