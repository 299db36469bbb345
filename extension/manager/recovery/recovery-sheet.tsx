import { useLayoutEffect, useRef } from 'preact/hooks';
import { Check, Printer } from 'lucide-preact';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { QrCode } from '../forms/qr-code.tsx';

interface RecoverySheetProps {
  readonly code: string;
  readonly onWritten: () => void;
}

/**
 * The recovery code, which is shown once, to print or write down. When printing, only the sheet is
 * visible.
 */
export function RecoverySheet({ code, onWritten }: RecoverySheetProps) {
  const text = useText();
  const lead = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => lead.current?.focus(), []);
  return (
    <div class="stack">
      <p ref={lead} tabIndex={-1}>
        {text.t('recoveryShownOnce')}
      </p>
      <div class="sheet" id="recovery-sheet">
        <div class="sheet-text stack">
          <p class="sheet-title">{text.t('recoverySheetTitle')}</p>
          <ol class="code" id="recovery-code" dir="ltr">
            {code.split('-').map((group) => (
              <li key={group} class="code-group">
                {group}
              </li>
            ))}
          </ol>
          <p class="hint">{text.t('recoverySheetUse')}</p>
          <p class="hint">{text.t('recoverySheetMade', text.date(Date.now()))}</p>
          <p class="sheet-line">{text.t('recoverySheetPlace')}</p>
        </div>
        <figure class="sheet-qr">
          <QrCode content={code} label={text.t('recoverySheetQr')} />
          <figcaption class="hint">{text.t('recoverySheetScan')}</figcaption>
        </figure>
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
