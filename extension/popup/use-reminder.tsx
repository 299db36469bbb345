import type { ComponentChildren } from 'preact';
import type { UiState } from '../ui/environment/surface.ts';
import { useQuery } from '../ui/hooks/use-query.ts';
import { useBackupReminder } from './backup-reminder.tsx';
import { RecoveryReminder } from './recovery-reminder.tsx';

/**
 * The one reminder above every screen. A missing recovery code comes first, then the backup.
 *
 * @returns null: there is none; undefined: not known yet, so that the caller can show reminder and
 *   screen at the same time. A reminder that came later would move the buttons below it.
 */
export function useReminder(state: UiState): ComponentChildren {
  const { data: slots, error } = useQuery('ui.slots', {});
  const backup = useBackupReminder(state);
  if (slots === undefined) return error === undefined ? undefined : null;
  const hasCode = slots.some(({ kind, confirmed }) => kind === 'recovery-code' && confirmed);
  return hasCode ? backup : <RecoveryReminder />;
}
