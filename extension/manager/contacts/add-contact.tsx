import { useEffect, useRef, useState } from 'preact/hooks';
import { UserPlus } from 'lucide-preact';
import type { UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { MAX_LABEL_CHARACTERS } from '../../../src/rpc/limits.ts';
import { errorCode } from '../../ui/text/error-words.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Field } from '../../ui/components/forms/field.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { useDraft } from '../../ui/hooks/use-draft.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { FileField } from '../forms/file-field.tsx';
import { useChosenFile } from '../forms/use-chosen-file.ts';
import { invitationIn, invitationInFile, type Invitation } from './invitation.ts';

interface AddContactProps {
  /** A contact card that was dropped on the manager; another object for each drop. */
  readonly dropped: File | undefined;
  readonly onTaken: () => void;
  readonly onAdded: (contact: UiContact) => Promise<void>;
}

const CARD = {
  maxBytes: Infinity,
  missing: 'contactCardNone',
  tooLarge: 'contactCardNone',
} as const;

/**
 * Form that adds a contact from a card or an invitation. One that says a name is added at once, and can be renamed; else
 * the name is asked for. Name and text are stored as drafts, because neither is secret.
 */
export function AddContact({ dropped, onTaken, onAdded }: AddContactProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const card = useChosenFile(CARD);
  const form = useRef<HTMLFormElement>(null);
  const [name, setName, clearName] = useDraft('contact-name');
  const [given, setGiven, clearGiven] = useDraft('contact-key');
  const [wrong, setWrong] = useState<{ readonly name?: MessageKey; readonly key?: MessageKey }>({});
  const add = (invitation: Invitation) =>
    action.run(async () => {
      setWrong({});
      let contact: UiContact;
      try {
        contact = await ui.call('ui.addContact', invitation);
      } catch (error) {
        if (errorCode(error) !== 'INVALID_ARGUMENT') throw error;
        setWrong({ key: 'contactKeyWrong' });
        return;
      }
      clearName();
      clearGiven();
      card.clear();
      toast(text.t('contactAdded'));
      await onAdded(contact);
    });
  const take = (invitation: Invitation) => {
    const named = { ...invitation, name: name.trim() || invitation.name };
    if (named.name !== '') {
      add(named);
      return;
    }
    setGiven(invitation.publicKey);
    setWrong({ name: 'contactNameMissing' });
    form.current?.querySelector<HTMLInputElement>('#contact-name')?.focus();
  };
  const takeFile = async (file: File | undefined) => {
    const invitation = file && (await invitationInFile(file));
    if (invitation) take(invitation);
    else if (file) card.refuse('contactCardNone');
  };
  useEffect(() => {
    if (!dropped) return;
    onTaken();
    void takeFile(dropped);
  }, [dropped]);
  const submit = (event: Event) => {
    event.preventDefault();
    const invitation = invitationIn(given);
    if (invitation) take(invitation);
    else setWrong({ key: 'contactKeyWrong' });
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = invitationIn(event.clipboardData?.getData('text/plain') ?? '');
    if (!pasted || action.busy) return;
    event.preventDefault();
    take(pasted);
  };
  return (
    <form
      class="stack card"
      ref={form}
      onSubmit={submit}
      aria-labelledby="add-contact-title"
      id="add-contact-form"
    >
      <h2 id="add-contact-title">{text.t('contactAddTitle')}</h2>
      <FileField
        id="contact-card"
        label={text.t('contactCard')}
        file={card}
        onChoose={() => void takeFile(card.chosen())}
      />
      <Field id="contact-key" label={text.t('contactKey')} error={wrong.key && text.t(wrong.key)}>
        {(attributes) => (
          <textarea
            {...attributes}
            dir="auto"
            rows={2}
            spellcheck={false}
            value={given}
            onPaste={paste}
            onInput={(event) => setGiven(event.currentTarget.value)}
          />
        )}
      </Field>
      <TextField
        id="contact-name"
        label={text.t('contactName')}
        hint={text.t('contactNameHint')}
        maxLength={MAX_LABEL_CHARACTERS}
        value={name}
        error={wrong.name && text.t(wrong.name)}
        onInput={setName}
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
