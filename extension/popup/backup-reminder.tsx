import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { HardDriveDownload } from 'lucide-preact';
import { Banner } from '../ui/components/banner.tsx';
import { Button } from '../ui/components/button.tsx';
import { useEnvironment } from '../ui/environment.ts';
import type { Text } from '../ui/i18n.ts';
import type { SurfaceState } from '../ui/surface.ts';
import { useQuery } from '../ui/use-query.ts';
import { backupAdvice, type BackupAdvice } from './backup-advice.ts';

const QUIET_UNTIL = 'backup-reminder-quiet-until';
const QUIET_MS = 14 * 86_400_000;

/**
 * Reminds of a backup that is missing, old or untried, until it is put off.
 *
 * @returns null: there is nothing to remind of; undefined: not known yet
 */
export function useBackupReminder(state: SurfaceState): ComponentChildren {
  const { keepsakes } = useEnvironment();
  const { data: times, error } = useQuery('ui.backupTimes', {});
  const [quietUntil, setQuietUntil] = useState<number>();
  useEffect(() => {
    void keepsakes
      .get(QUIET_UNTIL)
      .then((until) => setQuietUntil(typeof until === 'number' ? until : 0));
  }, [keepsakes]);
  const now = Date.now();
  if (error !== undefined) return null;
  if (times === undefined || quietUntil === undefined) return undefined;
  if (now < quietUntil) return null;
  const advice = backupAdvice(times, state.created, now);
  if (advice === null) return null;
  const putOff = () => {
    setQuietUntil(now + QUIET_MS);
    void keepsakes.set(QUIET_UNTIL, now + QUIET_MS);
  };
  return <BackupReminder advice={advice} made={times.made} onPutOff={putOff} />;
}

interface BackupReminderProps {
  readonly advice: BackupAdvice;
  /** When the latest backup was made. */
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
