import { useState } from 'preact/hooks';
import { Plus } from 'lucide-preact';
import { useAnnounce } from '../ui/components/announcer.tsx';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { Loading } from '../ui/components/loading.tsx';
import { TextField } from '../ui/components/text-field.tsx';
import { View } from '../ui/components/view.tsx';
import { useEnvironment } from '../ui/environment.ts';
import { MAX_LABEL_CHARACTERS } from '../../src/rpc/limits.ts';
import { useAction } from '../ui/use-action.ts';
import { useDraft } from '../ui/use-draft.ts';
import { useQuery } from '../ui/use-query.ts';
import { KeyRow } from './key-row.tsx';

/** The user's keys: seeing, naming and making them. */
export function KeysView() {
  const { text } = useEnvironment();
  const { data, error, reload } = useQuery('ui.keys', {});
  return (
    <View title={text.t('keysTitle')}>
      <p class="muted">{text.t('keysLead')}</p>
      <ErrorBanner error={error} />
      {!data && error === undefined && <Loading />}
      {data && (
        <ul class="rows" id="keys">
          {data.map((key) => (
            <KeyRow key={key.ref} item={key} onChange={reload} />
          ))}
        </ul>
      )}
      <CreateKey onCreated={reload} />
    </View>
  );
}

function CreateKey({ onCreated }: { readonly onCreated: () => Promise<void> }) {
  const { surface, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const [label, setLabel, clearLabel] = useDraft('new-key-label');
  const [missing, setMissing] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const trimmed = label.trim();
    setMissing(trimmed === '');
    if (trimmed === '') return;
    action.run(async () => {
      await surface.call('ui.createKey', { label: trimmed });
      clearLabel();
      announce(text.t('keyCreated'));
      await onCreated();
    });
  };
  return (
    <form class="stack card" onSubmit={submit} aria-labelledby="create-key-title">
      <h2 id="create-key-title">{text.t('createKeyTitle')}</h2>
      <TextField
        id="new-key-label"
        label={text.t('keyLabel')}
        hint={text.t('keyLabelHint')}
        maxLength={MAX_LABEL_CHARACTERS}
        value={label}
        error={missing ? text.t('keyLabelMissing') : undefined}
        onInput={setLabel}
      />
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
