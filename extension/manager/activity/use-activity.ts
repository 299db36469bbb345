import { useState } from 'preact/hooks';
import { useText } from '../../ui/environment/environment.ts';
import type { Text } from '../../ui/text/i18n.ts';
import type { ActivityQuery, UiActivityPage } from '../../ui/environment/ui-client.ts';
import { useQuery, type Query } from '../../ui/hooks/use-query.ts';
import { startOfDay } from '../../ui/text/format.ts';
import { operationsNamed, operationsOf, type Kind } from './activity-words.ts';

/** The values of the filter's fields; '' for no restriction. */
export interface ActivityFilter {
  readonly when: '' | When;
  readonly site: string;
  readonly key: string;
  readonly kind: '' | Kind | 'failed';
  readonly words: string;
}

/** The spans of time that can be chosen: their first and last day, in days before today. */
export const SPANS = {
  today: [0, 0],
  yesterday: [1, 1],
  week: [6, 0],
  month: [29, 0],
} as const satisfies Record<string, readonly [first: number, last: number]>;

/** A span of time. */
export type When = keyof typeof SPANS;

const NO_FILTER: ActivityFilter = { when: '', site: '', key: '', kind: '', words: '' };

/** In place of a site: operations of the user. No origin has this form. */
export const BY_USER = 'user';

const PAGE_ENTRIES = 100;
const MAX_ENTRIES = 5000;

/** The filtered log. */
export interface ActivityLog {
  readonly query: Query<UiActivityPage>;
  readonly filter: ActivityFilter;
  readonly isFiltered: boolean;
  /** The filter as parameters of `ui.activity` and `ui.exportActivity`. */
  readonly params: Omit<ActivityQuery, 'offset' | 'limit'>;
  readonly change: (changes: Partial<ActivityFilter>) => void;
  readonly showAll: () => void;
  readonly showMore: () => void;
}

/** Filters the log and loads it in pages. @param site the first value of the site filter, or '' */
export function useActivity(site: string): ActivityLog {
  const text = useText();
  const [filter, setFilter] = useState<ActivityFilter>({ ...NO_FILTER, site });
  const [limit, setLimit] = useState(PAGE_ENTRIES);
  const params = paramsOf(filter, text);
  const change = (changes: Partial<ActivityFilter>) => {
    setFilter((before) => ({ ...before, ...changes }));
    setLimit(PAGE_ENTRIES);
  };
  return {
    query: useQuery('ui.activity', { ...params, offset: 0, limit }),
    filter,
    isFiltered: Object.values(filter).some((value) => value !== ''),
    params,
    change,
    showAll: () => change(NO_FILTER),
    showMore: () => setLimit((before) => Math.min(MAX_ENTRIES, before + PAGE_ENTRIES)),
  };
}

function paramsOf({ when, site, key, kind, words }: ActivityFilter, text: Text) {
  const wanted = words.trim();
  return {
    ...(when !== '' && timesOf(SPANS[when])),
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

/** By the calendar: a day on which the clocks change has 23 or 25 hours. */
function timesOf([first, last]: readonly [number, number]): { from: number; until: number } {
  const today = new Date(startOfDay(Date.now()));
  const daysBefore = (days: number) => new Date(today).setDate(today.getDate() - days);
  return { from: daysBefore(first), until: daysBefore(last - 1) - 1 };
}
