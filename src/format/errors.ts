/*
 * What goes wrong before any key is used. Everything that fails afterwards, whatever the cause, is
 * the one AuthenticationError of src/crypto/errors.ts.
 */
import { AuthenticationError } from '../crypto/errors.ts';

/**
 * - BAD_ENVELOPE: these bytes are no sealed message of a version known here.
 * - TOO_LARGE: a limit of docs/format.md section 10 is passed.
 * - UNSUPPORTED: a well-formed request that this release cannot serve yet.
 */
export type EnvelopeErrorCode = 'BAD_ENVELOPE' | 'TOO_LARGE' | 'UNSUPPORTED';

/** A failure that depends on public bytes alone: its message may be shown to anyone. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError';
  readonly code: EnvelopeErrorCode;

  constructor(code: EnvelopeErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What the page contract calls a failure of the format; undefined for anything else. */
export function formatErrorCode(error: unknown): EnvelopeErrorCode | 'AUTH_FAILED' | undefined {
  if (error instanceof AuthenticationError) return 'AUTH_FAILED';
  return error instanceof EnvelopeError ? error.code : undefined;
}
