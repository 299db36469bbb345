import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ArrowLeft } from 'lucide-preact';
import { useText } from '../environment/environment.ts';

interface ViewProps {
  readonly title: string;
  readonly onBack?: (() => void) | undefined;
  /** Whether the heading takes the focus when the view appears (no, where a field does). */
  readonly focusHeading?: boolean;
  readonly children: ComponentChildren;
}

/** One screen: a heading that takes the focus, so that a screen reader starts at its name. */
export function View({ title, onBack, focusHeading = true, children }: ViewProps) {
  const text = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  // From here on it can be used: bench/popup reads when that was.
  useLayoutEffect(() => void performance.mark('view'), []);
  // Before the browser paints: whoever types at once must not lose the focus to the heading.
  useLayoutEffect(() => {
    if (focusHeading) heading.current?.focus({ preventScroll: true });
  }, [focusHeading]);
  return (
    <section class="view" aria-labelledby="view-title">
      <div class="view-head">
        {onBack && (
          <button type="button" class="icon-button" aria-label={text.t('back')} onClick={onBack}>
            <ArrowLeft size={18} aria-hidden="true" class="mirror" />
          </button>
        )}
        <h1 id="view-title" tabIndex={-1} ref={heading}>
          {title}
        </h1>
      </div>
      {children}
    </section>
  );
}

/**
 * Takes the focus to the view's heading. For actions that remove the very button that started
 * them: the focus would fall out of the page, and a keyboard user would begin at its top.
 */
export function focusTitle(): void {
  document.getElementById('view-title')?.focus({ preventScroll: true });
}
