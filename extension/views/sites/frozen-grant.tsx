import { Ban } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ConfirmButton } from '../../ui/components/buttons/confirm-button.tsx';
import { focusTitle } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { UiGrant } from '../../ui/environment/ui-client.ts';
import { useAction } from '../../ui/hooks/use-action.ts';

/** Whether a decoy was opened under a grant, and the user has not answered. */
export function isFrozen({ frozenFrom }: UiGrant, now = Date.now()): boolean {
  return frozenFrom !== null && frozenFrom <= now;
}

interface FrozenGrantProps {
  readonly grant: UiGrant;
  /** The name of its key. */
  readonly name: string;
  /** What becomes of the grant where it is taken back. */
  readonly question: string;
  readonly isStopping: boolean;
  readonly onStop: () => void;
  readonly onAnswered: () => Promise<void>;
}

/** What a frozen grant means, and the three answers: it goes on, for an hour, or is taken back. */
export function FrozenGrant(props: FrozenGrantProps) {
  const { grant, name, question, isStopping, onStop, onAnswered } = props;
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const letGoOn = (forAnHour: boolean) =>
    action.run(async () => {
      await ui.call('ui.letGoOn', { grantId: grant.id, forAnHour });
      announce(text.t('frozenGoesOn'));
      focusTitle();
      await onAnswered();
    });
  const busy = action.busy || isStopping;
  return (
    <Banner tone="warning" title={text.t('frozenTitle')}>
      <p>{text.t('frozenWhy')}</p>
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button
          busy={busy}
          aria-label={`${text.t('frozenGoOn')}: ${name}`}
          onClick={() => letGoOn(false)}
        >
          {text.t('frozenGoOn')}
        </Button>
        <Button
          busy={busy}
          aria-label={`${text.t('frozenHour')}: ${name}`}
          onClick={() => letGoOn(true)}
        >
          {text.t('frozenHour')}
        </Button>
        <ConfirmButton
          label={text.t('frozenStop')}
          describe={`${text.t('frozenStop')}: ${name}`}
          question={question}
          confirm={text.t('frozenStop')}
          busy={busy}
          icon={<Ban size={16} aria-hidden="true" />}
          onConfirm={onStop}
        />
      </div>
    </Banner>
  );
}
