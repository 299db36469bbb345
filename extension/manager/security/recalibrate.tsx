import { Gauge } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import { useAction } from '../../ui/hooks/use-action.ts';
import { useAskPassphrase } from '../forms/ask-passphrase.tsx';
import type { UiSlot } from './slot-row.tsx';

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
  const ask = useAskPassphrase();
  const slot = slots.find(({ advice }) => advice !== 'none');
  if (slot === undefined || slot.tookMs === null) return null;
  const recalibrate = () =>
    action.run(async () => {
      const done = await ask({ title: text.t('recalibrate') }, (by) =>
        ui.call('ui.changePassphrase', { by, passphrase: by.passphrase }),
      );
      if (!done) return;
      announce(text.t('recalibrated'));
      focusTitle();
      await onChange();
    });
  const duration = text.number(slot.tookMs / 1000, SECONDS);
  const why = slot.advice === 'raise' ? 'recalibrateRaise' : 'recalibrateLower';
  return (
    <section class="stack card" aria-labelledby="recalibrate-title" id="recalibrate">
      <h2 id="recalibrate-title">{text.t('recalibrateTitle')}</h2>
      <Banner tone="info">
        <p>{text.t(why, duration)}</p>
      </Banner>
      <ErrorBanner error={action.error} />
      <Button
        id="recalibrate-now"
        variant="primary"
        busy={action.busy}
        icon={<Gauge size={18} aria-hidden="true" />}
        onClick={recalibrate}
      >
        {text.t('recalibrate')}
      </Button>
    </section>
  );
}
