/*
 * Errors from before the use of a key. Every later failure is the AuthenticationError of
 * src/crypto/errors.ts, whatever the cause.
 */
import { AuthenticationError } from '../crypto/errors.ts';

/**
 * - BAD_ENVELOPE: these bytes are not a sealed message of a known version.
 * - TOO_LARGE: a limit of docs/format.md section 10 is exceeded.
 * - UNSUPPORTED: a well-formed request that this release does not support.
 * - NEEDS_KEY: an epoch of a group is missing (groups/history.ts).
 */
export type EnvelopeErrorCode = 'BAD_ENVELOPE' | 'TOO_LARGE' | 'UNSUPPORTED' | 'NEEDS_KEY';

/** A failure that depends on public bytes alone: its message may be shown to anyone. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError';
  readonly code: EnvelopeErrorCode;

  /** By its name, as AuthenticationError's. */
  static override [Symbol.hasInstance](value: unknown): value is EnvelopeError {
    return value instanceof Error && value.name === 'EnvelopeError';
  }

  constructor(code: EnvelopeErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The page API's code for a failure of the format; undefined for other errors. */
export function formatErrorCode(error: unknown): EnvelopeErrorCode | 'AUTH_FAILED' | undefined {
  if (error instanceof AuthenticationError) return 'AUTH_FAILED';
  return error instanceof EnvelopeError ? error.code : undefined;
}
