import { Download, Trash2 } from 'lucide-preact';
import { useToast } from '../../ui/components/announcer.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ConfirmButton } from '../../ui/components/buttons/confirm-button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { downloadJson } from '../../ui/environment/download.ts';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';
import type { ActivityLog } from './use-activity.ts';

interface ActivityActionsProps {
  readonly log: ActivityLog;
  /** Clearing the log clears the usage too. */
  readonly onCleared: () => Promise<void>;
}

/** Buttons that save the filtered entries as a file and that clear the log. */
export function ActivityActions({ log, onCleared }: ActivityActionsProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const save = () =>
    action.run(async () => {
      const { entries } = await ui.call('ui.exportActivity', log.params);
      downloadJson('sealwright-activity.json', { exported: new Date().toISOString(), entries });
    });
  const clear = () =>
    action.run(async () => {
      await ui.call('ui.clearActivity', {});
      toast(text.t('activityCleared'));
      focusTitle();
      await Promise.all([log.query.reload(), onCleared()]);
    });
  return (
    <>
      <ErrorBanner error={action.error} />
      <div class="actions row" id="activity-actions">
        <Button
          id="activity-export"
          busy={action.busy}
          icon={<Download size={16} aria-hidden="true" />}
          onClick={save}
        >
          {text.t('selfTestExport')}
        </Button>
        <ConfirmButton
          label={text.t('activityClear')}
          describe={text.t('activityClear')}
          question={text.t('activityClearQuestion')}
          confirm={text.t('activityClear')}
          busy={action.busy}
          icon={<Trash2 size={16} aria-hidden="true" />}
          onConfirm={clear}
        />
      </div>
    </>
  );
}
