/* `sealwright/errors`: the errors of all subpaths, of the client and of the extension, and how to tell them. */

/** The codes of each error. docs/library.md says what they mean, docs/format.md those of messages. */
export interface SealwrightErrorCodes {
  /** Of a provider: the extension on a page. A newer one may have more codes. */
  readonly SealwrightError:
    | 'USER_REJECTED'
    | 'NOT_GRANTED'
    | 'LOCKED'
    | 'UNSUPPORTED'
    | 'DISCONNECTED'
    | 'NEEDS_KEY'
    | 'QUOTA'
    | 'EXPIRED'
    | 'FROZEN'
    | 'BAD_ENVELOPE'
    | 'AUTH_FAILED'
    | 'TOO_LARGE'
    | 'INVALID_ARGUMENT'
    | 'INTERNAL';
  /** Of the client, `sealwright`. */
  readonly SealwrightClientError:
    | 'ABSENT'
    | 'UNSUPPORTED'
    | 'BAD_RESPONSE'
    | 'NOT_SEALED'
    | 'BAD_RECORD'
    | 'LOCAL_DATABASE'
    | 'ATTACHMENT'
    | 'WRONG_PLACE';
  /** Of `sealwright/format` and `/sharing`. */
  readonly EnvelopeError: 'BAD_ENVELOPE' | 'TOO_LARGE' | 'UNSUPPORTED' | 'NEEDS_KEY';
  /** Of `sealwright/format`, `/sync`, `/classical`, `/legacy` and `/algorithms`. */
  readonly AuthenticationError: 'AUTH_FAILED';
  /** Of `sealwright/sync`. */
  readonly SyncError: 'BAD_RECORD' | 'BAD_CLEARTEXT';
  /** Of `sealwright/random`. */
  readonly NotSeededError: 'NOT_SEEDED';
}

/** The `name` of an error of this package. */
export type SealwrightErrorName = keyof SealwrightErrorCodes;

/** The `code` of an error of this package. */
export type SealwrightErrorCode = SealwrightErrorCodes[SealwrightErrorName];

/** Any error of this package. Its message may change, its code does not. */
export interface AnySealwrightError<C extends string = SealwrightErrorCode> extends Error {
  readonly name: SealwrightErrorName;
  readonly code: C;
}

const NAMES: Readonly<Record<SealwrightErrorName, true>> = {
  SealwrightError: true,
  SealwrightClientError: true,
  EnvelopeError: true,
  AuthenticationError: true,
  SyncError: true,
  NotSeededError: true,
};

/**
 * Whether an error is of this package: thrown by the client, by the extension or by a subpath, in whichever copy or
 * version of it, on whichever thread. `sealwright/subtle` has the DOMExceptions of WebCrypto instead.
 *
 * @param codes if given, only an error with one of these codes
 */
export function isSealwrightError<C extends SealwrightErrorCode = SealwrightErrorCode>(
  error: unknown,
  ...codes: readonly C[]
): error is AnySealwrightError<C> {
  if (typeof error !== 'object' || error === null) return false;
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  const isOurs = typeof name === 'string' && Object.hasOwn(NAMES, name) && typeof code === 'string';
  return isOurs && (codes.length === 0 || codes.includes(code as C));
}
