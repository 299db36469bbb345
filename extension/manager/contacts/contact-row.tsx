import { useState } from 'preact/hooks';
import type { OwnSharingKey, UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { useAnnounce } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { RenameForm } from '../../ui/components/forms/rename-form.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import { useAction, useFormFocus } from '../../ui/hooks/use-action.ts';
import { CompareWords } from './compare-words.tsx';
import { ContactSummary } from './contact-summary.tsx';

interface ContactRowProps {
  readonly contact: UiContact;
  readonly own: OwnSharingKey | undefined;
  readonly onChange: () => Promise<void>;
}

/** What is being done with a contact in its row. */
type Doing = 'comparing' | 'renaming' | undefined;

export function ContactRow({ contact, own, onChange }: ContactRowProps) {
  const { ui, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const [doing, setDoing] = useState<Doing>();
  const row = useFormFocus<HTMLLIElement>(doing === 'renaming');
  const { id, name } = contact;
  const rename = async (typed: string) => {
    await ui.call('ui.changeContact', { id, name: typed });
    announce(text.t('contactRenamed'));
    await onChange();
  };
  const verify = () =>
    action.run(async () => {
      await ui.call('ui.changeContact', { id, verified: true });
      setDoing(undefined);
      announce(text.t('contactVerified', text.date(Date.now())));
      await onChange();
    });
  const remove = () =>
    action.run(async () => {
      await ui.call('ui.removeContact', { id });
      announce(text.t('contactRemoved'));
      focusTitle();
      await onChange();
    });
  return (
    <li class="row" ref={row}>
      {doing === 'renaming' ? (
        <RenameForm
          id={`rename-${id}`}
          label={text.t('contactName')}
          missing={text.t('contactNameMissing')}
          name={name}
          onSave={rename}
          onDone={() => setDoing(undefined)}
        />
      ) : (
        <ContactSummary
          contact={contact}
          busy={action.busy}
          comparing={own && doing === 'comparing'}
          onCompare={() => setDoing(doing === 'comparing' ? undefined : 'comparing')}
          onRename={() => setDoing('renaming')}
          onRemove={remove}
        />
      )}
      <ErrorBanner error={action.error} />
      {doing === 'comparing' && own && (
        <CompareWords contact={contact} own={own} busy={action.busy} onMatch={verify} />
      )}
    </li>
  );
}
