import { useState } from 'preact/hooks';
import { UserPlus } from 'lucide-preact';
import { MAX_LABEL_CHARACTERS } from '../../../src/rpc/limits.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { useDraft } from '../../ui/hooks/use-draft.ts';

type Mistake = 'name' | 'key' | undefined;

/**
 * Form that adds a contact. The name and public key are stored as drafts, because neither is
 * secret.
 */
export function AddContact({ onAdded }: { readonly onAdded: () => Promise<void> }) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const [name, setName, clearName] = useDraft('contact-name');
  const [publicKey, setPublicKey, clearPublicKey] = useDraft('contact-key');
  const [mistake, setMistake] = useState<Mistake>();
  const submit = (event: Event) => {
    event.preventDefault();
    const [trimmed, line] = [name.trim(), publicKey.trim()];
    const wrong = trimmed === '' ? 'name' : line === '' ? 'key' : undefined;
    setMistake(wrong);
    if (wrong) return;
    action.run(async () => {
      try {
        await ui.call('ui.addContact', { name: trimmed, publicKey: line });
      } catch (error) {
        if (errorCode(error) !== 'INVALID_ARGUMENT') throw error;
        setMistake('key');
        return;
      }
      clearName();
      clearPublicKey();
      toast(text.t('contactAdded'));
      await onAdded();
    });
  };
  return (
    <form class="stack card" onSubmit={submit} aria-labelledby="add-contact-title">
      <h2 id="add-contact-title">{text.t('contactAddTitle')}</h2>
      <TextField
        id="contact-name"
        label={text.t('contactName')}
        maxLength={MAX_LABEL_CHARACTERS}
        value={name}
        error={mistake === 'name' ? text.t('contactNameMissing') : undefined}
        onInput={setName}
      />
      <TextField
        id="contact-key"
        label={text.t('contactKey')}
        hint={text.t('contactKeyHint')}
        value={publicKey}
        error={mistake === 'key' ? text.t('contactKeyWrong') : undefined}
        onInput={setPublicKey}
      />
      <ErrorBanner error={action.error} />
      <Button
        id="add-contact"
        type="submit"
        busy={action.busy}
        icon={<UserPlus size={16} aria-hidden="true" />}
      >
        {text.t('contactAdd')}
      </Button>
    </form>
  );
}
