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

/** A message that stands out. Errors are announced at once, the rest when the reader gets there. */
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

/** What went wrong, if anything did. */
export function ErrorBanner({ error }: { readonly error: unknown }) {
  const text = useText();
  if (error === undefined) return null;
  return <Banner tone="error">{errorWords(error, text)}</Banner>;
}
