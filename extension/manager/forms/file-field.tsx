import { Field } from '../../ui/components/forms/field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { ChosenFile } from './use-chosen-file.ts';

interface FileFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly file: ChosenFile;
  /** Called after another file was chosen. */
  readonly onChoose?: () => void;
}

/** A labelled field for one file, with its error. */
export function FileField({ id, label, hint, file, onChoose }: FileFieldProps) {
  const text = useText();
  return (
    <Field id={id} label={label} hint={hint} error={file.error && text.t(file.error)}>
      {(attributes) => (
        <input
          {...attributes}
          ref={file.chooser}
          type="file"
          onChange={() => {
            file.clearError();
            onChoose?.();
          }}
        />
      )}
    </Field>
  );
}
