import type { ComponentChildren } from 'preact';
import { LifeBuoy } from 'lucide-preact';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/buttons/button.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import type { UiState } from '../ui/environment/ui-client.ts';
import { useQuery } from '../ui/hooks/use-query.ts';
import { useBackupReminder } from './backup-reminder.tsx';

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

/** Stands above every screen, from the first run on, until there is a recovery code that works. */
function RecoveryReminder() {
  const { text, openManager } = useEnvironment();
  return (
    <aside class="reminder" aria-label={text.t('recoveryReminder')}>
      <Banner tone="warning" title={text.t('recoveryReminder')}>
        <p>{text.t('recoveryWhy')}</p>
        <Button
          id="open-recovery"
          icon={<LifeBuoy size={16} aria-hidden="true" />}
          onClick={() => openManager('security')}
        >
          {text.t('recoveryMake')}
        </Button>
      </Banner>
    </aside>
  );
}
