const FATAL = { fatal: true } as const;

/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object, and neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses untrusted JSON. Parser errors are not passed on, because their messages quote the text.
 *
 * @param text as bytes, UTF-8
 * @returns undefined if the text is not JSON, or neither an object nor an array
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
