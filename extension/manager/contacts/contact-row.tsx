import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { OwnSharingKey, UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { MENU_BUTTON } from '../../ui/components/buttons/row-menu.tsx';
import { RenameForm } from '../../ui/components/forms/rename-form.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { focusTitle } from '../../ui/components/view.tsx';
import { useAction, useFormFocus } from '../../ui/hooks/use-action.ts';
import { CompareWords } from './compare-words.tsx';
import { ContactSummary } from './contact-summary.tsx';

interface ContactRowProps {
  readonly contact: UiContact;
  readonly own: OwnSharingKey | undefined;
  /** Whether it was added just now: then its words are shown. */
  readonly isNew: boolean;
  readonly onChange: () => Promise<void>;
}

/** The open form of a row. */
type OpenForm = 'comparing' | 'renaming' | undefined;

/** One contact, with forms that compare its words and rename it. */
export function ContactRow({ contact, own, isNew, onChange }: ContactRowProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const [openForm, setOpenForm] = useState<OpenForm>(isNew ? 'comparing' : undefined);
  const row = useFormFocus<HTMLLIElement>(openForm === 'renaming', MENU_BUTTON);
  const { id, name } = contact;
  // Before the row is drawn: a later scroll would move what is about to be pressed.
  useLayoutEffect(() => {
    if (isNew) row.current?.scrollIntoView({ block: 'center' });
  }, []);
  // The words fold above the button that was pressed, so that the row may lie above the window, or below its header.
  const wasComparing = useRef(false);
  useLayoutEffect(() => {
    if (wasComparing.current && document.activeElement === document.body) {
      row.current?.querySelector('button')?.focus();
      row.current?.scrollIntoView({ block: 'nearest' });
    }
    wasComparing.current = openForm === 'comparing';
  }, [openForm]);
  const rename = async (typed: string) => {
    await ui.call('ui.changeContact', { id, name: typed });
    toast(text.t('contactRenamed'), async () => {
      await ui.call('ui.changeContact', { id, name });
      await onChange();
    });
    await onChange();
  };
  const verify = () =>
    action.run(async () => {
      await ui.call('ui.changeContact', { id, verified: true });
      toast(text.t('contactVerified', text.date(Date.now())));
      await onChange();
      setOpenForm(undefined); // the buttons of the row are those of a compared contact by now
    });
  const remove = () =>
    action.run(async () => {
      await ui.call('ui.removeContact', { id });
      toast(text.t('contactRemoved'));
      focusTitle();
      await onChange();
    });
  return (
    <li class="row" ref={row}>
      {openForm === 'renaming' ? (
        <RenameForm
          id={`rename-${id}`}
          label={text.t('contactName')}
          missing={text.t('contactNameMissing')}
          name={name}
          onSave={rename}
          onDone={() => setOpenForm(undefined)}
        />
      ) : (
        <ContactSummary
          contact={contact}
          busy={action.busy}
          comparing={own && openForm === 'comparing'}
          onCompare={() => setOpenForm(openForm === 'comparing' ? undefined : 'comparing')}
          onRename={() => setOpenForm('renaming')}
          onRemove={remove}
        />
      )}
      <ErrorBanner error={action.error} />
      {openForm === 'comparing' && own && (
        <CompareWords
          contact={contact}
          own={own}
          busy={action.busy}
          onMatch={verify}
          onRemove={remove}
        />
      )}
    </li>
  );
}
