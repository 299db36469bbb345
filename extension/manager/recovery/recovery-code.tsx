import { useState } from 'preact/hooks';
import { HardDriveDownload } from 'lucide-preact';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { focusTitle } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { Query } from '../../ui/hooks/use-query.ts';
import type { UiSlot } from '../security/slot-row.tsx';
import { hasConfirmedCode } from '../../views/unlock/recovery-reminder.tsx';
import { RecoverySteps } from './recovery-steps.tsx';

interface RecoveryCodeProps {
  readonly slots: Query<readonly UiSlot[]>;
  /** Leads on to the backup. */
  readonly onNext: () => void;
}

/** The card of the recovery code: whether there is one, and how to make one. */
export function RecoveryCode({ slots: query, onNext }: RecoveryCodeProps) {
  const text = useText();
  const { data: slots, error, reload } = query;
  const [isDone, setDone] = useState(false);
  const hasCode = slots !== undefined && hasConfirmedCode(slots);
  return (
    <section
      class={slots && !hasCode ? 'stack card card-due' : 'stack card'}
      aria-labelledby="recovery-title"
      id="recovery"
    >
      <h2 id="recovery-title">{text.t('recoveryTitle')}</h2>
      <ErrorBanner error={error} />
      {slots && isDone && (
        <>
          <Banner tone="good" id="recovery-done" title={text.t('recoveryConfirmed')}>
            <p>{text.t('recoveryConfirmedDetail')}</p>
          </Banner>
          <div class="actions">
            <Button
              id="recovery-next"
              variant="primary"
              icon={<HardDriveDownload size={18} aria-hidden="true" />}
              onClick={onNext}
            >
              {text.t('recoveryNext')}
            </Button>
            <Button
              id="recovery-close"
              onClick={() => {
                setDone(false);
                focusTitle();
              }}
            >
              {text.t('done')}
            </Button>
          </div>
        </>
      )}
      {slots && !isDone && (
        <>
          {hasCode ? (
            <p>{text.t('recoveryHave')}</p>
          ) : (
            <Banner tone="warning" title={text.t('recoveryNone')}>
              <p>{text.t('recoveryWhy')}</p>
            </Banner>
          )}
          <RecoverySteps
            hasCode={hasCode}
            onConfirmed={async () => {
              await reload();
              setDone(true);
            }}
          />
        </>
      )}
    </section>
  );
}
