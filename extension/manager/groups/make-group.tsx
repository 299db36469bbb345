import { useRef, useState } from 'preact/hooks';
import { UsersRound } from 'lucide-preact';
import { parsePublicKey } from '../../../src/format/wire/public-key.ts';
import { MAX_LABEL_CHARACTERS } from '../../../src/rpc/limits.ts';
import type { OwnSharingKey, UiContact } from '../../../src/rpc/methods/ui-contacts.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { signingKeyFor } from '../../views/audience/signing-choice.tsx';
import { madeKey } from '../contacts/own-sharing-key.tsx';
import { MemberChoice } from './member-choice.tsx';

interface MakeGroupProps {
  readonly contacts: readonly UiContact[];
  readonly own: readonly OwnSharingKey[];
  readonly onMade: (id: string) => Promise<void>;
}

/** Form that makes a group of the user and contacts. The keys that the user needs are made if there are none. */
export function MakeGroup({ contacts, own, onMade }: MakeGroupProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isMissing, setMissing] = useState(false);
  const make = (event: Event) => {
    event.preventDefault();
    const label = name.trim();
    setMissing(label === '');
    if (label === '') {
      form.current?.querySelector('input')?.focus();
      return;
    }
    action.run(async () => {
      const usable = own.find(({ publicKey }) => parsePublicKey(publicKey).type === 'X-Wing');
      const { ref } = usable ?? (await madeKey(ui, text));
      const signer = await signingKeyFor('', ui, text);
      const members = contacts.filter(({ id }) => chosen.includes(id)).map(({ id }) => id);
      const made = { name: label, contacts: members, own: ref, signer };
      const { id } = await ui.call('ui.makeGroup', made);
      setName('');
      setChosen([]);
      toast(text.t('groupMade'));
      await onMade(id);
    });
  };
  return (
    <form
      class="stack card"
      ref={form}
      onSubmit={make}
      id="make-group-form"
      aria-labelledby="make-group-title"
    >
      <h3 id="make-group-title">{text.t('groupMake')}</h3>
      <TextField
        id="group-name"
        label={text.t('contactName')}
        maxLength={MAX_LABEL_CHARACTERS}
        value={name}
        error={isMissing ? text.t('contactNameMissing') : undefined}
        onInput={setName}
      />
      <MemberChoice place="member" contacts={contacts} chosen={chosen} onChange={setChosen} />
      <ErrorBanner error={action.error} />
      <Button
        id="make-group"
        type="submit"
        busy={action.busy}
        icon={<UsersRound size={16} aria-hidden="true" />}
      >
        {text.t('groupMake')}
      </Button>
    </form>
  );
}
