import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ArrowLeft } from 'lucide-preact';
import { useText } from '../environment/environment.ts';
import { useKeptFocus } from '../hooks/use-focus.ts';

interface ViewProps {
  readonly title: string;
  readonly onBack?: (() => void) | undefined;
  /** Whether the heading takes the focus when the view appears; false where a field takes it. */
  readonly focusHeading?: boolean;
  readonly children: ComponentChildren;
}

/**
 * One screen, with a heading, which is the window's title too. The heading takes the focus, so that
 * a screen reader starts with its name.
 */
export function View({ title, onBack, focusHeading = true, children }: ViewProps) {
  const text = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  // Several tabs and windows of the extension can be told apart by their titles.
  useEffect(() => {
    document.title = `${title} – ${text.t('extName')}`;
  }, [title, text]);
  // The view is usable from here on; bench/popup reads this mark.
  useLayoutEffect(() => void performance.mark('view'), []);
  // Before the browser paints: a user who types at once must not lose the focus to the heading.
  useLayoutEffect(() => {
    if (focusHeading) heading.current?.focus({ preventScroll: true });
  }, [focusHeading]);
  // Another view has left the page where it was read to.
  useLayoutEffect(() => {
    heading.current?.closest('#app')?.scrollTo(0, 0);
    document.documentElement.scrollTop = 0;
    const field = document.activeElement;
    if (field !== heading.current) field?.scrollIntoView({ block: 'nearest' });
  }, []);
  useKeptFocus('view-title');
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
 * Moves the focus to the view's heading. For actions that remove the button that started them:
 * otherwise the focus is lost, and a keyboard user starts again at the top of the page.
 */
export function focusTitle(): void {
  document.getElementById('view-title')?.focus({ preventScroll: true });
}
