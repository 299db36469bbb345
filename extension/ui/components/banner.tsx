import type { ComponentChildren } from 'preact';
import { CircleCheck, Info, OctagonAlert, TriangleAlert } from 'lucide-preact';
import { useText } from '../environment/environment.ts';
import { errorWords } from '../text/error-words.ts';

const ICONS = { info: Info, good: CircleCheck, warning: TriangleAlert, error: OctagonAlert };

interface BannerProps {
  readonly tone: keyof typeof ICONS;
  readonly title?: string;
  readonly id?: string;
  readonly children?: ComponentChildren;
}

/**
 * A highlighted message. Screen readers announce errors at once and other tones when they reach
 * them.
 */
export function Banner({ tone, title, id, children }: BannerProps) {
  const Icon = ICONS[tone];
  return (
    <div class={`banner banner-${tone}`} id={id} role={tone === 'error' ? 'alert' : undefined}>
      <Icon size={18} aria-hidden="true" class="banner-icon" />
      <div class="banner-body">
        {title && <p class="banner-title">{title}</p>}
        {children}
      </div>
    </div>
  );
}

/** Explains an error in words; shows nothing for undefined. */
export function ErrorBanner({ error }: { readonly error: unknown }) {
  const text = useText();
  if (error === undefined) return null;
  return <Banner tone="error">{errorWords(error, text)}</Banner>;
}
