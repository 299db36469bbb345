import { TriangleAlert } from 'lucide-preact';
import { useText } from '../../ui/environment/environment.ts';
import type { Text } from '../../ui/text/i18n.ts';
import { keyName } from '../../ui/text/key-facts.ts';
import { shortOrigin } from '../../ui/text/origin.ts';
import { plainText } from '../../ui/text/plain-text.ts';
import type { UiActivity } from '../../ui/environment/ui-client.ts';
import { ActivityFacts } from './activity-facts.tsx';
import { iconOf } from './activity-icons.ts';
import { failureWords, isByItself, operationWords } from './activity-words.ts';

/** One entry: its operation, failure, time, site and key; its facts when opened. */
export function ActivityRow({ entry }: { readonly entry: UiActivity }) {
  const text = useText();
  const failure = failureWords(entry);
  const Icon = iconOf(entry.operation);
  return (
    <li class="row-card activity">
      <details>
        <summary>
          <Icon size={18} aria-hidden="true" />
          <span class="activity-line">
            <span class="activity-what">
              <span class="row-title sentence">{text.t(operationWords(entry))}</span>
              {failure && (
                <span class="activity-failure">
                  <TriangleAlert size={14} aria-hidden="true" />
                  <span class="sentence">{text.t(failure)}</span>
                </span>
              )}
            </span>
            <time class="row-detail" dateTime={new Date(entry.until).toISOString()}>
              {text.clock(entry.until)}
            </time>
          </span>
          <span class="row-detail">{summaryOf(entry, text)}</span>
        </summary>
        <ActivityFacts entry={entry} />
      </details>
    </li>
  );
}

function summaryOf(entry: UiActivity, text: Text): string {
  const { origin, of, key, contact, uses, bytes, operation } = entry;
  const byOwn = isByItself(operation) ? 'activityByItself' : 'activityByUser';
  const parts = [
    origin === null ? text.t(byOwn) : shortOrigin(origin),
    ...(of === undefined ? [] : [shortOrigin(of)]),
    ...(key ? [keyNameOf(key, text)] : []),
    ...(contact === undefined ? [] : [plainText(contact, 80)]),
    ...(uses > 1
      ? [origin === null ? `${text.number(uses)} ×` : text.plural('activityTimes', uses)]
      : []),
    ...(bytes > 0 ? [text.bytes(bytes)] : []),
  ];
  return text.facts(parts);
}

/** The name of the entry's key. */
export function keyNameOf(key: NonNullable<UiActivity['key']>, text: Text): string {
  return text.apart(keyName({ kind: key.kind, label: plainText(key.label, 80) }, text));
}
