import { useState } from 'preact/hooks';
import { History, SearchX } from 'lucide-preact';
import { Button } from '../../ui/components/buttons/button.tsx';
import { EmptyState } from '../../ui/components/empty-state.tsx';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { siteOfAddress } from '../../ui/environment/manager-address.ts';
import { isPending, useQuery } from '../../ui/hooks/use-query.ts';
import { SCREENS } from '../screens.ts';
import { ActivityActions } from './activity-actions.tsx';
import { ActivityDays } from './activity-days.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import { DAYS, UsagePanel } from './usage-panel.tsx';
import { useActivity, type ActivityLog } from './use-activity.ts';

/** The audit log: what sites did with the keys, and what the user changed; and figures of the usage. */
export function ActivityView() {
  const text = useText();
  const [site] = useState(() => siteOfAddress(location.hash));
  const log = useActivity(site);
  const usage = useQuery('ui.activityUsage', { days: DAYS });
  const { data, error } = log.query;
  // All appear together: the usage comes above buttons.
  const isLoading = isPending(log.query) || isPending(usage);
  const isEmpty = data?.total === 0 && !log.isFiltered;
  return (
    <View title={text.t('activityTitle')}>
      <p class="muted">{text.t('activityLead')}</p>
      <ErrorBanner error={error} />
      {isLoading && <Loading />}
      {data && !isLoading && isEmpty && <Entries log={log} />}
      {data && !isLoading && !isEmpty && (
        <>
          <ActivityFilters log={log} page={data} />
          <Entries log={log} />
          <UsagePanel usage={usage.data ?? []} site={log.filter.site} />
          <ActivityActions log={log} onCleared={usage.reload} />
        </>
      )}
    </View>
  );
}

function Entries({ log }: { readonly log: ActivityLog }) {
  const text = useText();
  const { entries, total } = log.query.data!;
  if (total === 0) {
    return log.isFiltered ? (
      <EmptyState
        id="activity-none"
        icon={SearchX}
        action={text.t('activityShowAll')}
        onAction={log.showAll}
      >
        {text.t('activityNoMatch')}
      </EmptyState>
    ) : (
      <EmptyState
        id="activity-none"
        icon={History}
        action={text.t(SCREENS.sites)}
        onAction={() => (location.hash = 'sites')}
      >
        {text.t('activityNone')}
      </EmptyState>
    );
  }
  return (
    <>
      <p class="hint" id="activity-count" role="status">
        {text.plural('activityCount', total)}
      </p>
      <ActivityDays entries={entries} />
      {entries.length < total && (
        <Button id="activity-more" onClick={log.showMore}>
          {text.t('activityMore')}
        </Button>
      )}
    </>
  );
}
