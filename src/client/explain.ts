import { codeOf } from './errors.ts';
import type { SealwrightError } from './page-api.ts';
import type { SealwrightState } from './watch.ts';

/** UNSUPPORTED in a frame, and the DOMExceptions of a call. */
type Others = 'frame' | 'AbortError' | 'TimeoutError';

/** Texts for users, in English. Apps can use their own instead. */
const WORDS: Readonly<Record<SealwrightState['name'] | SealwrightError['code'] | Others, string>> =
  {
    looking: 'Looking for Sealwright …',
    absent:
      'Sealwright does not answer here. Install the extension, or enable it on this site from its toolbar button.',
    locked: 'Sealwright is locked. Connect to unlock it.',
    unconnected: 'Sealwright is here. Connect to use it.',
    ready: 'Connected to Sealwright.',
    disconnected:
      'Sealwright was updated or turned off. Reload the page if it does not come back by itself.',
    USER_REJECTED: 'You said no. Nothing happened; you can be asked again.',
    NOT_GRANTED: 'This page has no permission for that. Connect first.',
    LOCKED: 'Sealwright is locked. Unlock it and try again.',
    UNSUPPORTED: 'Sealwright cannot do that here, or not in this version.',
    DISCONNECTED: 'Sealwright was updated or turned off. Try again in a moment.',
    NEEDS_KEY:
      'This was sealed with a key that this page does not have: it may belong to another address of the app, be on another device, or not be granted here.',
    QUOTA:
      'This page has to wait before it may do that again: a moment, or up to an hour where it has opened as much as you allow.',
    EXPIRED: 'The permission has ended. Connect again.',
    FROZEN:
      'Opening is stopped here: something opened a message that was put there as a trap. Answer in Sealwright, at its toolbar button.',
    BAD_ENVELOPE: 'This is not something that Sealwright has sealed.',
    AUTH_FAILED: 'This does not open: it was changed, or it was sealed for another place.',
    TOO_LARGE: 'This is too large for one call.',
    INVALID_ARGUMENT: 'The page made a mistake in its request.',
    INTERNAL: 'Something went wrong. Try again.',
    frame: 'Sealwright does not work in this frame. Open the app in a tab of its own.',
    AbortError: 'This was ended before it was done.',
    TimeoutError: 'This took too long. Try again.',
  };

/**
 * A sentence for users about a state, or about whatever was thrown. The message of an error that is not of this package was
 * not written for users, and may hold anything: it is not shown.
 *
 *     catch (error) { line.textContent = explain(error); }
 */
export function explain(what: unknown): string {
  const { name, message, data } = Object(what) as Partial<SealwrightError>;
  // Messages of client errors are already written for users.
  if ((name as string) === 'SealwrightClientError') return String(message);
  const code = name === 'SealwrightError' ? codeOf(what) : name;
  const isFrame =
    code === 'UNSUPPORTED' && (data as { reason?: unknown } | undefined)?.reason === 'frame';
  const key = typeof what === 'string' ? what : isFrame ? 'frame' : String(code);
  return Object.hasOwn(WORDS, key) ? WORDS[key as keyof typeof WORDS] : WORDS.INTERNAL;
}
