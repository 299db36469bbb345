import { codeOf } from './errors.ts';
import type { SealwrightError } from './page-api.ts';
import type { SealwrightState } from './watch.ts';

/** Texts for users, in English. Apps can use their own instead. */
const WORDS: Readonly<Record<SealwrightState['name'] | SealwrightError['code'], string>> = {
  looking: 'Looking for Sealwright …',
  absent:
    'Sealwright does not answer here. Install the extension, or enable it on this site from its toolbar button.',
  locked: 'Sealwright is locked. Unlock it from the toolbar.',
  unconnected: 'Sealwright is here. Connect to use it.',
  ready: 'Connected to Sealwright.',
  disconnected:
    'Sealwright was updated or turned off. Reload the page if it does not come back by itself.',
  USER_REJECTED: 'You said no. Nothing happened; you can be asked again.',
  NOT_GRANTED: 'This page has no permission for that. Connect first.',
  LOCKED: 'Sealwright is locked. Unlock it and try again.',
  UNSUPPORTED: 'Sealwright cannot do that here, or not in this version.',
  DISCONNECTED: 'Sealwright was updated or turned off. Try again in a moment.',
  NEEDS_KEY: 'This was sealed with a key that is not on this device or not granted to this page.',
  QUOTA: 'This page has to wait before it may do that again. Try again in a moment.',
  EXPIRED: 'The permission has ended. Connect again.',
  BAD_ENVELOPE: 'This is not something that Sealwright has sealed.',
  AUTH_FAILED: 'This does not open: it was changed, or it was sealed for another place.',
  TOO_LARGE: 'This is too large for one call.',
  INVALID_ARGUMENT: 'The page made a mistake in its request.',
  INTERNAL: 'Something went wrong. Try again.',
};

/** A sentence for users about a state, or about the error of a call. */
export function explain(what: SealwrightState['name'] | Error): string {
  if (typeof what === 'string') return WORDS[what];
  const words = WORDS[codeOf(what) as SealwrightError['code']] as string | undefined;
  // Not every value that is thrown is an error.
  const { name, message = WORDS.INTERNAL } = Object(what) as Partial<Error>;
  // Messages of client errors are already written for users.
  return name === 'SealwrightError' && words !== undefined ? words : message;
}
