import { Check } from 'lucide-preact';
import { Button } from '../ui/components/buttons/button.tsx';
import { useText } from '../ui/environment/environment.ts';
import type { SurfacePrompt } from '../ui/environment/surface.ts';
import { DenyButton } from './deny-button.tsx';
import type { Answer } from './use-answer.ts';

interface AnswerButtonsProps {
  readonly prompt: SurfacePrompt;
  readonly answer: Answer;
  readonly onAllow: (act: Event) => void;
}

/** No and yes; the yes waits until this window takes acts. */
export function AnswerButtons({ prompt, answer, onAllow }: AnswerButtonsProps) {
  const text = useText();
  return (
    <div class="answer">
      <DenyButton prompt={prompt} />
      <Button
        id="allow"
        variant="primary"
        class="wide"
        busy={answer.busy}
        unavailable={!answer.armed}
        icon={<Check size={18} aria-hidden="true" />}
        onClick={onAllow}
      >
        {text.t('allow')}
      </Button>
    </div>
  );
}
