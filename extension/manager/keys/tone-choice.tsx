import { useText } from '../../ui/environment/environment.ts';
import { TONE_NAMES, TONES, type Tone } from '../../ui/picture/tones.tsx';

interface ToneChoiceProps {
  /** Empty: none. */
  readonly value: string;
  readonly onChange: (tone: Tone | '') => void;
}

/** A colour by name: what the eye tells apart, the word says too. */
export function ToneChoice({ value, onChange }: ToneChoiceProps) {
  const text = useText();
  return (
    <fieldset class="tones">
      <legend>{text.t('keyTone')}</legend>
      {(['', ...TONE_NAMES] as const).map((tone) => (
        <label key={tone} class="tone-option" data-tone={tone || undefined}>
          <input
            type="radio"
            name="tone"
            checked={tone === value}
            onChange={() => onChange(tone)}
          />
          {text.t(tone === '' ? 'keyToneNone' : TONES[tone])}
        </label>
      ))}
    </fieldset>
  );
}
