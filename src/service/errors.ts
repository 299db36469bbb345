import { AuthenticationError } from '../crypto/errors.ts';
import type { Awaitable } from '../engine/contract.ts';
import { EnvelopeError } from '../format/errors.ts';
import { VaultError, type VaultErrorCode } from '../keys/values/errors.ts';
import { CircleFullError } from '../keys/circle/membership.ts';
import { PairingError } from '../keys/pairing/offer.ts';
import { notOpened, SealwrightError, type ErrorCode } from '../rpc/errors.ts';
import type { NeededGroup } from '../rpc/methods/ui-contacts.ts';
import type { Missing, Refusal } from './grants/grant-rules.ts';

/*
 * Maps what the layers below throw to the errors of the page API. Every other error becomes INTERNAL
 * with one fixed message, so that nothing of it reaches a page.
 */

/** 16 zero bytes, base64url. */
const NO_KEY_ID = 'A'.repeat(22);

const LOCKED_OUT = ['LOCKED', 'Sealwright is locked'] as const;
const NOT_SAVED = ['INTERNAL', 'Saving failed; nothing was changed'] as const;

/** A page cannot tell a locked vault from one that is absent or lost: each wants the user. */
const OF_VAULT: Record<VaultErrorCode, readonly [ErrorCode, string]> = {
  ABSENT: LOCKED_OUT,
  LOST: LOCKED_OUT,
  LOCKED: LOCKED_OUT,
  WRONG_PASSPHRASE: ['AUTH_FAILED', 'The passphrase does not open the vault'],
  LAST_SLOT: ['INVALID_ARGUMENT', 'The last passphrase cannot be taken away'],
  BAD_BACKUP: ['BAD_ENVELOPE', 'This is not a backup, or it is damaged'],
  BAD_REQUEST: ['BAD_ENVELOPE', 'This is not a request to friends or an answer, or it is damaged'],
  TOO_COSTLY: ['TOO_LARGE', 'The passphrase of this backup asks for too much work'],
  EXISTS: ['INVALID_ARGUMENT', 'There is a vault already'],
  CORRUPT: ['INTERNAL', 'Both copies of a stored value are damaged'],
  NEWER: ['UNSUPPORTED', 'The vault was written by a newer version of Sealwright'],
  QUOTA: ['INTERNAL', 'There is no room to save; nothing was changed'],
  UNAVAILABLE: NOT_SAVED,
};

const OF_PAIRING: Record<PairingError['code'], readonly [ErrorCode, string]> = {
  MALFORMED: ['BAD_ENVELOPE', 'This is not from a device that pairs, or it is damaged'],
  TOO_LARGE: ['TOO_LARGE', 'There is too much in the vault to give to another device'],
};

/** @returns an error that may be told to the caller; aborts pass as they are */
export function asCallerError(error: unknown): Error {
  if (error instanceof SealwrightError) return error;
  if (error instanceof AuthenticationError) return notOpened();
  if (error instanceof EnvelopeError) {
    // A message to a group names no key in its header.
    const data = error.code === 'NEEDS_KEY' ? { headerKeyId: NO_KEY_ID } : undefined;
    return new SealwrightError(error.code, error.message, data);
  }
  if (error instanceof VaultError) return new SealwrightError(...OF_VAULT[error.code]);
  if (error instanceof CircleFullError) {
    return new SealwrightError('TOO_LARGE', 'There are eight devices already: remove one first');
  }
  if (error instanceof PairingError) return new SealwrightError(...OF_PAIRING[error.code]);
  if (error instanceof DOMException && error.name === 'AbortError') return error;
  return new SealwrightError('INTERNAL', 'Sealwright met an unexpected error');
}

/**
 * Early browsers lack Ed25519 (Chromium before 137). No library replaces it.
 *
 * @param words of the error where the platform lacks what the work needs
 * @throws SealwrightError UNSUPPORTED; what the work throws
 */
export async function whereSupported<T>(words: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isUnsupported(error) ? new SealwrightError('UNSUPPORTED', words) : error;
  }
}

/** Whether the platform lacks an algorithm that a call of WebCrypto named. */
export const isUnsupported = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'NotSupportedError';

/** NEEDS_KEY for the extension's own pages: names the user's group, which no page of a site may learn. */
export function needsGroup(group: NeededGroup): SealwrightError {
  const message = 'The message is for a group, of which something is missing here';
  return new SealwrightError('NEEDS_KEY', message, { headerKeyId: NO_KEY_ID, group });
}

/** Whether a message is under a key that the vault does not have, or for a group that the user needs something of. */
export function isKeyNeeded(error: unknown): boolean {
  return error instanceof SealwrightError && error.code === 'NEEDS_KEY';
}

/** EXPIRED: a grant is over. */
export function expired(): SealwrightError {
  return new SealwrightError('EXPIRED', 'The grant for this has expired or is used up');
}

/** NOT_GRANTED, with what is missing as its `data`. */
export function notGranted(missing: Missing): SealwrightError {
  const message = `The user has not granted "${missing.capability}" for this`;
  return new SealwrightError('NOT_GRANTED', message, missing);
}

/** The error for what the grants do not allow. */
export function refused(refusal: Refusal): SealwrightError {
  if (refusal.code === 'NOT_GRANTED') return notGranted(refusal.missing);
  if (refusal.code === 'FROZEN') return frozen();
  return refusal.code === 'EXPIRED' ? expired() : hourUsedUp(refusal.retryAfterMs);
}

/** FROZEN: a decoy was opened under the grant, which opens nothing until the user has answered. */
export function frozen(): SealwrightError {
  const message =
    'A decoy was opened: the user decides in Sealwright whether this page may open more';
  return new SealwrightError('FROZEN', message);
}

/** QUOTA: the grant has opened as much as it may in an hour. */
function hourUsedUp(retryAfterMs: number): SealwrightError {
  const message = 'The grant has opened as much as it may in an hour';
  return new SealwrightError('QUOTA', message, { retryAfterMs });
}

/**
 * The layers below refuse what people typed (a passphrase, a label) with TypeError and RangeError.
 * Their messages name the argument and never quote it.
 *
 * @throws SealwrightError INVALID_ARGUMENT for those
 */
export function argumentChecked<T>(work: Promise<T>): Promise<T>;
export function argumentChecked<T>(work: Awaitable<T>): Awaitable<T>;
export function argumentChecked<T>(work: Awaitable<T>): Awaitable<T> {
  if (!(work instanceof Promise)) return work;
  return work.catch((error: unknown) => {
    const isMistake = error instanceof TypeError || error instanceof RangeError;
    throw isMistake ? new SealwrightError('INVALID_ARGUMENT', error.message) : error;
  });
}
