import { Field } from './field.tsx';

interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly maxLength?: number;
  readonly onInput: (value: string) => void;
}

/** A labelled field for one line of text, without autocompletion. */
export function TextField({ value, maxLength, onInput, ...field }: TextFieldProps) {
  return (
    <Field {...field}>
      {(attributes) => (
        <input
          {...attributes}
          type="text"
          maxLength={maxLength}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
