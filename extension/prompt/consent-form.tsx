import { useRef, useState } from 'preact/hooks';
import { Check } from 'lucide-preact';
import { Button } from '../ui/components/button.tsx';
import { ErrorBanner } from '../ui/components/error-banner.tsx';
import { View } from '../ui/components/view.tsx';
import { useEnvironment } from '../ui/environment.ts';
import { plainText } from '../ui/plain-text.ts';
import type { SurfacePrompt } from '../ui/surface.ts';
import { useAction } from '../ui/use-action.ts';
import { allowance, isComplete, NEW_KEY, wantsAppKey, type Choice } from './answer.ts';
import { CapabilityList } from './capability-list.tsx';
import { DenyButton } from './deny-button.tsx';
import { DurationChoice } from './duration-choice.tsx';
import { askedDuration } from './durations.ts';
import { usePromptEnvironment } from './environment.ts';
import { KeyChoice } from './key-choice.tsx';
import { RequestSummary } from './request-summary.tsx';
import { useArming } from './use-arming.ts';

/** The question itself. Opens with nothing focused that could answer it. */
export function ConsentForm({ prompt }: { readonly prompt: SurfacePrompt }) {
  const { surface, text } = useEnvironment();
  const { closeWindow } = usePromptEnvironment();
  const { armed, mayAct } = useArming();
  const action = useAction();
  const [choice, setChoice] = useState<Choice>(() => firstChoice(prompt));
  const [incomplete, setIncomplete] = useState(false);
  const keys = useRef<HTMLDivElement>(null);
  const change = (part: Partial<Choice>) => {
    setChoice((last) => ({ ...last, ...part }));
    setIncomplete(false);
  };
  const allow = (event: Event) => {
    if (!mayAct(event)) return;
    if (!isComplete(prompt, choice)) {
      setIncomplete(true);
      keys.current?.querySelector<HTMLInputElement>('input')?.focus();
      return;
    }
    action.run(async () => {
      await surface.call('ui.answerPrompt', allowance(prompt, choice));
      closeWindow();
    });
  };
  return (
    <main>
      <View title={text.t('promptTitle')}>
        <RequestSummary prompt={prompt} />
        <CapabilityList capabilities={prompt.capabilities} />
        <div ref={keys}>
          <KeyChoice prompt={prompt} choice={choice} incomplete={incomplete} onChange={change} />
        </div>
        <DurationChoice
          asked={prompt}
          value={choice.duration}
          onChange={(duration) => change({ duration })}
        />
        {prompt.maxUses !== null && (
          <p class="muted" id="max-uses">
            {text.plural('maxUses', prompt.maxUses)}
          </p>
        )}
        <ErrorBanner error={action.error} />
        <div class="answer">
          <DenyButton prompt={prompt} />
          <Button
            id="allow"
            variant="primary"
            class="wide"
            busy={action.busy}
            unavailable={!armed}
            icon={<Check size={18} aria-hidden="true" />}
            onClick={allow}
          >
            {text.t('allow')}
          </Button>
        </div>
        {prompt.waiting > 1 && <p class="hint">{text.t('promptAnswersMany', prompt.waiting)}</p>}
      </View>
    </main>
  );
}

function firstChoice(prompt: SurfacePrompt): Choice {
  const asked = wantsAppKey(prompt) ? '' : labelAsked(prompt);
  return {
    key: prompt.keys.length === 0 ? NEW_KEY : null,
    newKeyLabel: asked,
    duration: askedDuration(prompt),
  };
}

const labelAsked = ({ key }: SurfacePrompt): string =>
  key === 'app' ? '' : plainText(key.label ?? '', 60);
