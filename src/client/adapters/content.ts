import { SealwrightClientError } from '../errors.ts';

/** The members of a record. */
export type Fields = Readonly<Record<string, unknown>>;

/** The payload if it is text. @throws SealwrightClientError NOT_SEALED: the server is not trusted */
export function sealedText(payload: unknown): string {
  if (typeof payload === 'string') return payload;
  throw new SealwrightClientError('NOT_SEALED', 'This record on the server is not sealed.');
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
