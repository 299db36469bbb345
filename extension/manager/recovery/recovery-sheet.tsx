import { Check, Printer } from 'lucide-preact';
import { Button } from '../../ui/components/buttons/button.tsx';
import { WithPicture } from '../../ui/components/install-picture.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { useFirstFocus } from '../../ui/hooks/use-focus.ts';
import { Mark } from '../../ui/picture/mark.tsx';

interface RecoverySheetProps {
  readonly code: string;
  readonly onWritten: () => void;
}

/** How to use it, as the printed page says. */
const STEPS = ['recoveryKitStepOpen', 'recoveryKitStepType', 'recoveryKitStepChoose'] as const;

/**
 * The recovery code, which is shown once, to write down or to print. The printed page says in addition how to use the
 * code and where to keep it, and has room for notes; it fits on A4 and on Letter.
 */
export function RecoverySheet({ code, onWritten }: RecoverySheetProps) {
  const text = useText();
  const lead = useFirstFocus<HTMLParagraphElement>();
  return (
    <div class="stack">
      <p ref={lead} tabIndex={-1}>
        {text.t('recoveryShownOnce')}
      </p>
      <div class="sheet" id="recovery-sheet">
        <p class="sheet-title">
          <Mark size={32} />
          <span>{text.t('recoverySheetTitle')}</span>
        </p>
        <WithPicture caption="recoveryKitOpens" />
        <ol class="code" id="recovery-code" dir="ltr">
          {code.split('-').map((group) => (
            <li key={group} class="code-group">
              {group}
            </li>
          ))}
        </ol>
        <p class="hint not-printed">{text.t('recoverySheetUse')}</p>
        <div class="printed">
          <p class="sheet-heading">{text.t('recoveryKitSteps')}</p>
          <ol class="sheet-steps">
            {STEPS.map((step) => (
              <li key={step}>{text.t(step)}</li>
            ))}
          </ol>
          <p>{text.t('recoveryKitKeep')}</p>
          <p class="sheet-line">{text.t('recoverySheetPlace')}</p>
          <p class="sheet-line">{text.t('recoveryKitHint')}</p>
        </div>
        <p class="hint">{text.t('recoverySheetMade', text.date(Date.now()))}</p>
      </div>
      <div class="actions">
        <Button
          id="print-recovery-sheet"
          icon={<Printer size={18} aria-hidden="true" />}
          onClick={() => window.print()}
        >
          {text.t('recoveryPrint')}
        </Button>
        <Button
          id="recovery-written"
          variant="primary"
          icon={<Check size={18} aria-hidden="true" />}
          onClick={onWritten}
        >
          {text.t('recoveryWritten')}
        </Button>
      </div>
    </div>
  );
}
