import { useState } from 'preact/hooks';
import { Users } from 'lucide-preact';
import { EmptyState } from '../../ui/components/empty-state.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { isPending, useQuery } from '../../ui/hooks/use-query.ts';
import { AddContact } from './add-contact.tsx';
import { ContactRow } from './contact-row.tsx';
import { OwnSharingKey } from './own-sharing-key.tsx';

/** The user's own public key, the contacts, and a form that adds one. */
export function ContactsView() {
  const text = useText();
  const contacts = useQuery('ui.contacts', {});
  const own = useQuery('ui.ownSharingKeys', {});
  const [chosenRef, choose] = useState<string>();
  const chosen = own.data?.find(({ ref }) => ref === chosenRef) ?? own.data?.[0];
  const error = contacts.error ?? own.error;
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
              onAction={() => document.getElementById('contact-name')?.focus()}
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
                  onChange={contacts.reload}
                />
              ))}
            </ul>
          )}
          <AddContact onAdded={contacts.reload} />
        </>
      )}
    </View>
  );
}
