import { useState } from 'preact/hooks';
import { Check } from 'lucide-preact';
import { Button } from '../../ui/components/buttons/button.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { Words } from '../forms/words.tsx';
import { ADMIN_KEY_INPUT_MAX, adminKeyIn } from './admin-key.ts';

interface MakeAdminProps {
  /** Ends the ids of the elements. */
  readonly place: string;
  /** Of the member. */
  readonly name: string;
  /** Keys of the group's admins, "swp1.…". */
  readonly taken: readonly string[];
  readonly busy: boolean;
  readonly onMake: (adminKey: string) => void;
  readonly onDone: () => void;
}

/**
 * Form that makes a member an admin, by the key that the member's own manager shows. Only the comparison of its words proves
 * whose it is. So Enter in the field shows the words, and the button that says that they are the same comes with them.
 */
export function MakeAdmin({ place, name, taken, busy, onMake, onDone }: MakeAdminProps) {
  const text = useText();
  const [typed, setTyped] = useState('');
  const [isChecked, setChecked] = useState(false);
  const key = adminKeyIn(typed);
  const isTaken = key !== undefined && taken.includes(key.text);
  const wrong = isTaken ? 'groupAdminKeyTaken' : key ? undefined : 'groupAdminKeyWrong';
  const submit = (event: Event) => {
    event.preventDefault();
    setChecked(true);
  };
  return (
    <form
      class="confirm stack"
      onSubmit={submit}
      aria-label={text.t('groupAdminForm', name)}
      id={`make-admin-${place}`}
    >
      <p>{text.t('groupAdminLead', name)}</p>
      <TextField
        id={`admin-key-${place}`}
        label={text.t('groupAdminKey', name)}
        hint={text.t('groupAdminKeyHint')}
        maxLength={ADMIN_KEY_INPUT_MAX}
        value={typed}
        error={wrong && (isChecked || isTaken) ? text.t(wrong) : undefined}
        onInput={(value) => {
          setTyped(value);
          setChecked(false);
        }}
      />
      {key && !isTaken && (
        <>
          <p>{text.t('groupAdminCompare', name)}</p>
          <Words id={`admin-words-${place}`} places={key.words} />
        </>
      )}
      <div class="actions">
        <Button onClick={onDone}>{text.t('cancel')}</Button>
        {key && !isTaken ? (
          <Button
            id={`admin-match-${place}`}
            variant="primary"
            busy={busy}
            icon={<Check size={16} aria-hidden="true" />}
            onClick={() => onMake(key.text)}
          >
            {text.t('groupAdminMatch')}
          </Button>
        ) : (
          <Button type="submit" variant="primary">
            {text.t('contactCompare')}
          </Button>
        )}
      </div>
    </form>
  );
}
