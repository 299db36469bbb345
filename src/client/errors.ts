/*
 * What goes wrong on the client's side of the contract, before or beside any call of the provider.
 * Errors of the provider itself pass through untouched: they are SealwrightErrors with the codes
 * of page-api.ts.
 */

export type ClientErrorCode =
  | 'ABSENT' // no provider answers on this page
  | 'UNSUPPORTED' // the provider that answers cannot do what was asked
  | 'NOT_SEALED' // a record that came from a server is not sealed at all
  | 'BAD_RECORD' // what was sealed there is no record of this kind
  | 'LOCAL_DATABASE' // a transform that belongs on the remote handle was put on a local one
  | 'ATTACHMENT' // an attachment would have gone to the server unsealed
  | 'WRONG_PLACE'; // a stored value opened, but it was stored under another name

/** Its message says what to do, and may be shown to people. It never holds data. */
export class SealwrightClientError extends Error {
  readonly code: ClientErrorCode;

  constructor(code: ClientErrorCode, message: string) {
    super(message);
    this.name = 'SealwrightClientError';
    this.code = code;
  }
}

/** The code of an error of the provider or of the client; undefined where there is none. */
export function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
