import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { Banner } from '../../ui/components/banner.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { plainText } from '../../ui/text/plain-text.ts';

/** What a backup contains, compared with the vault. */
export type Report = ResultOf<'ui.checkBackup'>;

/** What was done with a backup. */
export type Outcome = 'checked' | 'restored' | 'replaced';

/** The heading of the report. */
export const OUTCOME_TITLES: Readonly<Record<Outcome, MessageKey>> = {
  checked: 'backupGood',
  restored: 'backupRestored',
  replaced: 'vaultReplaced',
};

/** Whose the backup is, as far as the vault can tell. */
const RELATIONS: Readonly<Record<Report['relation'], MessageKey>> = {
  own: 'backupOwn',
  first: 'backupFirst',
  foreign: 'backupForeign',
};

interface BackupReportProps {
  readonly report: Report;
  readonly outcome: Outcome;
}

/** Shows what a backup contains, what a restore adds or has added, and what the backup lacks. */
export function BackupReport({ report, outcome }: BackupReportProps) {
  const text = useText();
  const { relation, labels } = report;
  const isExplained = outcome === 'checked' || (outcome === 'restored' && relation === 'foreign');
  return (
    <Banner tone="good" id="backup-report" title={text.t(OUTCOME_TITLES[outcome])}>
      <p>{text.t('backupFrom', text.date(report.created))}</p>
      {isExplained && <p id={`backup-${relation}`}>{text.t(RELATIONS[relation])}</p>}
      {labels.length > 0 && (
        <p>{text.t('backupHolds', text.list(labels.map((label) => plainText(label, 60))))}</p>
      )}
      <p>{text.plural('backupSites', report.sites)}</p>
      {outcome !== 'replaced' && <Differences report={report} restored={outcome === 'restored'} />}
    </Banner>
  );
}

/** What a restore adds or has added, and what the backup lacks. */
function Differences({
  report: { brings, lacks, relation },
  restored,
}: {
  readonly report: Report;
  readonly restored: boolean;
}) {
  const text = useText();
  // A named key has a message key for each site that used it, so there may be none.
  const newKeys = Math.max(brings.keys, brings.messageKeys);
  const { contacts, notes, siteSettings, persistentKeys } = brings;
  const isBehind =
    relation !== 'foreign' &&
    Object.entries(lacks).some(([what, count]) => what !== 'sites' && count > 0);
  return (
    <>
      {newKeys > 0 && <p>{text.plural(restored ? 'backupBrought' : 'backupBrings', newKeys)}</p>}
      {contacts > 0 && (
        <p>{text.t(restored ? 'backupBroughtContacts' : 'backupBringsContacts', contacts)}</p>
      )}
      {notes > 0 && <p>{text.t(restored ? 'backupBroughtNotes' : 'backupBringsNotes', notes)}</p>}
      {siteSettings > 0 && (
        <p>{text.t(restored ? 'backupBroughtSites' : 'backupBringsSites', siteSettings)}</p>
      )}
      {persistentKeys > 0 && (
        <p>{text.t(restored ? 'backupBroughtSiteKeys' : 'backupBringsSiteKeys', persistentKeys)}</p>
      )}
      {newKeys + contacts + notes + siteSettings + persistentKeys === 0 && (
        <p>{text.t('backupNothingNew')}</p>
      )}
      {isBehind && !restored && <p>{text.t('backupBehind')}</p>}
    </>
  );
}
