import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { Banner } from '../../ui/components/banner.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { plainText } from '../../ui/text/plain-text.ts';

/** What a backup contains, compared with the vault. */
export type Report = ResultOf<'ui.checkBackup'>;

interface BackupReportProps {
  readonly report: Report;
  /** Whether the backup was restored, or only checked. */
  readonly restored: boolean;
}

/** Shows what a backup contains, what a restore adds or has added, and what the backup lacks. */
export function BackupReport({ report, restored }: BackupReportProps) {
  const text = useText();
  const { brings, lacks, labels } = report;
  // A named key has a message key for each site that used it, so there may be none.
  const newKeys = Math.max(brings.keys, brings.messageKeys);
  const { contacts, notes, siteSettings } = brings;
  const isBehind =
    lacks.keys + lacks.messageKeys + lacks.contacts + lacks.notes + lacks.siteSettings > 0;
  return (
    <Banner
      tone="good"
      id="backup-report"
      title={text.t(restored ? 'backupRestored' : 'backupGood')}
    >
      <p>{text.t('backupFrom', text.date(report.created))}</p>
      {report.foreign && <p id="backup-foreign">{text.t('backupForeign')}</p>}
      {labels.length > 0 && (
        <p>{text.t('backupHolds', text.list(labels.map((label) => plainText(label, 60))))}</p>
      )}
      <p>{text.plural('backupSites', report.sites)}</p>
      {newKeys > 0 && <p>{text.plural(restored ? 'backupBrought' : 'backupBrings', newKeys)}</p>}
      {contacts > 0 && (
        <p>{text.t(restored ? 'backupBroughtContacts' : 'backupBringsContacts', contacts)}</p>
      )}
      {notes > 0 && <p>{text.t(restored ? 'backupBroughtNotes' : 'backupBringsNotes', notes)}</p>}
      {siteSettings > 0 && (
        <p>{text.t(restored ? 'backupBroughtSites' : 'backupBringsSites', siteSettings)}</p>
      )}
      {newKeys + contacts + notes + siteSettings === 0 && <p>{text.t('backupNothingNew')}</p>}
      {isBehind && !restored && <p>{text.t('backupBehind')}</p>}
    </Banner>
  );
}
