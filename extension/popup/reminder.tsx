import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ChevronRight, LifeBuoy } from 'lucide-preact';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/buttons/button.tsx';
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
 * @param isNew whether the vault was created just now: a missing code then takes the focus
 * @returns null: there is none; undefined: not known yet. The caller then waits with the screen
 *   too, because a reminder that appears later would move the buttons below it.
 */
export function useReminder(state: UiState, isNew: boolean): ComponentChildren {
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
  return hasCode ? backup : <RecoveryReminder isNew={isNew} />;
}

/**
 * Shown from the first run on, until there is a confirmed recovery code: once with the reason, then as
 * one line.
 */
function RecoveryReminder({ isNew }: { readonly isNew: boolean }) {
  const { text, openManager } = useEnvironment();
  const place = useRef<HTMLElement>(null);
  // After the heading of the screen, which comes later in the page, took it: Tab would skip the code.
  useEffect(() => {
    if (isNew) place.current?.querySelector('button')?.focus();
  }, [isNew]);
  const open = () => openManager('security');
  return (
    <aside ref={place} class="reminder" aria-label={text.t('recoveryReminder')}>
      {isNew ? (
        <Banner tone="warning" title={text.t('recoveryReminder')}>
          <p>{text.t('recoveryWhy')}</p>
          <Button
            id="open-recovery"
            icon={<LifeBuoy size={16} aria-hidden="true" />}
            onClick={open}
          >
            {text.t('recoveryMake')}
          </Button>
        </Banner>
      ) : (
        <button type="button" class="reminder-line" id="open-recovery" onClick={open}>
          <LifeBuoy size={18} aria-hidden="true" />
          <span class="grow">{text.t('recoveryReminder')}</span>
          <ChevronRight size={18} aria-hidden="true" class="mirror" />
        </button>
      )}
    </aside>
  );
}
