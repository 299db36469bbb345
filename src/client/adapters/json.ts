/** The prototypes to which pages add `toJSON`: Prototype.js 1.6 has arrays written as strings. */
const shared = (): readonly { readonly toJSON?: unknown }[] => [Object.prototype, Array.prototype];

/**
 * The JSON text of a value, as `JSON.stringify` gives it where a page has added no `toJSON` to arrays and objects. What is
 * sealed must not depend on that. The extension's own (extension/page/api/json-text.ts) trusts no other built-in of the page either.
 */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, unpatched);
}

/** A replacer, which gets the value after `toJSON`. */
function unpatched(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const before = this[key];
  const { toJSON } = Object(before) as { readonly toJSON?: unknown };
  return shared().some((one) => one.toJSON === toJSON) ? before : value;
}
