import { Select } from '../ui/components/forms/select.tsx';
import { useText } from '../ui/environment/environment.ts';
import type { Text } from '../ui/text/i18n.ts';
import type { UiPrompt } from '../ui/environment/ui-client.ts';
import { durationChoices, perHourChoices, UNUSED_ENDS_MS, type Duration } from './durations.ts';

interface DurationChoiceProps {
  /** What the site requested. */
  readonly requested: Pick<UiPrompt, 'expiresInMs' | 'maxUses'>;
  readonly value: Duration;
  readonly onChange: (duration: Duration) => void;
}

/** Choice of how long the permission lasts: what the site requested, or less. */
export function DurationChoice({ requested, value, onChange }: DurationChoiceProps) {
  const text = useText();
  const choices = durationChoices(requested);
  const chosen = choices.findIndex(({ ms, once }) => ms === value.ms && once === value.once);
  const hint = hintFor(value, text);
  return (
    <Select
      id="duration"
      label={text.t('howLong')}
      hint={hint}
      value={String(chosen)}
      options={choices.map(({ ms, once }, index) => ({
        value: String(index),
        label: once ? text.t('onlyOnce') : durationWords(ms, text),
      }))}
      onChange={(index) => onChange(choices[Number(index)]!)}
    />
  );
}

interface PerHourChoiceProps {
  /** What the site requested; null: no limit. */
  readonly requested: number | null;
  readonly value: number | null;
  readonly onChange: (perHour: number | null) => void;
}

/** Choice of how much the site may open in an hour: what it requested, or less. */
export function PerHourChoice({ requested, value, onChange }: PerHourChoiceProps) {
  const text = useText();
  const choices = perHourChoices(requested);
  return (
    <Select
      id="per-hour"
      label={text.t('perHour')}
      hint={text.t(value === null ? 'perHourUnlimitedExplained' : 'perHourExplained')}
      value={String(value)}
      options={choices.map((count) => ({
        value: String(count),
        label: count === null ? text.t('perHourUnlimited') : perHourWords(count, text),
      }))}
      onChange={(chosen) => onChange(choices.find((count) => String(count) === chosen)!)}
    />
  );
}

const perHourWords = (count: number, text: Text): string => text.t('perHourAtMost', count);

const DAYS = { style: 'unit', unit: 'day', unitDisplay: 'long' } as const;

function hintFor({ once, ms }: Duration, text: Text): string | undefined {
  if (once) return text.t('onceExplained', durationWords(ms, text));
  if (ms !== null) return undefined;
  // In days, as the permission is described everywhere else.
  const days = text.number(UNUSED_ENDS_MS / 86_400_000, DAYS);
  return text.t('untilRevokedExplained', days);
}

const durationWords = (ms: number | null, text: Text): string =>
  ms === null ? text.t('untilRevoked') : text.duration(ms);
