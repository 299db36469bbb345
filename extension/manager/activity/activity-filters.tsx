import { useState } from 'preact/hooks';
import { Select } from '../../ui/components/forms/select.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { keyName } from '../../ui/text/key-facts.ts';
import { shortOrigin } from '../../ui/text/origin.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { plainText } from '../../ui/text/plain-text.ts';
import type { UiActivityPage } from '../../ui/environment/ui-client.ts';
import { KINDS, type Kind } from './activity-words.ts';
import { BY_USER, type ActivityFilter, type ActivityLog, type When } from './use-activity.ts';

interface ActivityFiltersProps {
  readonly log: ActivityLog;
  readonly page: UiActivityPage;
}

const WHEN = {
  today: 'activityToday',
  yesterday: 'activityYesterday',
  week: 'activityWeek',
  month: 'activityMonth',
} as const satisfies Record<When, MessageKey>;

/** The fields that filter the log: day and words, and folded those that are needed less often. */
export function ActivityFilters({ log, page }: ActivityFiltersProps) {
  const text = useText();
  const { filter, change } = log;
  // An address may name a site.
  const [isOpen] = useState(isSite(filter));
  const all = { value: '', label: text.t('activityAll') };
  const sites = [...new Set([...page.origins, ...(isSite(filter) ? [filter.site] : [])])];
  const kinds = (Object.keys(KINDS) as Kind[]).map((kind) => ({
    value: kind,
    label: text.t(KINDS[kind]),
  }));
  return (
    <div class="stack" role="search" aria-label={text.t('activityFilters')}>
      <div class="filters">
        <Select
          id="activity-when"
          label={text.t('activityWhen')}
          value={filter.when}
          options={[
            all,
            ...(Object.keys(WHEN) as When[]).map((value) => ({
              value,
              label: text.t(WHEN[value]),
            })),
          ]}
          onChange={(when) => change({ when: when as ActivityFilter['when'] })}
        />
        <TextField
          id="activity-words"
          label={text.t('activitySearch')}
          value={filter.words}
          maxLength={200}
          onInput={(words) => change({ words })}
        />
      </div>
      <details id="activity-more-filters" open={isOpen}>
        <summary>{text.t('activityFilters')}</summary>
        <div class="filters">
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
        </div>
      </details>
    </div>
  );
}

function isSite({ site }: ActivityFilter): boolean {
  return site !== '' && site !== BY_USER;
}
