import { useRef } from 'preact/hooks';
import { Banner, ErrorBanner } from '../ui/components/banner.tsx';
import { useText } from '../ui/environment/environment.ts';
import type { UiPrompt } from '../ui/environment/ui-client.ts';
import { AnswerButtons } from './answer-buttons.tsx';
import { CapabilityList } from './capability-list.tsx';
import { CollectionList, RequestSummary } from './request-summary.tsx';
import { DurationChoice, PerHourChoice } from './duration-choice.tsx';
import { RequestFrame } from './request-frame.tsx';
import { KeyChoice } from './key-choice.tsx';
import { mayOpen } from './answer.ts';
import { useAnswer } from './use-answer.ts';

/**
 * The request with its choices and the buttons Deny and Allow. No button has the focus at first.
 */
export function ConsentForm({ prompt }: { readonly prompt: UiPrompt }) {
  const text = useText();
  const answer = useAnswer(prompt);
  const { choice, change } = answer;
  const keys = useRef<HTMLDivElement>(null);
  const allow = (event: Event) => {
    if (!answer.allow(event)) keys.current?.querySelector<HTMLInputElement>('input')?.focus();
  };
  return (
    <RequestFrame
      title={text.t('promptTitle')}
      bar={
        <AnswerButtons prompt={prompt} answer={answer} onAllow={allow}>
          <DurationChoice
            requested={prompt}
            value={choice.duration}
            onChange={(duration) => change({ duration })}
          />
        </AnswerButtons>
      }
    >
      <RequestSummary prompt={prompt} />
      <CapabilityList capabilities={prompt.capabilities} />
      <CollectionList prompt={prompt} />
      <div ref={keys}>
        <KeyChoice
          prompt={prompt}
          choice={choice}
          incomplete={answer.incomplete}
          onChange={change}
        />
      </div>
      {mayOpen(prompt) && (
        <PerHourChoice
          requested={prompt.maxPerHour}
          value={choice.perHour}
          onChange={(perHour) => change({ perHour })}
        />
      )}
      <BulkRequest bulk={prompt.bulk} />
      <MaxUses count={prompt.maxUses} />
      {prompt.waiting > 1 && <p class="hint">{text.t('promptAnswersMany', prompt.waiting)}</p>}
      <ErrorBanner error={answer.error} />
    </RequestFrame>
  );
}

/** Openings that the site asks for beside those of an hour, once. */
function BulkRequest({ bulk }: Pick<UiPrompt, 'bulk'>) {
  const text = useText();
  if (bulk === null) return null;
  return (
    <Banner tone="warning" id="bulk">
      <p>{text.t('promptBulk', bulk.records)}</p>
    </Banner>
  );
}

function MaxUses({ count }: { readonly count: number | null }) {
  const text = useText();
  if (count === null) return null;
  return (
    <p class="muted" id="max-uses">
      {text.plural('maxUses', count)}
    </p>
  );
}
