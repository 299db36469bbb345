import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Users } from 'lucide-preact';
import { EmptyState } from '../../ui/components/empty-state.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import type {
  OwnSharingKey as SharingKey,
  UiContact,
} from '../../../src/rpc/methods/ui-contacts.ts';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { isPending, useQuery } from '../../ui/hooks/use-query.ts';
import { AddContact } from './add-contact.tsx';
import { ContactRow } from './contact-row.tsx';
import { madeKey, OwnSharingKey } from './own-sharing-key.tsx';

interface ContactsViewProps {
  /** A contact card that was dropped on the manager; another object for each drop. */
  readonly dropped: File | undefined;
  readonly onTaken: () => void;
  /** What follows the contacts, of them and the user's own keys. */
  readonly children: (
    contacts: readonly UiContact[],
    own: readonly SharingKey[],
    onKeyMade: () => Promise<void>,
  ) => ComponentChildren;
}

/** The user's own public key, the contacts, and a form that adds one. */
export function ContactsView({ dropped, onTaken, children }: ContactsViewProps) {
  const { ui, text } = useEnvironment();
  const contacts = useQuery('ui.contacts', {});
  const own = useQuery('ui.ownSharingKeys', {});
  const [chosenRef, choose] = useState<string>();
  const chosen = own.data?.find(({ ref }) => ref === chosenRef) ?? own.data?.[0];
  const error = contacts.error ?? own.error;
  const [addedId, setAddedId] = useState<string>();
  /** Words are of two keys, so that a first contact makes the user's own. */
  const added = async ({ id }: UiContact) => {
    setAddedId(id);
    if (own.data?.length === 0) {
      await madeKey(ui, text);
      await own.reload();
    }
    await contacts.reload();
  };
  return (
    <View title={text.t('navContacts')}>
      <p class="muted">{text.t('contactsLead')}</p>
      <ErrorBanner error={error} />
      {isPending(contacts) || isPending(own) ? (
        <Loading />
      ) : (
        <>
          {own.data && (
            <OwnSharingKey keys={own.data} chosen={chosen} onChoose={choose} onMade={own.reload} />
          )}
          {contacts.data?.length === 0 && (
            <EmptyState
              id="contacts-none"
              icon={Users}
              action={text.t('contactAddTitle')}
              onAction={() => document.getElementById('contact-key')?.focus()}
            >
              {text.t('contactsNone')}
            </EmptyState>
          )}
          {contacts.data && contacts.data.length > 0 && (
            <ul class="rows" id="contacts">
              {contacts.data.map((contact) => (
                <ContactRow
                  key={contact.id}
                  contact={contact}
                  own={chosen}
                  isNew={contact.id === addedId}
                  onChange={contacts.reload}
                />
              ))}
            </ul>
          )}
          <AddContact dropped={dropped} onTaken={onTaken} onAdded={added} />
          {contacts.data && own.data && children(contacts.data, own.data, own.reload)}
        </>
      )}
    </View>
  );
}
