import { Advanced } from '../../ui/components/advanced.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { isPending, useQuery } from '../../ui/hooks/use-query.ts';
import { RecoveryCode } from '../recovery/recovery-code.tsx';
import { MakeAgeBackup } from './make-age-backup.tsx';
import { MakeBackup } from './make-backup.tsx';
import { RestoreBackup } from './restore-backup.tsx';

/** The recovery code; and backups: make one, check one, restore one. */
export function BackupView() {
  const text = useText();
  const times = useQuery('ui.backupTimes', {});
  const slots = useQuery('ui.slots', {});
  const { data, error, reload } = times;
  return (
    <View title={text.t('backupTitle')}>
      <p class="muted">{text.t('backupLead')}</p>
      <ErrorBanner error={error} />
      {isPending(times) || isPending(slots) ? (
        <Loading />
      ) : (
        <>
          {data?.made === null && (
            <Banner tone="warning" id="backup-none" title={text.t('backupNone')}>
              <p>{text.t('backupWhy')}</p>
            </Banner>
          )}
          {data && data.made !== null && (
            <dl class="facts" id="backup-times">
              <dt>{text.t('backupLastMade')}</dt>
              <dd>{text.relative(data.made)}</dd>
              <dt>{text.t('backupLastChecked')}</dt>
              <dd>{data.checked === null ? text.t('never') : text.relative(data.checked)}</dd>
            </dl>
          )}
          <RecoveryCode
            slots={slots}
            onNext={() => document.getElementById('backup-passphrase')?.focus()}
          />
          <MakeBackup isDue={data?.made === null} onMade={reload} />
          <RestoreBackup onChange={reload} />
          <Advanced id="advanced-backup">
            <MakeAgeBackup onMade={reload} />
          </Advanced>
        </>
      )}
    </View>
  );
}
