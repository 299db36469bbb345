import { useText } from '../../ui/environment/environment.ts';
import { TONE_NAMES, TONES, type Tone } from '../../ui/picture/tones.tsx';

interface ToneChoiceProps {
  /** '' for no colour. */
  readonly value: string;
  readonly onChange: (tone: Tone | '') => void;
}

/** Choice of a key's colour, with the names of the colours. */
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
