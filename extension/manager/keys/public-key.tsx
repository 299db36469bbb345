import type { ComponentChildren } from 'preact';
import { KeyRound } from 'lucide-preact';
import { CopyButton } from '../../ui/components/copy-button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { kindWords } from '../../ui/text/key-words.ts';
import type { UiKey } from '../../ui/environment/ui-client.ts';
import { QrCode } from '../forms/qr-code.tsx';
import { ShownOnRequest } from '../forms/shown-on-request.tsx';

/** Longer texts, such as RSA keys, get no QR code, because not every reader can read it. */
const MAX_QR_CHARACTERS = 400;

interface PublicKeyProps {
  readonly item: UiKey;
  /** The other actions of its row. */
  readonly beside: ComponentChildren;
}

/** A button that shows the public key of a signing key or age identity, as text and QR code. */
export function PublicKey({ item, beside }: PublicKeyProps) {
  const { ui, text } = useEnvironment();
  const { publicKey: explained } = kindWords(item.kind);
  return (
    <ShownOnRequest
      class="show-public-key"
      icon={<KeyRound size={16} aria-hidden="true" />}
      label={text.t('publicKeyShow')}
      named={text.t('publicKeyShowNamed', item.label)}
      beside={beside}
      fetch={async () => (await ui.call('ui.publicKey', { ref: item.ref })).text}
    >
      {(shown: string) => (
        <>
          {explained && <p class="hint">{text.t(explained)}</p>}
          <p class="code-line" dir="ltr" data-public-key>
            {shown}
          </p>
          <CopyButton value={shown} label={text.t('publicKeyCopy')} />
          {shown.length <= MAX_QR_CHARACTERS && (
            <QrCode content={shown} label={text.t('publicKeyQr')} />
          )}
        </>
      )}
    </ShownOnRequest>
  );
}
