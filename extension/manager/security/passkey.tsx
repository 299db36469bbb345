import { useState } from 'preact/hooks';
import { Fingerprint } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment, type Passkeys } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { usePasskeys } from '../../ui/hooks/use-passkeys.ts';
import { SecretField } from '../forms/secret-field.tsx';
import { useSecret } from '../forms/use-secret.ts';

interface PasskeyProps {
  readonly onChange: () => Promise<void>;
}

/** One more way in, for the browsers that let an extension have it. */
export function Passkey({ onChange }: PasskeyProps) {
  const { text } = useEnvironment();
  const access = usePasskeys();
  return (
    <section class="stack card" aria-labelledby="passkey-title" id="passkey">
      <h2 id="passkey-title">{text.t('passkeyTitle')}</h2>
      <p>{text.t('passkeyLead')}</p>
      <p class="hint">{text.t('passkeyExtraOnly')}</p>
      {access === null && (
        <p class="muted" id="passkey-unsupported">
          {text.t('passkeyUnsupported')}
        </p>
      )}
      {access && access !== 'in-a-tab' && <AddPasskey passkeys={access} onChange={onChange} />}
    </section>
  );
}

function AddPasskey({ passkeys, onChange }: PasskeyProps & { readonly passkeys: Passkeys }) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const secret = useSecret();
  const [done, setDone] = useState(false);
  const add = async () => {
    const by = { passphrase: secret.value };
    // A passkey that was made for a wrong passphrase would stay behind, of no use to anybody.
    await ui.call('ui.checkSecret', { by });
    const passkey = await passkeys.make(text.t('extName'), await ui.call('ui.passkeys', {}));
    await ui.call('ui.addPasskey', { by, ...passkey }).finally(() => passkey.output.fill(0));
    setDone(true);
    announce(text.t('passkeyAdded'));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (!secret.check()) return;
    setDone(false);
    action.run(async () => {
      if (await secret.accepted(add)) await onChange();
    });
  };
  return (
    <form class="stack" onSubmit={submit}>
      <SecretField id="passkey-passphrase" label={text.t('currentPassphrase')} secret={secret} />
      <ErrorBanner error={action.error} />
      {done && (
        <Banner tone="good" id="passkey-added" title={text.t('passkeyAdded')}>
          <p>{text.t('passkeyAddedDetail')}</p>
        </Banner>
      )}
      <Button
        id="add-passkey"
        type="submit"
        busy={action.busy}
        icon={<Fingerprint size={18} aria-hidden="true" />}
      >
        {text.t(action.busy ? 'passkeyAdding' : 'passkeyAdd')}
      </Button>
    </form>
  );
}
