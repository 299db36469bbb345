import { Gauge } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';
import { SecretField } from '../forms/secret-field.tsx';
import type { UiSlot } from './slot-row.tsx';
import { useSecret } from '../forms/use-secret.ts';

interface RecalibrateProps {
  readonly slots: readonly UiSlot[];
  readonly onChange: () => Promise<void>;
}

/** "0.82 seconds" */
const SECONDS = {
  style: 'unit',
  unit: 'second',
  unitDisplay: 'long',
  maximumSignificantDigits: 2,
} as const;

/**
 * Offers to adapt the cost of the passphrase derivation to this computer, if it takes too short or
 * too long.
 */
export function Recalibrate({ slots, onChange }: RecalibrateProps) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const secret = useSecret();
  const slot = slots.find(({ advice }) => advice !== 'none');
  if (slot === undefined || slot.tookMs === null) return null;
  const submit = (event: Event) => {
    event.preventDefault();
    if (!secret.check()) return;
    action.run(async () => {
      const passphrase = secret.value;
      const done = await secret.accepted(async () => {
        await ui.call('ui.changePassphrase', { by: { passphrase }, passphrase });
      });
      if (!done) return;
      announce(text.t('recalibrated'));
      focusTitle();
      await onChange();
    });
  };
  const duration = text.number(slot.tookMs / 1000, SECONDS);
  const why = slot.advice === 'raise' ? 'recalibrateRaise' : 'recalibrateLower';
  return (
    <form class="stack card" onSubmit={submit} aria-labelledby="recalibrate-title" id="recalibrate">
      <h2 id="recalibrate-title">{text.t('recalibrateTitle')}</h2>
      <Banner tone="info">
        <p>{text.t(why, duration)}</p>
      </Banner>
      <SecretField
        id="recalibrate-passphrase"
        label={text.t('currentPassphrase')}
        secret={secret}
      />
      <ErrorBanner error={action.error} />
      <Button
        id="recalibrate-now"
        type="submit"
        variant="primary"
        busy={action.busy}
        icon={<Gauge size={18} aria-hidden="true" />}
      >
        {text.t('recalibrate')}
      </Button>
    </form>
  );
}
