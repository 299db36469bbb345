import type { ErrorData } from '../../../src/rpc/errors.ts';
import type { NeededGroup } from '../../../src/rpc/methods/ui-contacts.ts';
import type { MessageKey, Text } from './i18n.ts';

const WORDS: Readonly<Record<string, MessageKey>> = {
  LOCKED: 'errorLocked',
  DISCONNECTED: 'errorDisconnected',
  QUOTA: 'errorQuota',
  EXPIRED: 'errorExpired',
  INVALID_ARGUMENT: 'errorInvalidArgument',
  NO_WORKER: 'errorNoWorker',
  UNSUPPORTED: 'errorUnsupported',
  PASSKEY_CANCELLED: 'passkeyCancelled',
  PASSKEY_KNOWN: 'passkeyKnown',
  PASSKEY_NO_PRF: 'passkeyNoPrf',
};

/**
 * The code of a SealwrightError; '' for any other value. Where the browser could not start a worker it is NO_WORKER: a view
 * takes UNSUPPORTED for a fault of a file.
 */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  if (error.code === 'UNSUPPORTED' && needsWorker(error)) return 'NO_WORKER';
  return typeof error.code === 'string' ? error.code : '';
}

const needsWorker = (error: object): boolean =>
  'data' in error &&
  (error.data as Partial<ErrorData['UNSUPPORTED']> | undefined)?.needs === 'worker';

/** Whether a message needs a passphrase that was not given: NEEDS_KEY, which names the key of any other message. */
export const wantsPassphrase = (error: unknown): boolean =>
  errorCode(error) === 'NEEDS_KEY' &&
  (error as { readonly data?: ErrorData['NEEDS_KEY'] }).data === undefined;

/** What the user lacks to open a message for a group; undefined for any other error. */
export const neededGroup = (error: unknown): NeededGroup | undefined =>
  errorCode(error) === 'NEEDS_KEY'
    ? (error as { readonly data?: { readonly group?: NeededGroup } }).data?.group
    : undefined;

const NEEDED_OF_GROUP: Readonly<Record<NeededGroup['lacks'], MessageKey>> = {
  group: 'openFileForGroup',
  epoch: 'openForEpoch',
  member: 'openForMembers',
};

/** What the user can do about it. */
export const neededGroupWords = ({ name, lacks }: NeededGroup, text: Text): string =>
  text.t(NEEDED_OF_GROUP[lacks], ...(name === null ? [] : [name]));

/**
 * A sentence that explains the error to the user. It depends on the code; `message` is for
 * developers.
 */
export function errorWords(error: unknown, text: Text): string {
  const code = errorCode(error);
  return text.t(Object.hasOwn(WORDS, code) ? WORDS[code]! : 'errorInternal');
}
