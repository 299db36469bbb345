import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useText } from '../../environment/environment.ts';
import { Button } from './button.tsx';

interface ConfirmButtonProps {
  readonly label: string;
  /** The accessible name, which says what the label alone ("Remove") does not. */
  readonly describe: string;
  /** Shown once the button was pressed: asks whether to do it. */
  readonly question: string;
  /** Label of the button that does it. */
  readonly confirm: string;
  /** Label of the safe answer; by default "Keep it". */
  readonly keep?: string;
  readonly busy: boolean;
  readonly icon?: ComponentChildren;
  readonly onConfirm: () => void;
}

/**
 * A button for an effect that cannot be undone. It asks in its own place first, with the safe
 * answer focused.
 */
export function ConfirmButton(props: ConfirmButtonProps) {
  const [asking, setAsking] = useState(false);
  const opener = useRef<HTMLDivElement>(null);
  const wasAsking = useRef(false);
  useLayoutEffect(() => {
    if (wasAsking.current && !asking) opener.current?.querySelector('button')?.focus();
    wasAsking.current = asking;
  }, [asking]);
  if (!asking) {
    return (
      <div ref={opener} class="confirm-opener">
        <Button
          variant="quiet"
          icon={props.icon}
          busy={props.busy}
          aria-label={props.describe}
          onClick={() => setAsking(true)}
        >
          {props.label}
        </Button>
      </div>
    );
  }
  const answer = (confirmed: boolean) => {
    setAsking(false);
    if (confirmed) props.onConfirm();
  };
  const { question, confirm, keep } = props;
  return <Question question={question} confirm={confirm} keep={keep} onAnswer={answer} />;
}

interface QuestionProps {
  readonly question: string;
  /** Label of the button that does it. */
  readonly confirm: string;
  /** Label of the safe answer; by default "Keep it". */
  readonly keep?: string | undefined;
  readonly onAnswer: (isConfirmed: boolean) => void;
}

/** Asks before an effect that cannot be undone. The safe answer takes the focus. */
export function Question({ question, confirm, keep, onAnswer }: QuestionProps) {
  const text = useText();
  const answers = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => answers.current?.querySelector('button')?.focus(), []);
  return (
    <div class="confirm" role="group" aria-label={question}>
      <p>{question}</p>
      <div class="actions" ref={answers}>
        <Button onClick={() => onAnswer(false)}>{keep ?? text.t('keep')}</Button>
        <Button variant="danger" onClick={() => onAnswer(true)}>
          {confirm}
        </Button>
      </div>
    </div>
  );
}
