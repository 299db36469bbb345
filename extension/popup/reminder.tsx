import type { ComponentChildren } from 'preact';
import { useEnvironment } from '../ui/environment/environment.ts';
import type { UiState } from '../ui/environment/ui-client.ts';
import { CHANGE_PASSPHRASE } from '../ui/environment/manager-address.ts';
import { CodeUsedReminder, useCodeUsed } from '../views/unlock/code-used.tsx';
import { RecoveryReminder, useLacksCode } from '../views/unlock/recovery-reminder.tsx';
import { useBackupReminder } from './backup-reminder.tsx';

/**
 * The reminder above every screen: a passphrase that was forgotten, else a missing recovery code, else
 * the backup's reminder.
 *
 * @returns null: there is none; undefined: not known yet. The caller then waits with the screen
 *   too, because a reminder that appears later would move the buttons below it.
 */
export function useReminder(state: UiState): ComponentChildren {
  const lacksCode = useLacksCode();
  const backup = useBackupReminder(state);
  const { openManager } = useEnvironment();
  const code = useCodeUsed();
  if (code.isUsed === undefined) return undefined;
  if (code.isUsed) {
    return (
      <CodeUsedReminder onChoose={() => openManager(CHANGE_PASSPHRASE)} onLater={code.forget} />
    );
  }
  if (lacksCode === undefined || lacksCode === null) return lacksCode;
  return lacksCode ? <RecoveryReminder onOpen={() => openManager('backup')} /> : backup;
}
