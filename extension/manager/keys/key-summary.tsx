import { ToneDot } from '../../ui/picture/tones.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { Text } from '../../ui/text/i18n.ts';
import { keyFacts, keyName } from '../../ui/text/key-facts.ts';
import type { UiKey } from '../../ui/environment/ui-client.ts';

/** The name of a key in the list. */
export const nameOf = (item: UiKey, text: Text): string =>
  item.kind === 'app' ? text.t('appKeys') : keyName(item, text);

/** A key's name with its colour, its facts, and the user's note. */
export function KeySummary({ item }: { readonly item: UiKey }) {
  const text = useText();
  const archived = item.archived === null ? [] : [text.t('archivedOn', text.date(item.archived))];
  return (
    <div class="row-main">
      <p class="row-title">
        <ToneDot tone={item.tone} />
        {nameOf(item, text)}
      </p>
      <p class="row-detail">{text.facts([...archived, ...keyFacts(item, text)])}</p>
      {item.note !== '' && (
        <p class="key-note">
          <bdi>{item.note}</bdi>
        </p>
      )}
    </div>
  );
}
