import { SealwrightClientError } from '../errors.ts';

/** The members of a record. */
export type Fields = Readonly<Record<string, unknown>>;

/** The payload if it is text. @throws SealwrightClientError NOT_SEALED: the server is not trusted */
export function sealedText(payload: unknown): string {
  if (typeof payload === 'string') return payload;
  throw new SealwrightClientError('NOT_SEALED', 'This record on the server is not sealed.');
}

/** The forms of a sealed payload (docs/sync.md): the armor of a message, a compact JWE, and the members of version 5. */
const ARMOR = /^sw1\.[\w-]+$/;
const COMPACT_JWE = /^[\w-]+(?:\.[\w-]*){4}$/;
const MEMBERS = {
  ciphertext: /^[A-Za-z\d+/]+={0,2}$/,
  IV: /^[A-Za-z\d+/]{22}(?:==)?$/,
  hmac: /^[\da-f]{64}$/,
} as const;

/** Whether the payload is a compact JWE (RFC 7516, section 7.1). */
export const isCompactJwe = (payload: string): boolean => COMPACT_JWE.test(payload);

/** Whether a text has the form of a sealed payload: it may be sent as it is. */
export function isSealed(payload: string): boolean {
  if (ARMOR.test(payload)) return true;
  try {
    if (isCompactJwe(payload)) return typeof jweHeader(payload)['enc'] === 'string';
    const members = JSON.parse(payload) as Fields;
    const isOfForm = ([name, form]: [string, RegExp]) => form.test(String(members[name]));
    return Object.entries(MEMBERS).every(isOfForm) && Object.keys(members).length === 3;
  } catch {
    return false;
  }
}

/** The protected header (RFC 7516, section 4). @throws Error for a text that has none */
export function jweHeader(jwe: string): Fields {
  const header = jwe.slice(0, jwe.indexOf('.')).replaceAll('-', '+').replaceAll('_', '/');
  return Object(JSON.parse(atob(header))) as Fields;
}

/** An opened payload if it is an object. @throws SealwrightClientError BAD_RECORD if it is not */
export function contentOf(payload: unknown): Fields {
  const isFields = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  if (isFields) return payload as Fields;
  throw new SealwrightClientError('BAD_RECORD', 'Something else than a record was sealed here.');
}

/** A copy with only the members whose names pass. */
export function membersOf(fields: object, passes: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => passes(name)));
}
