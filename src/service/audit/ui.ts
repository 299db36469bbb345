import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Implementations } from '../../rpc/call.ts';
import type { ParamsOf, ResultOf } from '../../rpc/methods/methods.ts';
import type { Activity } from './activity.ts';
import { filtered, shownActivity } from './activity-views.ts';
import type { Usage } from './usage.ts';

interface Deps {
  readonly activity: Activity;
  readonly usage: Usage;
  readonly keyRing: KeyRing;
}

type ActivityMethods =
  'ui.activity' | 'ui.activityUsage' | 'ui.exportActivity' | 'ui.clearActivity';

/** The methods that show the audit log and the usage of sites, and clear the log. */
export function activityMethods(deps: Deps): Pick<Implementations, ActivityMethods> {
  const { activity, usage, keyRing } = deps;
  return {
    'ui.activity': (params) => pageOf(params, deps),
    async 'ui.activityUsage'({ days }) {
      await activity.save();
      return usage.ofSites(days);
    },
    async 'ui.exportActivity'(filter) {
      const keys = await keyRing.list();
      const entries = filtered(await activity.all(), filter, keys);
      return { entries: entries.map((entry) => shownActivity(entry, keys)) };
    },
    async 'ui.clearActivity'() {
      await usage.clear();
      await activity.clear();
      return {};
    },
  };
}

async function pageOf(
  { offset, limit, ...filter }: ParamsOf<'ui.activity'>,
  { activity, keyRing }: Deps,
): Promise<ResultOf<'ui.activity'>> {
  const all = await activity.all();
  const known = await keyRing.list();
  const wanted = filtered(all, filter, known);
  const shown = all.map((entry) => shownActivity(entry, known));
  return {
    total: wanted.length,
    entries: wanted.slice(offset, offset + limit).map((entry) => shownActivity(entry, known)),
    origins: distinct(
      all.map(({ origin, of }) => origin ?? of).filter((origin) => origin !== undefined),
    ),
    keys: [...new Map(shown.flatMap(({ key }) => (key ? [[key.ref, key]] : []))).values()],
  };
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].sort();
