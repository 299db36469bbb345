import { useState } from 'preact/hooks';
import { useText } from '../../ui/environment/environment.ts';
import type { Text } from '../../ui/text/i18n.ts';
import type { ActivityQuery, UiActivityPage } from '../../ui/environment/ui-client.ts';
import { useQuery, type Query } from '../../ui/hooks/use-query.ts';
import { operationsNamed, operationsOf, type Kind } from './activity-words.ts';

/** As the filter's fields hold it; empty: whatever it is. */
export interface ActivityFilter {
  readonly site: string;
  readonly key: string;
  readonly kind: '' | Kind | 'failed';
  readonly words: string;
}

/** In the site's place: what the user did. No origin is written like that. */
export const BY_USER = 'user';

const PAGE_ENTRIES = 100;
const MAX_ENTRIES = 5000;

export interface ActivityLog {
  readonly query: Query<UiActivityPage>;
  readonly filter: ActivityFilter;
  readonly isFiltered: boolean;
  readonly params: Omit<ActivityQuery, 'offset' | 'limit'>;
  readonly change: (changes: Partial<ActivityFilter>) => void;
  readonly showMore: () => void;
}

/** @param site the one that the filter begins with, or empty */
export function useActivity(site: string): ActivityLog {
  const text = useText();
  const [filter, setFilter] = useState<ActivityFilter>({ site, key: '', kind: '', words: '' });
  const [limit, setLimit] = useState(PAGE_ENTRIES);
  const params = paramsOf(filter, text);
  return {
    query: useQuery('ui.activity', { ...params, offset: 0, limit }),
    filter,
    isFiltered: Object.values(filter).some((value) => value !== ''),
    params,
    change(changes) {
      setFilter((before) => ({ ...before, ...changes }));
      setLimit(PAGE_ENTRIES);
    },
    showMore: () => setLimit((before) => Math.min(MAX_ENTRIES, before + PAGE_ENTRIES)),
  };
}

function paramsOf({ site, key, kind, words }: ActivityFilter, text: Text) {
  const wanted = words.trim();
  return {
    ...(site === BY_USER && { by: 'user' as const }),
    ...(site !== BY_USER && site !== '' && { origin: site }),
    ...(key !== '' && { ref: key }),
    ...(kind === 'failed' && { outcome: 'failed' as const }),
    ...(kind !== 'failed' && kind !== '' && { operations: operationsOf(kind) }),
    ...(wanted !== '' && {
      text: { words: wanted, operations: operationsNamed(wanted, (name) => text.t(name)) },
    }),
  };
}
