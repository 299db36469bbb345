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
  const text = useText();
  const [asking, setAsking] = useState(false);
  const keep = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLDivElement>(null);
  const wasAsking = useRef(false);
  useLayoutEffect(() => {
    const shown = asking ? keep : opener;
    if (asking || wasAsking.current) shown.current?.querySelector('button')?.focus();
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
  return (
    <div class="confirm" role="group" aria-label={props.question}>
      <p>{props.question}</p>
      <div class="actions" ref={keep}>
        <Button onClick={() => answer(false)}>{props.keep ?? text.t('keep')}</Button>
        <Button variant="danger" onClick={() => answer(true)}>
          {props.confirm}
        </Button>
      </div>
    </div>
  );
}
