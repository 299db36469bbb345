import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { LifeBuoy } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { useAskPassphrase } from '../forms/ask-passphrase.tsx';
import { RecoveryConfirm } from './recovery-confirm.tsx';
import { RecoverySheet } from './recovery-sheet.tsx';

interface RecoveryStepsProps {
  /** Whether the new code replaces one. */
  readonly hasCode: boolean;
  /** Whether the vault was created in this page a moment ago: the first code then needs no passphrase. */
  readonly isNew?: boolean;
  readonly onConfirmed: () => Promise<void>;
  /** What is below each step, and appears with the first. */
  readonly children?: ComponentChildren;
}

/** The current step. The code is held by this component only, until it is confirmed. */
type Step = { name: 'begin' | 'first' } | { name: 'shown' | 'confirm'; code: string };

/** Makes a recovery code: passphrase, sheet with the code, confirmation. */
export function RecoverySteps({
  hasCode,
  isNew = false,
  onConfirmed,
  children,
}: RecoveryStepsProps) {
  const { text } = useEnvironment();
  const announce = useAnnounce();
  const [step, setStep] = useState<Step>({ name: isNew ? 'first' : 'begin' });
  const show = (code: string) => setStep({ name: 'shown', code });
  if (step.name === 'first') {
    return <FirstCode onMade={show} onRefused={() => setStep({ name: 'begin' })} />;
  }
  return (
    <>
      {step.name === 'begin' && <Begin hasCode={hasCode} onMade={show} />}
      {step.name === 'shown' && (
        <RecoverySheet
          code={step.code}
          onWritten={() => setStep({ name: 'confirm', code: step.code })}
        />
      )}
      {step.name === 'confirm' && (
        <RecoveryConfirm
          code={step.code}
          onBack={() => show(step.code)}
          onConfirmed={async () => {
            announce(text.t('recoveryConfirmed'));
            await onConfirmed();
          }}
        />
      )}
      {children}
    </>
  );
}

interface FirstCodeProps {
  readonly onMade: (code: string) => void;
  /** The background allows it no more: the passphrase has to be typed. */
  readonly onRefused: () => void;
}

/** Asks for the code of a vault that was just made, once. */
function FirstCode({ onMade, onRefused }: FirstCodeProps) {
  const { ui } = useEnvironment();
  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    void ui.call('ui.addFirstRecoveryCode', {}).then(({ code }) => onMade(code), onRefused);
  }, []);
  return <Loading />;
}

interface BeginProps {
  readonly hasCode: boolean;
  readonly onMade: (code: string) => void;
}

function Begin({ hasCode, onMade }: BeginProps) {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const ask = useAskPassphrase();
  const make = () =>
    action.run(async () => {
      const title = text.t(hasCode ? 'recoveryMakeNew' : 'recoveryMake');
      let made: string | undefined;
      await ask({ title }, async (by) => {
        made = (await ui.call('ui.addRecoveryCode', { by })).code;
      });
      // The sheet takes the focus, which it cannot beneath an open dialog.
      if (made !== undefined) onMade(made);
    });
  return (
    <>
      <ErrorBanner error={action.error} />
      <Button
        id="make-recovery-code"
        variant={hasCode ? 'plain' : 'primary'}
        busy={action.busy}
        icon={<LifeBuoy size={18} aria-hidden="true" />}
        onClick={make}
      >
        {text.t(hasCode ? 'recoveryMakeNew' : 'recoveryMake')}
      </Button>
    </>
  );
}
