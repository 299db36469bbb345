const FATAL = { fatal: true } as const;

/** What JSON.parse makes of "{…}". */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The members that a text from outside names. What the parser says of a wrong one would quote it, and
 * stays here.
 *
 * @param text as bytes, UTF-8
 * @returns undefined for what is no JSON, or JSON of nothing that has members
 */
export function membersIn(text: string | Uint8Array): JsonObject | undefined {
  try {
    const json = typeof text === 'string' ? text : new TextDecoder('utf-8', FATAL).decode(text);
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}
