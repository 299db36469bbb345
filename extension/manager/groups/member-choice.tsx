import { parsePublicKey } from '../../../src/format/wire/public-key.ts';
import type { UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { useText } from '../../ui/environment/environment.ts';
import { toggled } from '../../views/audience/audience.ts';
import { ContactCheck } from '../../views/audience/contact-choice.tsx';

interface MemberChoiceProps {
  /** Begins the ids of the elements. */
  readonly place: string;
  readonly contacts: readonly UiContact[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Contacts who become members. Those with keys of X25519 alone cannot, and the choice says so. */
export function MemberChoice({ place, contacts, chosen, onChange }: MemberChoiceProps) {
  const text = useText();
  if (contacts.length === 0) return <p class="muted">{text.t('contactsNone')}</p>;
  return (
    <ul class="people" aria-label={text.t('navContacts')}>
      {contacts.map((contact) => {
        const { id, publicKey } = contact;
        const isPossible = parsePublicKey(publicKey).type === 'X-Wing';
        const reasonId = isPossible ? undefined : `${place}-${id}-reason`;
        return (
          <li key={id}>
            <ContactCheck
              id={`${place}-${id}`}
              contact={contact}
              checked={chosen.includes(id)}
              reasonId={reasonId}
              onChange={() => onChange(toggled(chosen, id))}
            />
            {!isPossible && (
              <p class="hint" id={reasonId}>
                {text.t('groupOldKey')}
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
