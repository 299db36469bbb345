import type {
  ProviderInfo,
  ReportedError,
  Sealwright,
  SealwrightError,
  SealwrightSync,
} from '../page-api.ts';

/*
 * The messages between a page and its worker. Both ends belong to one page and this package: the port
 * is not a security boundary, and the extension trusts neither end.
 */

/** The methods that return a stream. */
export type StreamName = 'sealStream' | 'openStream';

type Plain = Exclude<
  keyof Sealwright,
  keyof EventTarget | 'info' | 'sync' | 'subtle' | NotInWorkers
>;

/** Missing in workers, because a port answers asynchronously. So is `subtle.supports`. */
export type NotInWorkers = 'sealedLength';

/** `sealwright.subtle` in a worker. */
export type WorkerSubtle = Omit<Sealwright['subtle'], 'supports'>;

/** The methods of the page API that a worker has. */
export type MethodName = Plain | `sync.${keyof SealwrightSync}` | `subtle.${keyof WorkerSubtle}`;

/** Whether a method returns a stream. */
export function isStream(method: MethodName): method is StreamName {
  return method.endsWith('Stream');
}

/** The page's ends of the two streams that a worker writes to and reads from. */
export type StreamEnds = ReadableWritablePair<Uint8Array, Uint8Array>;

/** A call of a worker. */
export interface CallMessage {
  readonly kind: 'call';
  readonly id: number;
  readonly method: MethodName;
  /** As many as the method has. `options` lacks what cannot be copied. */
  readonly args: readonly unknown[];
  readonly options: object;
  readonly wantsProgress: boolean;
  readonly ends?: StreamEnds;
}

/** What a worker sends to its page. */
export type ToPage =
  | { readonly kind: 'hello'; readonly lifeline: string }
  | CallMessage
  | { readonly kind: 'abort'; readonly id: number }
  /** A key that the worker's scripts cannot reach any more. */
  | { readonly kind: 'drop'; readonly key: number };

/** Progress or outcome of a call. */
export interface News {
  readonly kind: 'progress' | 'answer' | 'failure';
  readonly id: number;
  readonly value: unknown;
}

/** What a page sends to its worker. */
export type ToWorker =
  | { readonly kind: 'hello'; readonly lifeline: string; readonly info: ProviderInfo }
  | { readonly kind: 'event'; readonly name: string }
  | News;

interface PackedError {
  readonly sealwrightError: Pick<SealwrightError, 'message' | 'code' | 'retryable' | 'data'> & {
    readonly report: ReportedError;
  };
}

/** A SealwrightError as plain data: structured clone drops its code. Other values are unchanged. */
export function packError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'SealwrightError') return error;
  const { message, code, retryable, data } = error as SealwrightError;
  // An older extension's errors have none.
  const report = (error as Partial<SealwrightError>).toJSON?.() ?? { code, message, retryable };
  return { sealwrightError: { message, code, retryable, data, report } } satisfies PackedError;
}

/** The error in a message of `packError`; any other value unchanged. */
export function unpackError(error: unknown): unknown {
  const parts = (error as Partial<PackedError> | null | undefined)?.sealwrightError;
  if (!parts) return error;
  const { report, ...own } = parts;
  return Object.assign(sealwrightError(own.code, own.message, report), own);
}

/** A key of `subtle`, which stays in the page: a result has all members, an argument its number alone. */
export interface KeyMessage extends CryptoKey {
  readonly sealwrightKey: number;
}

/** The message for a key; undefined for any other value. */
export function packedKey(value: unknown): KeyMessage | undefined {
  const message = value as Partial<KeyMessage> | null | undefined;
  return message?.sealwrightKey === undefined ? undefined : (message as KeyMessage);
}

/** Changes the errors in a value: the value itself, or those in the results of a batch. */
export function withErrors(value: unknown, change: (error: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return change(value);
  return value.map((one: unknown) => {
    const { ok, error } = Object(one) as { readonly ok?: unknown; readonly error?: unknown };
    return ok === false ? { ok, error: change(error) } : one;
  });
}

/** An error like those of the provider. */
export function sealwrightError(
  code: SealwrightError['code'],
  message: string,
  report: ReportedError = { code, message, retryable: false },
): SealwrightError {
  const error = Object.assign(new Error(message), { code, retryable: false });
  return Object.defineProperties(error, {
    name: { value: 'SealwrightError' },
    toJSON: { value: () => report },
  }) as unknown as SealwrightError;
}
