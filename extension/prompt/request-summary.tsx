import { OriginName } from '../ui/components/origin-name.tsx';
import { useText } from '../ui/environment/environment.ts';
import { plainText } from '../ui/text/plain-text.ts';
import type { SurfacePrompt } from '../ui/environment/surface.ts';
import { shortOrigin } from '../ui/text/origin.ts';
import { Banner } from '../ui/components/banner.tsx';
import { MAX_PURPOSE_CHARACTERS } from '../../src/rpc/limits.ts';

/** Who asks, from where, and why in the site's own words. */
export function RequestSummary({ prompt }: { readonly prompt: SurfacePrompt }) {
  const text = useText();
  const { origin, topOrigin, purpose } = prompt;
  return (
    <>
      <OriginName origin={origin} id="origin" />
      {topOrigin !== origin && (
        <Banner tone="warning" id="top-origin">
          <p>{text.t('embeddedIn', shortOrigin(topOrigin))}</p>
        </Banner>
      )}
      {purpose !== '' && (
        <figure class="purpose">
          <figcaption>{text.t('purposeCaption')}</figcaption>
          <blockquote id="purpose" dir="auto">
            {plainText(purpose, MAX_PURPOSE_CHARACTERS)}
          </blockquote>
        </figure>
      )}
    </>
  );
}
