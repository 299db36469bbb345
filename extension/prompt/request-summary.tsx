import { OriginName } from '../ui/components/origin-name.tsx';
import { useText } from '../ui/environment/environment.ts';
import { plainText } from '../ui/text/plain-text.ts';
import type { UiPrompt } from '../ui/environment/ui-client.ts';
import { shortOrigin } from '../ui/text/origin.ts';
import { Banner } from '../ui/components/banner.tsx';
import { MAX_PURPOSE_CHARACTERS, MAX_COLLECTION_CHARACTERS } from '../../src/rpc/limits.ts';

/** The requesting origin, the embedding site if it differs, and the purpose in the site's words. */
export function RequestSummary({ prompt }: { readonly prompt: UiPrompt }) {
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

/**
 * The collections of synced records that the permission covers, by the names that the site gave.
 */
export function CollectionList({ prompt: { key } }: { readonly prompt: UiPrompt }) {
  const text = useText();
  const collections = key === 'app' ? undefined : key.collections;
  if (!collections?.length) return null;
  return (
    <section aria-labelledby="collections-title">
      <h2 id="collections-title">{text.t('promptCollections')}</h2>
      <ul class="capabilities" id="collections">
        {collections.map((name) => (
          <li key={name}>
            <bdi>{plainText(name, MAX_COLLECTION_CHARACTERS)}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
