import { ErrorBanner } from '../ui/components/banner.tsx';
import { useText } from '../ui/environment/environment.ts';
import { plainText } from '../ui/text/plain-text.ts';
import type { UiPrompt } from '../ui/environment/ui-client.ts';
import { MAX_LABEL_CHARACTERS } from '../../src/rpc/limits.ts';
import { AnswerButtons } from './answer-buttons.tsx';
import { RequestFrame } from './request-frame.tsx';
import { RequestSummary } from './request-summary.tsx';
import { useAnswer } from './use-answer.ts';

/** Asks whether a key gets a new generation, which affects every site that uses the key. */
export function RotationForm({ prompt }: { readonly prompt: UiPrompt }) {
  const text = useText();
  const answer = useAnswer(prompt);
  const label = prompt.key === 'app' ? '' : plainText(prompt.key.label ?? '', MAX_LABEL_CHARACTERS);
  return (
    <RequestFrame
      title={text.t('promptRotateTitle')}
      bar={<AnswerButtons prompt={prompt} answer={answer} onAllow={answer.allow} />}
    >
      <RequestSummary prompt={prompt} />
      <section aria-labelledby="key-title">
        <h2 id="key-title">{text.t('promptRotates')}</h2>
        <p id="rotated-key">{label}</p>
        <p class="row-detail">{text.t('promptRotateExplained')}</p>
      </section>
      <ErrorBanner error={answer.error} />
    </RequestFrame>
  );
}
