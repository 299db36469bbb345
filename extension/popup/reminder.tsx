import type { ComponentChildren } from 'preact';
import { ChevronRight, OctagonAlert } from 'lucide-preact';
import { useEnvironment, useText } from '../ui/environment/environment.ts';
import type { UiState } from '../ui/environment/ui-client.ts';
import { CHANGE_PASSPHRASE } from '../ui/environment/manager-address.ts';
import { CodeUsedReminder, useCodeUsed } from '../views/unlock/code-used.tsx';
import { RecoveryReminder, useLacksCode } from '../views/unlock/recovery-reminder.tsx';
import { isFrozen } from '../views/sites/frozen-grant.tsx';
import { useQuery } from '../ui/hooks/use-query.ts';
import { useBackupReminder } from './backup-reminder.tsx';

/** Whether opening is stopped for a site, and the user has not answered; undefined: not known yet. */
function useAnswerDue(): boolean | undefined {
  const { data: sites, error } = useQuery('ui.sites', {});
  if (sites === undefined) return error === undefined ? undefined : false;
  return sites.some(({ grants }) => grants.some((grant) => isFrozen(grant)));
}

interface FrozenReminderProps {
  readonly onOpen: () => void;
}

function FrozenReminder({ onOpen }: FrozenReminderProps) {
  const text = useText();
  return (
    <aside class="reminder" aria-label={text.t('frozenReminder')}>
      <button type="button" class="reminder-line" id="open-frozen" onClick={onOpen}>
        <OctagonAlert size={18} aria-hidden="true" />
        <span class="grow">{text.t('frozenReminder')}</span>
        <ChevronRight size={18} aria-hidden="true" class="mirror" />
      </button>
    </aside>
  );
}

/**
 * The reminder above every screen: a site whose opening is stopped, else a passphrase that was forgotten, else a missing recovery code, else
 * the backup's reminder.
 *
 * @param onSites shows the list of sites
 * @returns null: there is none; undefined: not known yet. The caller then waits with the screen
 *   too, because a reminder that appears later would move the buttons below it.
 */
export function useReminder(state: UiState, onSites: () => void): ComponentChildren {
  const isAnswerDue = useAnswerDue();
  const lacksCode = useLacksCode();
  const backup = useBackupReminder(state);
  const { openManager } = useEnvironment();
  const code = useCodeUsed();
  if (isAnswerDue === undefined || code.isUsed === undefined) return undefined;
  if (isAnswerDue) return <FrozenReminder onOpen={onSites} />;
  if (code.isUsed) {
    return (
      <CodeUsedReminder onChoose={() => openManager(CHANGE_PASSPHRASE)} onLater={code.forget} />
    );
  }
  if (lacksCode === undefined || lacksCode === null) return lacksCode;
  return lacksCode ? <RecoveryReminder onOpen={() => openManager('backup')} /> : backup;
}
