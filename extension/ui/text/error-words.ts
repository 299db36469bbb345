import type { MessageKey, Text } from './i18n.ts';

const WORDS: Readonly<Record<string, MessageKey>> = {
  LOCKED: 'errorLocked',
  DISCONNECTED: 'errorDisconnected',
  QUOTA: 'errorQuota',
  EXPIRED: 'errorExpired',
  INVALID_ARGUMENT: 'errorInvalidArgument',
  UNSUPPORTED: 'errorUnsupported',
  PASSKEY_CANCELLED: 'passkeyCancelled',
  PASSKEY_KNOWN: 'passkeyKnown',
  PASSKEY_NO_PRF: 'passkeyNoPrf',
};

/** The code of a SealwrightError; '' for any other value. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/**
 * A sentence that explains the error to the user. It depends on the code; `message` is for
 * developers.
 */
export function errorWords(error: unknown, text: Text): string {
  const code = errorCode(error);
  return text.t(Object.hasOwn(WORDS, code) ? WORDS[code]! : 'errorInternal');
}
