import type { ComponentChildren } from 'preact';
import { View } from '../ui/components/view.tsx';

interface RequestFrameProps {
  readonly title: string;
  /** The answer, which stands below what scrolls, so that it covers nothing. */
  readonly bar: ComponentChildren;
  readonly children: ComponentChildren;
}

/**
 * A request above its answer. The request scrolls and the answer stays in sight; in a low window both
 * scroll together.
 */
export function RequestFrame({ title, bar, children }: RequestFrameProps) {
  return (
    <main class="request">
      <div class="request-body">
        <View title={title}>{children}</View>
      </div>
      {bar}
    </main>
  );
}
