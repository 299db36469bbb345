import type { ResultOf } from '../../src/rpc/methods/methods.ts';

const DAY_MS = 86_400_000;
/** A person gets to know the thing first. */
const FIRST_AFTER_MS = 7 * DAY_MS;
const RENEW_AFTER_MS = 90 * DAY_MS;
/** security.md R10: a restore drill after 30 days. */
const CHECK_AFTER_MS = 30 * DAY_MS;

/** No backup at all; one that is old; one that nobody has tried to open. */
export type BackupAdvice = 'make' | 'renew' | 'check';

/** What to remind of, if anything. @param vaultCreated null where it is not known */
export function backupAdvice(
  { made, checked }: ResultOf<'ui.backupTimes'>,
  vaultCreated: number | null,
  now: number,
): BackupAdvice | null {
  if (made === null) return now - (vaultCreated ?? 0) >= FIRST_AFTER_MS ? 'make' : null;
  if (now - made >= RENEW_AFTER_MS) return 'renew';
  const isTried = checked !== null && checked >= made;
  return !isTried && now - made >= CHECK_AFTER_MS ? 'check' : null;
}
