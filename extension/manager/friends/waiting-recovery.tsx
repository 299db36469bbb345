import { useEffect, useState } from 'preact/hooks';
import { HardDriveUpload, Trash2 } from 'lucide-preact';
import type { FriendsState } from '../../../src/rpc/methods/ui-contacts.ts';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ConfirmButton } from '../../ui/components/buttons/confirm-button.tsx';
import { focusTitle } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { BackupReport, type Report } from '../backup/backup-report.tsx';
import { BackupUses } from '../backup/restore-backup.tsx';
import type { ShownBackup } from '../backup/use-restore-backup.ts';
import { FileField } from '../forms/file-field.tsx';
import { useChosenFile } from '../forms/use-chosen-file.ts';
import { Words } from '../forms/words.tsx';
import { FILE_ERRORS, RECOVERY_FILE, SendText, textError } from './recovery-text.tsx';
import { TakeAnswer } from './take-answer.tsx';

interface WaitingRecoveryProps {
  readonly recovery: NonNullable<FriendsState['recovery']>;
  /** The file, if it was chosen in this page. */
  readonly file: File | undefined;
  readonly onChange: () => Promise<void>;
  readonly onRestored: (report: Report) => Promise<void>;
}

/** A request that waits: the text for all friends, the words that each hears, the answers, and at the end the keys. */
export function WaitingRecovery(props: WaitingRecoveryProps) {
  const { recovery, file, onChange, onRestored } = props;
  const { ui, text } = useEnvironment();
  const ending = useAction();
  const { request, until, created, threshold, count, answered, words } = recovery;
  const isEnough = answered.length >= threshold;
  const giveUp = () =>
    ending.run(async () => {
      await ui.call('ui.endRecovery', {});
      focusTitle();
      await onChange();
    });
  return (
    <section class="stack card" aria-labelledby="friends-waiting-title" id="waiting-recovery">
      <h2 id="friends-waiting-title">{text.t('friendsWaitingTitle')}</h2>
      <p>{text.t('friendsDealt', text.date(created), threshold, count)}</p>
      <p id="friends-answered" aria-live="polite">
        {text.t('friendsWaiting', answered.length, threshold)}
      </p>
      {isEnough ? (
        <RestoreByFriends file={file} onRestored={onRestored} />
      ) : (
        <>
          {until < Date.now() ? (
            <Banner tone="warning">{text.t('friendsWaitingOver')}</Banner>
          ) : (
            <p class="muted">{text.t('friendsWaitingUntil', text.date(until))}</p>
          )}
          <SendText
            id="recovery-request"
            lead={text.t('friendsSend')}
            value={request}
            fileName="sealwright-request.txt"
          />
          <p>{text.t('friendsWords')}</p>
          <Words id="recovery-words" places={words} />
          <TakeAnswer id="recovery-answer" buttonId="take-answer" onTaken={onChange} />
        </>
      )}
      <ErrorBanner error={ending.error} />
      <ConfirmButton
        label={text.t('friendsGiveUp')}
        describe={text.t('friendsGiveUp')}
        question={text.t('friendsGiveUpQuestion')}
        confirm={text.t('friendsGiveUp')}
        busy={ending.busy}
        icon={<Trash2 size={16} aria-hidden="true" />}
        onConfirm={giveUp}
      />
    </section>
  );
}

/** Opens the file with the answers. A vault that is in use is asked whether it takes the keys or is replaced. */
function RestoreByFriends({ file, onRestored }: Pick<WaitingRecoveryProps, 'file' | 'onRestored'>) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const chosen = useChosenFile(RECOVERY_FILE);
  const [shown, setShown] = useState<ShownBackup>();
  useEffect(() => {
    if (file) chosen.put(file);
  }, []);
  const restore = async ({ backup }: Pick<ShownBackup, 'backup'>) => {
    const report = await ui.call('ui.restoreBackup', backup);
    focusTitle();
    await onRestored(report);
  };
  const begin = (event: Event) => {
    event.preventDefault();
    const taken = chosen.take();
    if (!taken) return;
    action.run(async () => {
      const backup = { file: new Uint8Array(await taken.arrayBuffer()) };
      let report: Report;
      try {
        report = await ui.call('ui.checkBackup', backup);
      } catch (error) {
        chosen.refuse(textError(error, { ...FILE_ERRORS, AUTH_FAILED: 'friendsFileOther' }));
        return;
      }
      if (report.relation === 'foreign') setShown({ backup, report, outcome: 'checked' });
      else await restore({ backup });
    });
  };
  return (
    <form class="stack" onSubmit={begin}>
      <Banner tone="good" title={text.t('friendsEnough')} id="friends-enough" />
      <FileField
        id="restore-file"
        label={text.t('friendsFile')}
        file={chosen}
        onChoose={() => setShown(undefined)}
      />
      <ErrorBanner error={action.error} />
      {shown ? (
        <>
          <BackupReport {...shown} />
          <BackupUses
            shown={shown}
            busy={action.busy}
            onRestore={() => action.run(() => restore(shown))}
            onReplace={(work) =>
              action.run(async () => {
                if (await work(shown)) await onRestored(shown.report);
              })
            }
          />
        </>
      ) : (
        <Button
          id="restore-by-friends"
          type="submit"
          variant="primary"
          busy={action.busy}
          icon={<HardDriveUpload size={18} aria-hidden="true" />}
        >
          {text.t('restoreBackup')}
        </Button>
      )}
    </form>
  );
}
