import type { ComponentChildren } from 'preact';
import { FieldError } from './field.tsx';

interface RadioOption<T> {
  readonly value: T;
  readonly label: string;
  readonly detail?: string;
  /** Shown below the option while it is chosen. */
  readonly extra?: ComponentChildren;
}

interface RadioListProps<T> {
  readonly name: string;
  readonly legend: string;
  readonly options: readonly RadioOption<T>[];
  readonly value: T;
  readonly error?: string | undefined;
  readonly onChange: (value: T) => void;
}

/** A choice of one option, as radio buttons. `name` begins the ids of its elements. */
export function RadioList<T>(props: RadioListProps<T>) {
  const { name, legend, options, value, error, onChange } = props;
  return (
    <fieldset class="choices" aria-describedby={error && `${name}-error`}>
      <legend>{legend}</legend>
      {options.map((option) => {
        const id = `${name}-${String(option.value)}`;
        return (
          <div key={id} class="choice">
            <input
              type="radio"
              id={id}
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <label for={id}>
              {option.label}
              {option.detail && <span class="row-detail">{option.detail}</span>}
            </label>
            {option.value === value && option.extra}
          </div>
        );
      })}
      <FieldError id={`${name}-error`} control={`${name}-${String(value)}`} error={error} />
    </fieldset>
  );
}
