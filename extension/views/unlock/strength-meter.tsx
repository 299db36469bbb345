import { useText } from '../../ui/environment/environment.ts';
import type { Strength } from './strength.ts';

const STEPS = [0, 1, 2, 3, 4] as const;

/** The strength as five steps, as a word, and as the time that guessing takes. */
export function StrengthMeter({ strength }: { readonly strength: Strength | undefined }) {
  const text = useText();
  return (
    <div class="strength" data-level={strength?.level}>
      <div class="strength-steps" aria-hidden="true">
        {STEPS.map((step) => (
          <span key={step} class={strength && step <= strength.level ? 'step on' : 'step'} />
        ))}
      </div>
      <p class="hint" id="strength-words" role="status">
        {strength
          ? text.t('strengthLine', text.t(strength.name), crackTime(strength))
          : text.t('strengthEmpty')}
      </p>
    </div>
  );

  function crackTime({ crackMs }: Strength): string {
    if (crackMs === 'instant') return text.t('crackInstant');
    if (crackMs === 'centuries') return text.t('crackCenturies');
    return text.duration(crackMs);
  }
}
