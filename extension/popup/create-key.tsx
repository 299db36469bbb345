import { useState } from 'preact/hooks';
import { Plus } from 'lucide-preact';
import { MAX_LABEL_CHARACTERS } from '../../src/rpc/limits.ts';
import { useAnnounce } from '../ui/components/announcer.tsx';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { RadioList } from '../ui/components/radio-list.tsx';
import { TextField } from '../ui/components/text-field.tsx';
import { useEnvironment } from '../ui/environment.ts';
import { useAction } from '../ui/use-action.ts';
import { useDraft } from '../ui/use-draft.ts';

type MadeKind = 'sealing' | 'signing';

const MADE_KINDS = [
  ['sealing', 'keyKindSealing'],
  ['signing', 'keyKindSigning'],
] as const;

export function CreateKey({ onCreated }: { readonly onCreated: () => Promise<void> }) {
  const { surface, text } = useEnvironment();
  const announce = useAnnounce();
  const action = useAction();
  const [label, setLabel, clearLabel] = useDraft('new-key-label');
  const [kind, setKind] = useState<MadeKind>('sealing');
  const [missing, setMissing] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const trimmed = label.trim();
    setMissing(trimmed === '');
    if (trimmed === '') return;
    action.run(async () => {
      await surface.call('ui.createKey', { kind, label: trimmed });
      clearLabel();
      announce(text.t('keyCreated'));
      await onCreated();
    });
  };
  return (
    <form class="stack card" onSubmit={submit} aria-labelledby="create-key-title">
      <h2 id="create-key-title">{text.t('createKeyTitle')}</h2>
      <RadioList
        name="new-key"
        legend={text.t('keyKind')}
        options={MADE_KINDS.map(([value, name]) => ({ value, label: text.t(name) }))}
        value={kind}
        onChange={setKind}
      />
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
