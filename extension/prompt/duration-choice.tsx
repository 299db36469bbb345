import { Field } from '../ui/components/field.tsx';
import { useText } from '../ui/environment.ts';
import { durationChoices } from './durations.ts';

interface DurationChoiceProps {
  readonly askedMs: number | null;
  readonly value: number | null;
  readonly onChange: (ms: number | null) => void;
}

/** How long the permission lasts: what the site asked for, or less. */
export function DurationChoice({ askedMs, value, onChange }: DurationChoiceProps) {
  const text = useText();
  const choices = durationChoices(askedMs);
  return (
    <Field id="duration" label={text.t('howLong')}>
      {(attributes) => (
        <select
          {...attributes}
          value={choices.indexOf(value)}
          onChange={(event) => onChange(choices[event.currentTarget.selectedIndex] ?? null)}
        >
          {choices.map((ms, index) => (
            <option key={ms} value={index}>
              {ms === null ? text.t('untilRevoked') : text.duration(ms)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
