import { MAX_LABEL_CHARACTERS } from '../../../../src/rpc/limits.ts';
import { useEnvironment } from '../../environment/environment.ts';
import { useKeyLabel } from './key-label.tsx';
import { useAction } from '../../hooks/use-action.ts';
import { Button } from '../buttons/button.tsx';
import { ErrorBanner } from '../banner.tsx';
import { TextField } from './text-field.tsx';

interface RenameFormProps {
  /** The id of the field, and the name under which its draft is stored. */
  readonly id: string;
  readonly label: string;
  /** The error for an empty name. */
  readonly missing: string;
  readonly name: string;
  readonly onSave: (name: string) => Promise<void>;
  readonly onDone: () => void;
}

/** A form that changes a name, in the place of its row in a list. */
export function RenameForm({ id, label, missing, name, onSave, onDone }: RenameFormProps) {
  const { text } = useEnvironment();
  const action = useAction();
  const typed = useKeyLabel(id, name);
  const submit = (event: Event) => {
    event.preventDefault();
    const trimmed = typed.check();
    if (trimmed === '') return;
    action.run(async () => {
      await onSave(trimmed);
      typed.clear();
      onDone();
    });
  };
  return (
    <form class="stack grow" onSubmit={submit}>
      <TextField
        id={id}
        label={label}
        maxLength={MAX_LABEL_CHARACTERS}
        value={typed.value}
        error={typed.isMissing ? missing : undefined}
        onInput={typed.set}
      />
      <ErrorBanner error={action.error} />
      <div class="actions">
        <Button
          onClick={() => {
            typed.clear();
            onDone();
          }}
        >
          {text.t('cancel')}
        </Button>
        <Button type="submit" variant="primary" busy={action.busy}>
          {text.t('save')}
        </Button>
      </div>
    </form>
  );
}
