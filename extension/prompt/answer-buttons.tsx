import type { ComponentChildren } from 'preact';
import { Check } from 'lucide-preact';
import { ArmingHint, Button } from '../ui/components/buttons/button.tsx';
import { useText, useEnvironment } from '../ui/environment/environment.ts';
import type { UiPrompt } from '../ui/environment/ui-client.ts';
import type { Answer } from './use-answer.ts';
import { refusal } from './answer.ts';
import { usePromptEnvironment } from './environment.ts';

interface AnswerButtonsProps {
  readonly prompt: UiPrompt;
  readonly answer: Answer;
  readonly onAllow: (act: Event) => void;
  /** Shown above the buttons. */
  readonly children?: ComponentChildren;
}

/** The answer: what it still depends on, and the buttons Deny and Allow. Allow is unavailable until the window is armed. */
export function AnswerButtons({ prompt, answer, onAllow, children }: AnswerButtonsProps) {
  const text = useText();
  return (
    <div class="answer">
      {children}
      <ArmingHint wasEarly={answer.wasEarly} />
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

/** Denies at once, without arming. If the call fails, closing the window denies the request too. */
export function DenyButton({ prompt }: { readonly prompt: UiPrompt }) {
  const { ui, text } = useEnvironment();
  const { closeWindow } = usePromptEnvironment();
  const deny = (event: Event) => {
    if (!event.isTrusted) return;
    void ui.call('ui.answerPrompt', refusal(prompt)).then(closeWindow, closeWindow);
  };
  return (
    <Button id="deny" class="wide" onClick={deny}>
      {text.t('deny')}
    </Button>
  );
}
