import { BadgeCheck } from 'lucide-preact';
import type { UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
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
      {contacts.map(({ id, name, verified }) => (
        <li key={id}>
          <label class="check">
            <input
              type="checkbox"
              id={`contact-${id}`}
              checked={chosen.includes(id)}
              onChange={() => onChange({ contacts: toggled(chosen, id) })}
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
        </li>
      ))}
    </ul>
  );
}
