/*
 * The errors of the page contract: one class, a closed list of codes, and their form on the wire.
 * This file alone decides what a page learns of an error. Only a SealwrightError crosses contexts;
 * every other error becomes INTERNAL with one fixed message, so that neither a stack nor a secret in
 * a library's message leaves the extension.
 */

import type { Capability } from './key-kinds.ts';

/** code → whether the same call may succeed when simply tried again. */
const RETRYABLE = {
  USER_REJECTED: false,
  NOT_GRANTED: false,
  LOCKED: true, // once the user has unlocked
  UNSUPPORTED: false,
  DISCONNECTED: true, // once the extension is back
  NEEDS_KEY: false,
  QUOTA: true, // after data.retryAfterMs
  EXPIRED: false,
  FROZEN: false,
  BAD_ENVELOPE: false,
  AUTH_FAILED: false,
  TOO_LARGE: false,
  INVALID_ARGUMENT: false,
  INTERNAL: true,
} as const;

/** A code of the page contract. Codes are stable; messages are not. */
export type ErrorCode = keyof typeof RETRYABLE;

/** All codes of the page contract. */
export const ERROR_CODES = Object.freeze(Object.keys(RETRYABLE)) as readonly ErrorCode[];

/** The data of the codes that have some. */
export interface ErrorData {
  readonly QUOTA: { readonly retryAfterMs: number };
  readonly NEEDS_KEY: { readonly headerKeyId: string };
  /** Where the browser could not start a worker, and where the frame that calls is not served. */
  readonly UNSUPPORTED: { readonly needs?: 'worker'; readonly reason?: 'frame' } | undefined;
  /** What the user would have to grant. `keyId` only where this origin has, or had, a grant for that key. */
  readonly NOT_GRANTED: {
    readonly capability: Capability;
    readonly collection?: string;
    readonly keyId?: string;
  };
}

/** An error as it crosses a context. */
export interface WireError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data?: unknown;
}

const hasOwn = Object.hasOwn;
const define = Object.defineProperty;
/** The members of `data` that name no key and no collection. */
const REPORTED = ['capability', 'retryAfterMs', 'needs', 'reason'] as const;
const INTERNAL: WireError = { code: 'INTERNAL', message: 'Sealwright met an unexpected error' };

/** The one error class that crosses contexts. Instances hold plain own properties. */
export class SealwrightError extends Error {
  declare readonly name: 'SealwrightError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  declare readonly data?: unknown;

  /** @param message shown to people: no secret, no argument's content. */
  constructor(code: ErrorCode, message: string, data?: unknown) {
    super(message);
    define(this, 'name', { value: 'SealwrightError', configurable: true, writable: true });
    this.code = code;
    this.retryable = RETRYABLE[code];
    if (data !== undefined) define(this, 'data', { value: data, enumerable: true });
  }

  /** What a page may report of it: of `data` nothing that names a key or a collection. */
  toJSON(): Omit<WireError, 'data'> & { retryable: boolean; data?: Record<string, unknown> } {
    const { code, message, retryable } = this;
    const reported: Record<string, unknown> = {};
    const data = (this.data ?? reported) as Record<string, unknown>;
    let some = false;
    for (let i = 0; i < REPORTED.length; i++) {
      const name = REPORTED[i]!;
      if (!hasOwn(data, name)) continue;
      reported[name] = data[name];
      some = true;
    }
    return some ? { code, message, retryable, data: reported } : { code, message, retryable };
  }
}

/** Whether a value from outside is one of the codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && hasOwn(RETRYABLE, value);
}

/** What the other side learns of an error: INTERNAL for everything but a SealwrightError. */
export function toWire(error: unknown): WireError {
  if (!(error instanceof SealwrightError)) return INTERNAL;
  const { code, message, data } = error;
  return data === undefined ? { code, message } : { code, message, data };
}

/** The error of a response, to be thrown to the caller. */
export function fromWire({ code, message, data }: WireError): SealwrightError {
  return new SealwrightError(code, message, data);
}

/** NEEDS_KEY: one error for a key that is unknown and for one that is not granted. */
export function needsKey(headerKeyId: string): SealwrightError {
  const message = 'No key here opens this: of another address, on another device, or not granted';
  return new SealwrightError('NEEDS_KEY', message, { headerKeyId });
}

/** UNSUPPORTED: a frame that is not served, with words that say what helps. */
export function frameRefused(message: string): SealwrightError {
  return new SealwrightError('UNSUPPORTED', message, { reason: 'frame' });
}

/** AUTH_FAILED: one error for every failure that depends on a secret. */
export function notOpened(): SealwrightError {
  return new SealwrightError('AUTH_FAILED', 'The message could not be opened');
}

/** QUOTA, with the number of ms after which to try again. */
export function tooBusy(retryAfterMs: number): SealwrightError {
  return new SealwrightError('QUOTA', 'Too many calls at once', { retryAfterMs });
}

/** DISCONNECTED: the extension was removed, reloaded or disabled. */
export function disconnected(message = 'The extension is gone'): SealwrightError {
  return new SealwrightError('DISCONNECTED', message);
}
