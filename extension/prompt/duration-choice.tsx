import { Field } from '../ui/components/field.tsx';
import { useText } from '../ui/environment.ts';
import type { Text } from '../ui/i18n.ts';
import type { SurfacePrompt } from '../ui/surface.ts';
import { durationChoices, type Duration } from './durations.ts';

interface DurationChoiceProps {
  readonly asked: Pick<SurfacePrompt, 'expiresInMs' | 'maxUses'>;
  readonly value: Duration;
  readonly onChange: (duration: Duration) => void;
}

/** How long the permission lasts: what the site asked for, or less. */
export function DurationChoice({ asked, value, onChange }: DurationChoiceProps) {
  const text = useText();
  const choices = durationChoices(asked);
  const chosen = choices.findIndex(({ ms, once }) => ms === value.ms && once === value.once);
  const hint = value.once ? text.t('onceExplained', durationWords(value.ms, text)) : undefined;
  return (
    <Field id="duration" label={text.t('howLong')} hint={hint}>
      {(attributes) => (
        <select
          {...attributes}
          value={chosen}
          onChange={(event) => onChange(choices[event.currentTarget.selectedIndex]!)}
        >
          {choices.map(({ ms, once }, index) => (
            <option key={index} value={index}>
              {once ? text.t('onlyOnce') : durationWords(ms, text)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

const durationWords = (ms: number | null, text: Text): string =>
  ms === null ? text.t('untilRevoked') : text.duration(ms);
