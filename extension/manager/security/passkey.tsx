import { useState } from 'preact/hooks';
import { Fingerprint } from 'lucide-preact';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import {
  useEnvironment,
  type PasskeyAccess,
  type Passkeys,
} from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { useAskPassphrase } from '../forms/ask-passphrase.tsx';

interface PasskeyProps {
  readonly onChange: () => Promise<void>;
}

interface AddPasskeyProps extends PasskeyProps {
  readonly passkeys: Passkeys;
}

/** Form that adds a passkey, in browsers that give passkeys to extensions. */
export function Passkey({ access, onChange }: PasskeyProps & { readonly access: PasskeyAccess }) {
  const { text } = useEnvironment();
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

function AddPasskey({ passkeys, onChange }: AddPasskeyProps) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const ask = useAskPassphrase();
  const [done, setDone] = useState(false);
  const make = async (by: { readonly passphrase: string }) => {
    // Checked first, because a passkey that was created for a wrong passphrase would remain unused.
    await ui.call('ui.checkSecret', { by });
    const passkey = await passkeys.make(text.t('extName'), await ui.call('ui.passkeys', {}));
    await ui.call('ui.addPasskey', { by, ...passkey }).finally(() => {
      passkey.output.fill(0);
      passkey.circleOutput?.fill(0);
    });
  };
  const add = () => {
    setDone(false);
    action.run(async () => {
      if (!(await ask({ title: text.t('passkeyAdd') }, make))) return;
      await onChange(); // The list above grows first.
      setDone(true);
      announce(text.t('passkeyAdded'));
    });
  };
  return (
    <>
      <ErrorBanner error={action.error} />
      {done && (
        <Banner tone="good" id="passkey-added" title={text.t('passkeyAdded')}>
          <p>{text.t('passkeyAddedDetail')}</p>
        </Banner>
      )}
      <Button
        id="add-passkey"
        busy={action.busy}
        icon={<Fingerprint size={18} aria-hidden="true" />}
        onClick={add}
      >
        {text.t(action.busy ? 'passkeyAdding' : 'passkeyAdd')}
      </Button>
    </>
  );
}
