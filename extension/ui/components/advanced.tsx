import type { ComponentChildren } from 'preact';
import { useText } from '../environment/environment.ts';

interface AdvancedProps {
  readonly id: string;
  readonly children: ComponentChildren;
}

/**
 * What few people need, and its technical words, folded: other tools' keys and formats, and what a
 * passphrase costs to guess.
 */
export function Advanced({ id, children }: AdvancedProps) {
  const text = useText();
  return (
    <details class="advanced" id={id}>
      <summary>{text.t('advanced')}</summary>
      <div class="stack">{children}</div>
    </details>
  );
}
