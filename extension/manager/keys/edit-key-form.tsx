import { MAX_NOTE_CHARACTERS } from '../../../src/rpc/limits.ts';
import { useToast } from '../../ui/components/announcer.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Field } from '../../ui/components/forms/field.tsx';
import { useEnvironment } from '../../ui/environment/environment.ts';
import { KeyLabelField, useKeyLabel } from '../../ui/components/forms/key-label.tsx';
import type { UiKey } from '../../ui/environment/ui-client.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { useDraft } from '../../ui/hooks/use-draft.ts';
import { ToneChoice } from './tone-choice.tsx';

interface EditKeyFormProps {
  readonly item: UiKey;
  readonly onDone: () => void;
  readonly onChange: () => Promise<void>;
}

/** Form for name, note and colour of a key. Drafts are stored until they are saved or cancelled. */
export function EditKeyForm({ item, onDone, onChange }: EditKeyFormProps) {
  const { ui, text } = useEnvironment();
  const toast = useToast();
  const action = useAction();
  const { ref } = item;
  const label = useKeyLabel(`edit-${ref}-label`, item.label);
  const [note, setNote, clearNote] = useDraft(`edit-${ref}-note`, item.note);
  const [tone, setTone, clearTone] = useDraft(`edit-${ref}-tone`, item.tone);
  const close = () => {
    for (const clear of [label.clear, clearNote, clearTone]) clear();
    onDone();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const name = label.check();
    if (name === '') return;
    action.run(async () => {
      await ui.call('ui.editKey', { ref, label: name, note: note.trim(), tone });
      toast(text.t('saved'), async () => {
        await ui.call('ui.editKey', { ref, label: item.label, note: item.note, tone: item.tone });
        await onChange();
      });
      await onChange();
      close();
    });
  };
  return (
    <form class="stack grow" onSubmit={submit}>
      <KeyLabelField id="edit-label" label={label} />
      <Field id="edit-note" label={text.t('keyNote')} hint={text.t('keyNoteHint')}>
        {(attributes) => (
          <textarea
            {...attributes}
            rows={3}
            dir="auto"
            maxLength={MAX_NOTE_CHARACTERS}
            value={note}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
        )}
      </Field>
      <ToneChoice value={tone} onChange={setTone} />
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button onClick={close}>{text.t('cancel')}</Button>
        <Button id="save-key" type="submit" variant="primary" busy={action.busy}>
          {text.t('save')}
        </Button>
      </div>
    </form>
  );
}
