import type { KeyRing } from '../../keys/key-ring.ts';
import type { Implementations } from '../../rpc/call.ts';
import type { ParamsOf, ResultOf } from '../../rpc/methods.ts';
import type { Activity } from '../activity.ts';
import { filtered, shownActivity, usageOf } from '../activity-views.ts';

interface Parts {
  readonly activity: Activity;
  readonly keyRing: KeyRing;
}

type ActivityMethods =
  'ui.activity' | 'ui.activityUsage' | 'ui.exportActivity' | 'ui.clearActivity';

export function activityMethods(parts: Parts): Pick<Implementations, ActivityMethods> {
  const { activity, keyRing } = parts;
  return {
    'ui.activity': (params) => pageOf(params, parts),
    'ui.activityUsage': async ({ since }) => usageOf(await activity.all(), since),
    async 'ui.exportActivity'(filter) {
      const keys = await keyRing.list();
      const entries = filtered(await activity.all(), filter);
      return { entries: entries.map((entry) => shownActivity(entry, keys)) };
    },
    async 'ui.clearActivity'() {
      await activity.clear();
      return {};
    },
  };
}

async function pageOf(
  { offset, limit, ...filter }: ParamsOf<'ui.activity'>,
  { activity, keyRing }: Parts,
): Promise<ResultOf<'ui.activity'>> {
  const all = await activity.all();
  const keys = await keyRing.list();
  const wanted = filtered(all, filter);
  return {
    total: wanted.length,
    entries: wanted.slice(offset, offset + limit).map((entry) => shownActivity(entry, keys)),
    origins: distinct(all.map(({ origin }) => origin).filter((origin) => origin !== null)),
    operations: distinct(all.map(({ operation }) => operation)),
  };
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].sort();
