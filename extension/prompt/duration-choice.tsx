import { useText } from '../ui/environment.ts';
import { durationChoices } from './durations.ts';
import { RadioList } from './radio-list.tsx';

interface DurationChoiceProps {
  readonly askedMs: number | null;
  readonly value: number | null;
  readonly onChange: (ms: number | null) => void;
}

export function DurationChoice({ askedMs, value, onChange }: DurationChoiceProps) {
  const text = useText();
  const options = durationChoices(askedMs).map((ms) => ({
    value: ms,
    label: ms === null ? text.t('untilRevoked') : text.duration(ms),
  }));
  return (
    <RadioList
      name="duration"
      legend={text.t('howLong')}
      options={options}
      value={value}
      onChange={onChange}
    />
  );
}
