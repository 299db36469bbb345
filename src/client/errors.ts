/*
 * Errors of the client itself. Errors of the provider are passed on unchanged: they are
 * SealwrightErrors with the codes of page-api.ts.
 */

import type { ReportedError, SealwrightError } from './page-api.ts';

/**
 * ABSENT: no provider answers on this page. UNSUPPORTED: the provider that answers cannot do what was asked. BAD_RESPONSE: a
 * server's answer has no sealed body. NOT_SEALED: a record from a server is not sealed. BAD_RECORD: the sealed content is not
 * a record of this kind. LOCAL_DATABASE: a transform for the remote database was set on a local one. ATTACHMENT: an
 * attachment would be sent to the server unsealed. WRONG_PLACE: a stored value was sealed under another name.
 */
export type ClientErrorCode =
  | 'ABSENT'
  | 'UNSUPPORTED'
  | 'BAD_RESPONSE'
  | 'NOT_SEALED'
  | 'BAD_RECORD'
  | 'LOCAL_DATABASE'
  | 'ATTACHMENT'
  | 'WRONG_PLACE';

/** An error of the client. Its message says what to do and can be shown to users. It contains no data. */
export class SealwrightClientError extends Error {
  /** Codes are stable; messages are not. */
  readonly code: ClientErrorCode;

  constructor(code: ClientErrorCode, message: string) {
    super(message);
    this.name = 'SealwrightClientError';
    this.code = code;
  }

  /** What JSON.stringify writes and an error report may have. */
  toJSON(): ReportedError {
    return { code: this.code, message: this.message, retryable: false };
  }
}

/** The codes of all errors of Sealwright: those of the extension, and those of the client. */
export type SealwrightErrorCode = SealwrightError['code'] | ClientErrorCode;

/**
 * Whether an error is one of the extension or of the client, of whichever frame or worker. Aborts, timeouts
 * and the errors of `subtle` are DOMExceptions. `sealwright/errors` has the same for the errors of all subpaths.
 *
 *     if (isSealwrightError(error, 'NOT_GRANTED')) offerToConnect(error.data.capability);
 *
 * @param codes if given, only an error with one of these codes, whose `data` has the type of the code
 */
export function isSealwrightError<C extends SealwrightErrorCode = SealwrightErrorCode>(
  error: unknown,
  ...codes: readonly C[]
): error is ErrorOf<C> {
  const { name = '', code } = Object(error) as Partial<SealwrightError>;
  return /^Sealwright(Client)?Error$/.test(name) && (!codes[0] || codes.includes(code as C));
}

/** The error of the extension or of the client with one of these codes. */
type ErrorOf<C> = (SealwrightError | SealwrightClientError) & { readonly code: C };

/**
 * Refuses an option of another name: one that is misspelt would be ignored, and its caller would believe in it.
 *
 * @throws TypeError
 */
export function checkOptions(options: object, ...names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    throw new TypeError(`options.${name}: no such option (${names.join(', ')})`);
  }
}

/**
 * Refuses another object in the place of the provider, which would fail at its first use, or never.
 *
 * @param members those that are used of it
 * @throws TypeError
 */
export function checkProvider(sealwright: unknown, ...members: readonly string[]): void {
  if (members.every((name) => name in Object(sealwright))) return;
  throw new TypeError('sealwright: expected the provider that connectSealwright returns');
}

/** The code of an error of the provider or of the client; undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
