import { KeyRound } from 'lucide-preact';
import type { OwnSharingKey as SharingKey } from '../../../src/rpc/methods/ui-contacts.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { CopyButton } from '../../ui/components/copy-button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Select } from '../../ui/components/forms/select.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { QrCode } from '../forms/qr-code.tsx';

interface OwnSharingKeyProps {
  readonly keys: readonly SharingKey[];
  readonly chosen: SharingKey | undefined;
  readonly onChoose: (ref: string) => void;
  readonly onMade: () => Promise<void>;
}

/**
 * The public key with which others seal for the user, as text and as a QR code; or a button that
 * makes one.
 */
export function OwnSharingKey({ keys, chosen, onChoose, onMade }: OwnSharingKeyProps) {
  const { text } = useEnvironment();
  return (
    <section class="stack card" id="own-public-key" aria-labelledby="own-public-key-title">
      <h2 id="own-public-key-title">{text.t('contactsOwnTitle')}</h2>
      {!chosen && <MakeKey onMade={onMade} />}
      {chosen && (
        <>
          <p>{text.t('contactsOwnLead')}</p>
          {keys.length > 1 && (
            <Select
              id="own-sharing-key"
              label={text.t('contactsOwnWhich')}
              value={chosen.ref}
              options={keys.map(({ ref, label }) => ({ value: ref, label }))}
              onChange={onChoose}
            />
          )}
          <div class="public-key">
            <QrCode content={chosen.publicKey} label={text.t('contactsOwnQr')} ecc="L" />
            <div class="stack">
              <p
                class="public-key-text"
                dir="ltr"
                id="own-public-key-text"
                role="group"
                aria-labelledby="own-public-key-title"
                tabIndex={0}
              >
                {chosen.publicKey}
              </p>
              <CopyButton value={chosen.publicKey} label={text.t('contactsOwnCopy')} />
            </div>
          </div>
        </>
      )}
    </section>
  );
}

function MakeKey({ onMade }: { readonly onMade: () => Promise<void> }) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const make = () =>
    action.run(async () => {
      const label = text.t('contactsOwnLabel');
      await ui.call('ui.createKey', { kind: 'sharing', label });
      toast(text.t('keyCreated'));
      await onMade();
    });
  return (
    <>
      <p>{text.t('contactsOwnNone')}</p>
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button
          id="make-sharing-key"
          busy={action.busy}
          icon={<KeyRound size={16} aria-hidden="true" />}
          onClick={make}
        >
          {text.t('contactsOwnMake')}
        </Button>
      </div>
    </>
  );
}
