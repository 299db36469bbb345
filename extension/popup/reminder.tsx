import type { ComponentChildren } from 'preact';
import type { LucideIcon } from 'lucide-preact';
import { ChevronRight, MonitorSmartphone, OctagonAlert } from 'lucide-preact';
import { useEnvironment, useText } from '../ui/environment/environment.ts';
import type { UiState } from '../ui/environment/ui-client.ts';
import { CHANGE_PASSPHRASE } from '../ui/environment/manager-address.ts';
import type { MessageKey } from '../ui/text/i18n.ts';
import { CodeUsedReminder, useCodeUsed } from '../views/unlock/code-used.tsx';
import { RecoveryReminder } from '../views/unlock/recovery-reminder.tsx';
import { useBackupReminder } from './backup-reminder.tsx';

/** What the user has to be told of sites: that opening is stopped, or that one opened far more than usual; else null. */
function sitesToTell({ isFrozen, isUnusual }: UiState): MessageKey | null {
  if (isFrozen) return 'frozenReminder';
  return isUnusual ? 'unusualTitle' : null;
}

interface ReminderLineProps {
  readonly id: string;
  readonly Icon: LucideIcon;
  readonly words: MessageKey;
  readonly onOpen: () => void;
}

function ReminderLine({ id, Icon, words, onOpen }: ReminderLineProps) {
  const text = useText();
  return (
    <aside class="reminder" aria-label={text.t(words)}>
      <button type="button" class="reminder-line" id={id} onClick={onOpen}>
        <Icon size={18} aria-hidden="true" />
        <span class="grow">{text.t(words)}</span>
        <ChevronRight size={18} aria-hidden="true" class="mirror" />
      </button>
    </aside>
  );
}

/**
 * The reminder above every screen: a device that was added, what sites have done, else a passphrase that was forgotten, else a missing recovery code, else
 * the backup's reminder.
 *
 * @param onSites shows the list of sites
 * @returns null: there is none; undefined: not known yet. The caller then waits with the screen
 *   too, because a reminder that appears later would move the buttons below it.
 */
export function useReminder(state: UiState, onSites: () => void): ComponentChildren {
  const toTell = sitesToTell(state);
  const backup = useBackupReminder(state);
  const { openManager } = useEnvironment();
  const code = useCodeUsed();
  if (state.hasNewDevice) {
    const show = () => openManager('devices');
    return (
      <ReminderLine
        id="open-devices"
        Icon={MonitorSmartphone}
        words="newDeviceReminder"
        onOpen={show}
      />
    );
  }
  if (toTell) {
    return <ReminderLine id="open-frozen" Icon={OctagonAlert} words={toTell} onOpen={onSites} />;
  }
  if (code.isUsed === undefined) return undefined;
  if (code.isUsed) {
    return (
      <CodeUsedReminder onChoose={() => openManager(CHANGE_PASSPHRASE)} onLater={code.forget} />
    );
  }
  if (state.lacksCode === null) return null;
  return state.lacksCode ? <RecoveryReminder onOpen={() => openManager('backup')} /> : backup;
}
