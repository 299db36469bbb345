import { useText } from '../../ui/environment/environment.ts';
import type { Text } from '../../ui/text/i18n.ts';
import { keyName } from '../../ui/text/key-facts.ts';
import { plainText } from '../../ui/text/plain-text.ts';
import type { UiActivity } from '../../ui/environment/ui-client.ts';

/** All facts of an entry, with the technical names of operation and result. */
export function ActivityFacts({ entry }: { readonly entry: UiActivity }) {
  const text = useText();
  return (
    <dl class="facts">
      {factsOf(entry, text).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function factsOf(entry: UiActivity, text: Text): [string, string][] {
  const { from, until, origin, of, container, key, contact, operation, result, uses, bytes } =
    entry;
  const times = [from, ...(until > from ? [until] : [])].map((time) => text.moment(time));
  const facts: [string, string | null][] = [
    [text.t('activityTime'), times.join(' – ')],
    [text.t('activitySite'), origin ?? of ?? null],
    [text.t('activityContainer'), container],
    [text.t('activityKey'), key && keyName({ ...key, label: plainText(key.label, 80) }, text)],
    [text.t('contactName'), contact === undefined ? null : plainText(contact, 80)],
    [text.t('activityOperation'), operation],
    [text.t('activityResult'), result === 'ok' ? text.t('activityDone') : result],
    [text.t('activityUses'), origin === null ? null : text.number(uses)],
    [text.t('activityBytes'), bytes === 0 ? null : text.bytes(bytes)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}
