import { useState } from 'preact/hooks';
import { KeyRound } from 'lucide-preact';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { CopyButton } from '../../ui/components/copy-button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { signingKeyFor } from '../../views/audience/signing-choice.tsx';
import { Words } from '../forms/words.tsx';
import { adminKeyIn, type AdminKey } from './admin-key.ts';

/** The key by which others make the user an admin, with the words that both compare. It is made where the user has none. */
export function OwnAdminKey() {
  const { ui, text } = useEnvironment();
  const action = useAction();
  const [own, setOwn] = useState<AdminKey>();
  const show = () =>
    action.run(async () => {
      const ref = await signingKeyFor('', ui, text);
      setOwn(adminKeyIn((await ui.call('ui.publicKey', { ref })).text));
    });
  return (
    <section class="stack card" id="own-admin" aria-labelledby="own-admin-title">
      <h3 id="own-admin-title">{text.t('ownAdminTitle')}</h3>
      <p class="muted">{text.t('ownAdminLead')}</p>
      <ErrorBanner error={action.error} />
      {own ? (
        <>
          <p>{text.t('ownAdminCompare')}</p>
          <Words id="own-admin-words" places={own.words} />
          <p class="code-line" dir="ltr" id="own-admin-key">
            {own.text}
          </p>
          <div class="actions">
            <CopyButton value={own.text} label={text.t('ownAdminCopy')} />
          </div>
        </>
      ) : (
        <Button
          id="show-own-admin"
          busy={action.busy}
          icon={<KeyRound size={16} aria-hidden="true" />}
          onClick={show}
        >
          {text.t('ownAdminShow')}
        </Button>
      )}
    </section>
  );
}
