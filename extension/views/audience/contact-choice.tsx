import { BadgeCheck } from 'lucide-preact';
import type { UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment, useText } from '../../ui/environment/environment.ts';
import { toggled, type Audience } from './audience.ts';

interface ContactChoiceProps {
  readonly contacts: readonly UiContact[];
  readonly chosen: readonly string[];
  readonly onChange: (part: Pick<Audience, 'contacts'>) => void;
}

/** The contacts as checkboxes, with a sign at those whose keys were compared. */
export function ContactChoice({ contacts, chosen, onChange }: ContactChoiceProps) {
  const { text, openManager } = useEnvironment();
  if (contacts.length === 0) {
    return (
      <>
        <p class="muted">{text.t('sealNoContacts')}</p>
        <Button onClick={() => openManager('contacts')}>{text.t('contactAddTitle')}</Button>
      </>
    );
  }
  return (
    <ul class="people" aria-label={text.t('navContacts')}>
      {contacts.map((contact) => (
        <li key={contact.id}>
          <ContactCheck
            id={`contact-${contact.id}`}
            contact={contact}
            checked={chosen.includes(contact.id)}
            onChange={() => onChange({ contacts: toggled(chosen, contact.id) })}
          />
        </li>
      ))}
    </ul>
  );
}

interface ContactCheckProps {
  readonly id: string;
  readonly contact: UiContact;
  readonly checked: boolean;
  /** The id of the element that says why the contact cannot be chosen; undefined for one that can. */
  readonly reasonId?: string | undefined;
  readonly onChange: () => void;
}

/** A contact to be chosen, with a sign where the keys were compared. */
export function ContactCheck({ id, contact, checked, reasonId, onChange }: ContactCheckProps) {
  const text = useText();
  const { name, verified } = contact;
  return (
    <label class="check">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        disabled={reasonId !== undefined}
        aria-describedby={reasonId}
        onChange={onChange}
      />
      <bdi>{name}</bdi>
      {verified !== null && (
        <BadgeCheck
          size={16}
          class="icon-good"
          role="img"
          aria-label={text.t('contactVerified', text.date(verified))}
        />
      )}
    </label>
  );
}
