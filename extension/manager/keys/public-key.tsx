import { KeyRound } from 'lucide-preact';
import { CopyButton } from '../../ui/components/buttons/copy-button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import type { UiKey } from '../../ui/environment/ui-client.ts';
import { QrCode } from '../forms/qr-code.tsx';
import { ShownOnRequest } from '../forms/shown-on-request.tsx';

/** A QR code that every reader takes: RSA's keys are longer, and have their text alone. */
const MAX_QR_CHARACTERS = 400;

/** What people are told of a public half. */
const EXPLAINED: Readonly<Record<string, MessageKey>> = {
  signing: 'publicKeyExplained',
  age: 'ageRecipientExplained',
};

/** The public half of a key that has one, once it is asked for: as text to copy, and as a QR code. */
export function PublicKey({ item }: { readonly item: UiKey }) {
  const { ui, text } = useEnvironment();
  const explained = EXPLAINED[item.kind];
  if (!explained) return null;
  return (
    <ShownOnRequest
      class="show-public-key"
      icon={<KeyRound size={16} aria-hidden="true" />}
      label={text.t('publicKeyShow')}
      named={text.t('publicKeyShowNamed', item.label)}
      fetch={async () => (await ui.call('ui.publicKey', { ref: item.ref })).text}
    >
      {(shown: string) => (
        <>
          <p class="hint">{text.t(explained)}</p>
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
