import { SealwrightClientError } from '../errors.ts';

/** The members of an object, as sync libraries know records. */
export type Fields = Readonly<Record<string, unknown>>;

/** @throws SealwrightClientError NOT_SEALED: a server could put anything there */
export function sealedText(payload: unknown): string {
  if (typeof payload === 'string') return payload;
  throw new SealwrightClientError('NOT_SEALED', 'This record on the server is not sealed.');
}

/** @throws SealwrightClientError BAD_RECORD for what is authentic, and yet no object */
export function contentOf(payload: unknown): Fields {
  const isFields = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  if (isFields) return payload as Fields;
  throw new SealwrightClientError('BAD_RECORD', 'Something else than a record was sealed here.');
}

/** The members whose names pass. */
export function membersOf(fields: object, passes: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => passes(name)));
}
