import { sealedText } from './content.ts';
import type { Fields } from './content.ts';

/*
 * Where in a record of Kinto's the sealed payload stands. Firefox spreads the members of version 5
 * and of its Kinto format over the record, and Firefox Notes keeps a JWE in `content` with its key
 * id beside it; a payload of the house format stands in `payload`.
 *
 *   {"id":"n1","ciphertext":"yX7Y…","IV":"KdrO…","hmac":"7b9e…","last_modified":1700000000000}
 */
const COMPACT_JWE = /^[\w-]+(?:\.[\w-]*){4}$/;

export function laidOut(payload: string): Fields {
  if (payload.startsWith('{')) return JSON.parse(payload) as Fields;
  if (COMPACT_JWE.test(payload)) return { content: payload, kid: keyIdOf(payload) };
  return { payload };
}

/** @throws SealwrightClientError NOT_SEALED for a record with no sealed payload anywhere */
export function gatheredUp(record: Fields): string {
  const { payload, content, ciphertext, IV, hmac } = record;
  if (typeof ciphertext === 'string') return JSON.stringify({ ciphertext, IV, hmac });
  return sealedText(payload ?? content);
}

/** Of the JWE's protected header (RFC 7516, section 4.1.6). */
function keyIdOf(jwe: string): unknown {
  const header = jwe.slice(0, jwe.indexOf('.')).replaceAll('-', '+').replaceAll('_', '/');
  return (JSON.parse(atob(header)) as { kid?: unknown }).kid;
}
