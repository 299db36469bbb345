import type { ComponentChildren } from 'preact';
import { useText } from '../../ui/environment/environment.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';

/** Which of the two devices this one is: the one that has the keys, or the one that gets them. */
type Side = 'gives' | 'joins';

interface PairingStepsProps {
  readonly side: Side;
  /** The current step; undefined before the first one. */
  readonly current?: number | undefined;
}

const STEPS = [
  { words: 'deviceStepRequest', Between: () => <Arrow isBack /> },
  { words: 'deviceStepWords', Between: SameWords },
  { words: 'deviceStepAnswer', Between: () => <Arrow /> },
] as const satisfies readonly { words: MessageKey; Between: () => ComponentChildren }[];

/** How two devices pair, in three pictures. Each has the device with the keys first, and this device in colour. */
export function PairingSteps({ side, current }: PairingStepsProps) {
  const text = useText();
  return (
    <div>
      <ol class="pairing-steps">
        {STEPS.map(({ words, Between }, step) => (
          <li key={words} aria-current={step === current ? 'step' : undefined}>
            <svg class="mirror" viewBox="0 0 112 44" aria-hidden="true">
              <Screen x={2} isThis={side === 'gives'} />
              <Between />
              <Screen x={76} isThis={side === 'joins'} />
            </svg>
            <span>{text.t(words)}</span>
          </li>
        ))}
      </ol>
      <p class="hint">{text.t('devicePicture')}</p>
    </div>
  );
}

function Screen({ x, isThis }: { readonly x: number; readonly isThis: boolean }) {
  return (
    <g class={isThis ? 'pairing-this' : 'pairing-other'} transform={`translate(${x} 4)`}>
      <path d="M17 26 V35 M10 35 H24" />
      <rect width="34" height="26" rx="4" />
    </g>
  );
}

/** What is brought from one device to the other. @param isBack from the second one to the first */
function Arrow({ isBack = false }: { readonly isBack?: boolean }) {
  return (
    <path
      class="pairing-between"
      d={isBack ? 'M68 17 H44 M51 10 L44 17 L51 24' : 'M44 17 H68 M61 10 L68 17 L61 24'}
    />
  );
}

/** Lines on both screens, which are equal. */
function SameWords() {
  return <path class="pairing-between" d="M49 13 H63 M49 21 H63" />;
}
