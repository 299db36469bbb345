import type { ComponentChildren } from 'preact';
import { ChevronRight, LifeBuoy } from 'lucide-preact';
import { useEnvironment } from '../ui/environment/environment.ts';
import type { UiState } from '../ui/environment/ui-client.ts';
import { useQuery } from '../ui/hooks/use-query.ts';
import { CHANGE_PASSPHRASE } from '../ui/environment/manager-address.ts';
import { CodeUsedReminder, useCodeUsed } from '../views/unlock/code-used.tsx';
import { useBackupReminder } from './backup-reminder.tsx';

/**
 * The reminder above every screen: a passphrase that was forgotten, else a missing recovery code, else
 * the backup's reminder.
 *
 * @returns null: there is none; undefined: not known yet. The caller then waits with the screen
 *   too, because a reminder that appears later would move the buttons below it.
 */
export function useReminder(state: UiState): ComponentChildren {
  const { data: slots, error } = useQuery('ui.slots', {});
  const backup = useBackupReminder(state);
  const { openManager } = useEnvironment();
  const code = useCodeUsed();
  if (code.isUsed === undefined) return undefined;
  if (code.isUsed) {
    return (
      <CodeUsedReminder onChoose={() => openManager(CHANGE_PASSPHRASE)} onLater={code.forget} />
    );
  }
  if (slots === undefined) return error === undefined ? undefined : null;
  const hasCode = slots.some(({ kind, confirmed }) => kind === 'recovery-code' && confirmed);
  return hasCode ? backup : <RecoveryReminder />;
}

/** Shown until there is a confirmed recovery code. The first run has said why. */
function RecoveryReminder() {
  const { text, openManager } = useEnvironment();
  return (
    <aside class="reminder" aria-label={text.t('recoveryReminder')}>
      <button
        type="button"
        class="reminder-line"
        id="open-recovery"
        onClick={() => openManager('backup')}
      >
        <LifeBuoy size={18} aria-hidden="true" />
        <span class="grow">{text.t('recoveryReminder')}</span>
        <ChevronRight size={18} aria-hidden="true" class="mirror" />
      </button>
    </aside>
  );
}
