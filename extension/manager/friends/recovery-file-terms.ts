import type { MessageKey } from '../../ui/text/i18n.ts';

/** Which files the fields for a recovery file accept: src/keys reads no longer ones. */
export const RECOVERY_FILE = {
  maxBytes: 16 * 2 ** 20,
  missing: 'friendsFileMissing',
  tooLarge: 'friendsFileBad',
} as const;

/** Errors of a recovery file, by the error's code. */
export const FILE_ERRORS: Readonly<Record<string, MessageKey>> = {
  BAD_ENVELOPE: 'friendsFileBad',
  TOO_LARGE: 'friendsFileBad',
  UNSUPPORTED: 'friendsNewer',
};
