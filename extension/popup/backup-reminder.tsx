import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { HardDriveDownload } from 'lucide-preact';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/buttons/button.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import type { Text } from '../ui/text/i18n.ts';
import type { UiState } from '../ui/environment/ui-client.ts';
import { useQuery } from '../ui/hooks/use-query.ts';
import type { ResultOf } from '../../src/rpc/methods/methods.ts';

const QUIET_UNTIL = 'backup-reminder-quiet-until';
const QUIET_MS = 14 * 86_400_000;

/**
 * Reminds of a backup that is missing, old or was never checked. The user can hide it for two
 * weeks.
 *
 * @returns null: there is no reminder; undefined: not known yet
 */
export function useBackupReminder(state: UiState): ComponentChildren {
  const { localValues } = useEnvironment();
  const { data: times, error } = useQuery('ui.backupTimes', {});
  const [quietUntil, setQuietUntil] = useState<number>();
  useEffect(() => {
    void localValues
      .get(QUIET_UNTIL)
      .then((until) => setQuietUntil(typeof until === 'number' ? until : 0));
  }, [localValues]);
  const now = Date.now();
  if (times === undefined && error !== undefined) return null;
  if (times === undefined || quietUntil === undefined) return undefined;
  if (now < quietUntil) return null;
  const advice = backupAdvice(times, state.created, now);
  if (advice === null) return null;
  const putOff = () => {
    setQuietUntil(now + QUIET_MS);
    void localValues.set(QUIET_UNTIL, now + QUIET_MS);
  };
  return <BackupReminder advice={advice} made={times.made} onPutOff={putOff} />;
}

interface BackupReminderProps {
  readonly advice: BackupAdvice;
  /** When the latest backup was made; null if there is none. */
  readonly made: number | null;
  readonly onPutOff: () => void;
}

function BackupReminder({ advice, made, onPutOff }: BackupReminderProps) {
  const { text, openManager } = useEnvironment();
  const title = titleOf(advice, made, text);
  return (
    <aside class="reminder" aria-label={title} id="backup-reminder">
      <Banner tone="info" title={title}>
        <p>{text.t(advice === 'check' ? 'backupReminderTry' : 'backupWhy')}</p>
        <div class="actions">
          <Button
            id="open-backup"
            icon={<HardDriveDownload size={16} aria-hidden="true" />}
            onClick={() => openManager('backup')}
          >
            {text.t('backupTitle')}
          </Button>
          <Button variant="quiet" id="backup-later" onClick={onPutOff}>
            {text.t('remindLater')}
          </Button>
        </div>
      </Banner>
    </aside>
  );
}

function titleOf(advice: BackupAdvice, made: number | null, text: Text): string {
  if (advice === 'check') return text.t('backupReminderCheck');
  return made === null ? text.t('backupNone') : text.t('backupReminderOld', text.relative(made));
}

const DAY_MS = 86_400_000;
/** New users get no reminder in the first week. */
const FIRST_AFTER_MS = 7 * DAY_MS;
const RENEW_AFTER_MS = 90 * DAY_MS;
/** A restore drill after 30 days. */
const CHECK_AFTER_MS = 30 * DAY_MS;

/** 'make': there is no backup; 'renew': it is old; 'check': it was never opened. */
export type BackupAdvice = 'make' | 'renew' | 'check';

/**
 * The advice for a vault; null for none. Times are ms since the epoch.
 *
 * @param vaultCreated null if unknown
 */
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
