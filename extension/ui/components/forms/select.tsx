import { ChevronDown } from 'lucide-preact';
import { Field } from './field.tsx';

interface SelectProps<Value extends string> {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** A labelled choice of one option, as the browser's own list. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { id, label, hint, value, options, onChange } = props;
  return (
    <Field id={id} label={label} hint={hint}>
      {(attributes) => (
        <span class="select">
          <select
            {...attributes}
            value={value}
            onChange={(event) => onChange(options[event.currentTarget.selectedIndex]!.value)}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown size={16} aria-hidden="true" />
        </span>
      )}
    </Field>
  );
}
