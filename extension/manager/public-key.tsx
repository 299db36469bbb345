import { useState } from 'preact/hooks';
import { KeyRound } from 'lucide-preact';
import { Button } from '../ui/components/button.tsx';
import { CopyButton } from '../ui/components/copy-button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { useEnvironment } from '../ui/environment.ts';
import type { SurfaceKey } from '../ui/surface.ts';
import { useAction } from '../ui/use-action.ts';
import { QrCode } from './qr-code.tsx';

/** A QR code that every reader takes: RSA's keys are longer, and have their text alone. */
const MAX_QR_CHARACTERS = 400;

/** The public half of a signing key, once it is asked for: as text to copy, and as a QR code. */
export function PublicKey({ item }: { readonly item: SurfaceKey }) {
  const { surface, text } = useEnvironment();
  const action = useAction();
  const [shown, setShown] = useState<string>();
  const show = () =>
    action.run(async () => {
      setShown((await surface.call('ui.publicKey', { ref: item.ref })).text);
    });
  if (item.kind !== 'signing') return null;
  if (shown === undefined) {
    return (
      <>
        <ErrorBanner error={action.error} />
        <Button
          variant="quiet"
          class="show-public-key"
          busy={action.busy}
          icon={<KeyRound size={16} aria-hidden="true" />}
          aria-label={text.t('publicKeyShowNamed', item.label)}
          onClick={show}
        >
          {text.t('publicKeyShow')}
        </Button>
      </>
    );
  }
  return (
    <div class="stack public-key">
      <p class="hint">{text.t('publicKeyExplained')}</p>
      <p class="code-line" dir="ltr" data-public-key>
        {shown}
      </p>
      <CopyButton value={shown} label={text.t('publicKeyCopy')} />
      {shown.length <= MAX_QR_CHARACTERS && (
        <QrCode content={shown} label={text.t('publicKeyQr')} />
      )}
    </div>
  );
}
