/* What key files and proofs have in common: one JSON object, whose bytes are in base64url without padding. */
import { fromBase64url } from '../../crypto/bytes.ts';

/**
 * @returns undefined for a text that is not a JSON object. The parser's error is not passed on, because it quotes the text,
 *   which may contain a key.
 */
export function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null
      ? (json as Record<string, unknown>)
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** @returns fresh bytes; undefined for what is not base64url */
export function base64urlBytes(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return fromBase64url(value);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
