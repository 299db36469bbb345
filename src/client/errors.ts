/*
 * Errors of the client itself. Errors of the provider are passed on unchanged: they are
 * SealwrightErrors with the codes of page-api.ts.
 */

import type { SealwrightError } from './page-api.ts';

/** See the comment of each code. */
export type ClientErrorCode =
  | 'ABSENT' // no provider answers on this page
  | 'UNSUPPORTED' // the provider that answers cannot do what was asked
  | 'BAD_RESPONSE' // a server's answer has no sealed body
  | 'NOT_SEALED' // a record from a server is not sealed
  | 'BAD_RECORD' // the sealed content is not a record of this kind
  | 'LOCAL_DATABASE' // a transform for the remote database was set on a local one
  | 'ATTACHMENT' // an attachment would be sent to the server unsealed
  | 'WRONG_PLACE'; // a stored value was sealed under another name

/** An error of the client. Its message says what to do and can be shown to users. It contains no data. */
export class SealwrightClientError extends Error {
  readonly code: ClientErrorCode;

  constructor(code: ClientErrorCode, message: string) {
    super(message);
    this.name = 'SealwrightClientError';
    this.code = code;
  }
}

/** The codes of all errors of Sealwright: those of the extension, and those of the client. */
export type SealwrightErrorCode = SealwrightError['code'] | ClientErrorCode;

/**
 * Whether an error is one of the extension or of the client, of whichever frame or worker. Aborts, timeouts
 * and the errors of `subtle` are DOMExceptions. `sealwright/errors` has the same for the errors of all subpaths.
 *
 * @param codes if given, only an error with one of these codes
 */
export function isSealwrightError(
  error: unknown,
  ...codes: readonly SealwrightErrorCode[]
): error is SealwrightError | SealwrightClientError {
  const { name = '', code } = Object(error) as Partial<SealwrightError>;
  return /^Sealwright(Client)?Error$/.test(name) && (!codes[0] || codes.includes(code!));
}

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
