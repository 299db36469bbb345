import { UnreadableBlobError } from '../../extension/content/bulk/blob-slices.ts';
import type { PageKey } from '../page-text.ts';
import { Refusal } from '../refusal.ts';

const OF_DISK: Readonly<Record<string, PageKey>> = {
  QuotaExceededError: 'fileNoRoom',
  NotReadableError: 'fileUnreadable',
  NotFoundError: 'fileUnreadable',
};

/** The message for an error; undefined for none. */
export function problemOf(error: unknown): PageKey | undefined {
  if (error === undefined) return undefined;
  if (error instanceof Refusal) return error.words;
  if (error instanceof UnreadableBlobError) return 'fileUnreadable';
  return (error instanceof DOMException ? OF_DISK[error.name] : undefined) ?? 'pageFailed';
}
