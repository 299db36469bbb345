import { useState } from 'preact/hooks';
import { Plus } from 'lucide-preact';
import type { ParamsOf } from '../../src/rpc/methods/methods.ts';
import { useToast } from '../ui/components/announcer.tsx';
import { Button } from '../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../ui/components/banner.tsx';
import { RadioList } from '../ui/components/forms/radio-list.tsx';
import { useEnvironment } from '../ui/environment/environment.ts';
import { KeyLabelField, useKeyLabel } from '../ui/components/forms/key-label.tsx';
import { MADE_KINDS } from '../ui/text/key-words.ts';
import { useAction } from '../ui/hooks/use-action.ts';

type NewKeyKind = NonNullable<ParamsOf<'ui.createKey'>['kind']>;

/** Form that creates a key for sealing, signing or sync. */
export function CreateKey({ onCreated }: { readonly onCreated: () => Promise<void> }) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const label = useKeyLabel('new-key-label');
  const [kind, setKind] = useState<NewKeyKind>('sealing');
  const submit = (event: Event) => {
    event.preventDefault();
    const name = label.check();
    if (name === '') return;
    action.run(async () => {
      await ui.call('ui.createKey', { kind, label: name });
      label.clear();
      toast(text.t('keyCreated'));
      await onCreated();
    });
  };
  return (
    <form class="stack card" onSubmit={submit} aria-labelledby="create-key-title">
      <h2 id="create-key-title">{text.t('createKeyTitle')}</h2>
      <RadioList
        name="new-key"
        legend={text.t('keyKind')}
        options={MADE_KINDS.map(({ value, made }) => ({ value, label: text.t(made) }))}
        value={kind}
        onChange={setKind}
      />
      <KeyLabelField id="new-key-label" label={label} hint={text.t('keyLabelHint')} />
      <ErrorBanner error={action.error} />
      <Button
        id="create-key"
        type="submit"
        busy={action.busy}
        icon={<Plus size={16} aria-hidden="true" />}
      >
        {text.t('createKey')}
      </Button>
    </form>
  );
}
