import { ToneDot } from '../../ui/picture/tones.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { Text } from '../../ui/text/i18n.ts';
import { keyFacts, keyName } from '../../ui/text/key-facts.ts';
import type { UiKey } from '../../ui/environment/ui-client.ts';

export const nameOf = (item: UiKey, text: Text): string =>
  item.kind === 'app' ? text.t('appKeys') : keyName(item, text);

/** A key in words: its name, what is known of it, what was noted about it. */
export function KeySummary({ item }: { readonly item: UiKey }) {
  const text = useText();
  const archived = item.archived === null ? [] : [text.t('archivedOn', text.date(item.archived))];
  return (
    <div class="row-main">
      <p class="row-title">
        <ToneDot tone={item.tone} />
        {nameOf(item, text)}
      </p>
      <p class="row-detail">{[...archived, ...keyFacts(item, text)].join(' · ')}</p>
      {item.note !== '' && (
        <p class="key-note" dir="auto">
          {item.note}
        </p>
      )}
    </div>
  );
}
