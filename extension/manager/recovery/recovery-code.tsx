import { useState } from 'preact/hooks';
import { HardDriveDownload, LifeBuoy } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { focusTitle } from '../../ui/components/view.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { RecoveryConfirm } from './recovery-confirm.tsx';
import { RecoverySheet } from './recovery-sheet.tsx';
import { SecretField } from '../forms/secret-field.tsx';
import type { UiSlot } from '../security/slot-row.tsx';
import { useSecret } from '../forms/use-secret.ts';

interface RecoveryCodeProps {
  readonly slots: readonly UiSlot[];
  readonly onChange: () => Promise<void>;
}

/** The current step. The code is held by this component only, until it is confirmed. */
type Step = { name: 'begin' } | { name: 'shown' | 'confirm'; code: string } | { name: 'done' };

/** Makes a recovery code: passphrase, sheet with the code, confirmation. */
export function RecoveryCode({ slots, onChange }: RecoveryCodeProps) {
  const text = useEnvironment().text;
  const announce = useAnnounce();
  const [step, setStep] = useState<Step>({ name: 'begin' });
  return (
    <section class="stack card" aria-labelledby="recovery-title" id="recovery">
      <h2 id="recovery-title">{text.t('recoveryTitle')}</h2>
      {step.name === 'begin' && (
        <BeginForm slots={slots} onMade={(code) => setStep({ name: 'shown', code })} />
      )}
      {step.name === 'shown' && (
        <RecoverySheet
          code={step.code}
          onWritten={() => setStep({ name: 'confirm', code: step.code })}
        />
      )}
      {step.name === 'confirm' && (
        <RecoveryConfirm
          code={step.code}
          onBack={() => setStep({ name: 'shown', code: step.code })}
          onConfirmed={async () => {
            setStep({ name: 'done' });
            announce(text.t('recoveryConfirmed'));
            await onChange();
          }}
        />
      )}
      {step.name === 'done' && (
        <>
          <Banner tone="good" id="recovery-done" title={text.t('recoveryConfirmed')}>
            <p>{text.t('recoveryConfirmedDetail')}</p>
          </Banner>
          <div class="actions">
            <Button
              id="recovery-next"
              variant="primary"
              icon={<HardDriveDownload size={18} aria-hidden="true" />}
              onClick={() => {
                location.hash = 'backup';
              }}
            >
              {text.t('recoveryNext')}
            </Button>
            <Button
              id="recovery-close"
              onClick={() => {
                setStep({ name: 'begin' });
                focusTitle();
              }}
            >
              {text.t('done')}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

interface BeginFormProps {
  readonly slots: readonly UiSlot[];
  readonly onMade: (code: string) => void;
}

function BeginForm({ slots, onMade }: BeginFormProps) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const secret = useSecret();
  const has = slots.some(({ kind, confirmed }) => kind === 'recovery-code' && confirmed);
  const submit = (event: Event) => {
    event.preventDefault();
    if (!secret.check()) return;
    action.run(async () => {
      const by = { passphrase: secret.value };
      await secret.accepted(async () => {
        onMade((await ui.call('ui.addRecoveryCode', { by })).code);
      });
    });
  };
  return (
    <form class="stack" onSubmit={submit}>
      {has ? (
        <p>{text.t('recoveryHave')}</p>
      ) : (
        <Banner tone="warning" title={text.t('recoveryNone')}>
          <p>{text.t('recoveryWhy')}</p>
        </Banner>
      )}
      <SecretField id="recovery-passphrase" label={text.t('currentPassphrase')} secret={secret} />
      <ErrorBanner error={action.error} />
      <Button
        id="make-recovery-code"
        type="submit"
        variant={has ? 'plain' : 'primary'}
        busy={action.busy}
        icon={<LifeBuoy size={18} aria-hidden="true" />}
      >
        {text.t(has ? 'recoveryMakeNew' : 'recoveryMake')}
      </Button>
    </form>
  );
}
