import { BadgeCheck } from 'lucide-preact';
import { parsePublicKey } from '../../../src/format/wire/public-key.ts';
import type { UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { useText } from '../../ui/environment/environment.ts';
import { toggled } from '../../views/audience/audience.ts';

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
      {contacts.map(({ id, name, verified, publicKey }) => {
        const isPossible = parsePublicKey(publicKey).type === 'X-Wing';
        const reasonId = `${place}-${id}-reason`;
        return (
          <li key={id}>
            <label class="check">
              <input
                type="checkbox"
                id={`${place}-${id}`}
                checked={chosen.includes(id)}
                disabled={!isPossible}
                aria-describedby={isPossible ? undefined : reasonId}
                onChange={() => onChange(toggled(chosen, id))}
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
