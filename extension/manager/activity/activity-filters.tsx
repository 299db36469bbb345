import { Select } from '../../ui/components/forms/select.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { keyName } from '../../ui/text/key-facts.ts';
import { shortOrigin } from '../../ui/text/origin.ts';
import { plainText } from '../../ui/text/plain-text.ts';
import type { UiActivityPage } from '../../ui/environment/ui-client.ts';
import { KINDS, type Kind } from './activity-words.ts';
import { BY_USER, type ActivityFilter, type ActivityLog } from './use-activity.ts';

interface ActivityFiltersProps {
  readonly log: ActivityLog;
  readonly page: UiActivityPage;
}

export function ActivityFilters({ log, page }: ActivityFiltersProps) {
  const text = useText();
  const { filter, change } = log;
  const all = { value: '', label: text.t('activityAll') };
  const sites = [...new Set([...page.origins, ...(isSite(filter) ? [filter.site] : [])])];
  const kinds = (Object.keys(KINDS) as Kind[]).map((kind) => ({
    value: kind,
    label: text.t(KINDS[kind]),
  }));
  return (
    <div class="filters" role="search" aria-label={text.t('activityFilters')}>
      <Select
        id="activity-site"
        label={text.t('activitySite')}
        value={filter.site}
        options={[
          all,
          { value: BY_USER, label: text.t('activityByUser') },
          ...sites.map((origin) => ({ value: origin, label: shortOrigin(origin) })),
        ]}
        onChange={(site) => change({ site })}
      />
      <Select
        id="activity-key"
        label={text.t('activityKey')}
        value={filter.key}
        options={[
          all,
          ...page.keys.map(({ ref, kind, label }) => ({
            value: ref,
            label: keyName({ kind, label: plainText(label, 80) }, text),
          })),
        ]}
        onChange={(key) => change({ key })}
      />
      <Select
        id="activity-kind"
        label={text.t('activityKind')}
        value={filter.kind}
        options={[all, ...kinds, { value: 'failed', label: text.t('activityKindFailed') }]}
        onChange={(kind) => change({ kind: kind as ActivityFilter['kind'] })}
      />
      <TextField
        id="activity-words"
        label={text.t('activitySearch')}
        value={filter.words}
        maxLength={200}
        onInput={(words) => change({ words })}
      />
    </div>
  );
}

function isSite({ site }: ActivityFilter): boolean {
  return site !== '' && site !== BY_USER;
}
