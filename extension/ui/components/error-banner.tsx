import { useText } from '../environment/environment.ts';
import { errorWords } from '../text/error-words.ts';
import { Banner } from './banner.tsx';

/** What went wrong, if anything did. */
export function ErrorBanner({ error }: { readonly error: unknown }) {
  const text = useText();
  if (error === undefined) return null;
  return <Banner tone="error">{errorWords(error, text)}</Banner>;
}
