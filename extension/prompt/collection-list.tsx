import { MAX_COLLECTION_CHARACTERS } from '../../src/rpc/limits.ts';
import { useText } from '../ui/environment/environment.ts';
import { plainText } from '../ui/text/plain-text.ts';
import type { SurfacePrompt } from '../ui/environment/surface.ts';

/** The collections of synced records that the permission is for, by the names that the site gave. */
export function CollectionList({ prompt: { key } }: { readonly prompt: SurfacePrompt }) {
  const text = useText();
  const collections = key === 'app' ? undefined : key.collections;
  if (!collections?.length) return null;
  return (
    <section aria-labelledby="collections-title">
      <h2 id="collections-title">{text.t('promptCollections')}</h2>
      <ul class="capabilities" id="collections">
        {collections.map((name) => (
          <li key={name} dir="auto">
            {plainText(name, MAX_COLLECTION_CHARACTERS)}
          </li>
        ))}
      </ul>
    </section>
  );
}
