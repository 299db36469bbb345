import type { ComponentChildren } from 'preact';
import { Check } from 'lucide-preact';
import { useText } from '../../ui/environment/environment.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';

/** The steps of the first run and their names, in order. */
const STEPS = {
  passphrase: 'passphrase',
  code: 'recoveryTitle',
  try: 'tryTitle',
} as const satisfies Record<string, MessageKey>;

const NAMES = Object.keys(STEPS) as WelcomeStep[];

/** A step of the first run. */
export type WelcomeStep = keyof typeof STEPS;

interface WelcomeFrameProps {
  readonly step: WelcomeStep;
  /** A step before it that the user put off: it is not ticked. */
  readonly putOff?: WelcomeStep | undefined;
  readonly children: ComponentChildren;
}

/** A step of the first run, below the list of all steps. */
export function WelcomeFrame({ step, putOff, children }: WelcomeFrameProps) {
  const text = useText();
  const place = NAMES.indexOf(step);
  const isDone = (name: WelcomeStep) => NAMES.indexOf(name) < place && name !== putOff;
  return (
    <main class="welcome">
      <ol class="welcome-steps" aria-label={text.t('welcomeSteps')}>
        {NAMES.map((name, index) => (
          <li key={name} aria-current={name === step ? 'step' : undefined}>
            <span class="welcome-dot" data-done={isDone(name)} aria-hidden="true">
              {isDone(name) ? <Check size={14} /> : text.number(index + 1)}
            </span>
            {text.t(STEPS[name])}
            {name === putOff && <span class="welcome-later">{text.t('welcomeLater')}</span>}
          </li>
        ))}
      </ol>
      {children}
    </main>
  );
}
