import { CONTACT, contactOf } from '../../keys/annotations/contact.ts';
import type { KeyRing } from '../../keys/ring/key-ring.ts';
import type { Vault } from '../../keys/vault/vault.ts';
import type { Implementations } from '../../rpc/call.ts';
import type { ParamsOf, ResultOf } from '../../rpc/methods/methods.ts';
import type { Activity } from './activity.ts';
import { filtered, shownActivity, type Named } from './activity-views.ts';
import type { Usage } from './usage.ts';

interface Deps {
  readonly activity: Activity;
  readonly usage: Usage;
  readonly keyRing: KeyRing;
  readonly vault: Vault;
}

type ActivityMethods =
  'ui.activity' | 'ui.activityUsage' | 'ui.exportActivity' | 'ui.clearActivity';

/** The methods that show the audit log and the usage of sites, and clear the log. */
export function activityMethods(deps: Deps): Pick<Implementations, ActivityMethods> {
  const { activity, usage } = deps;
  return {
    'ui.activity': (params) => pageOf(params, deps),
    async 'ui.activityUsage'({ days }) {
      await activity.save();
      return usage.ofSites(days);
    },
    async 'ui.exportActivity'(filter) {
      const named = await namedNow(deps);
      const entries = filtered(await activity.all(), filter, named);
      return { entries: entries.map((entry) => shownActivity(entry, named)) };
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
  deps: Deps,
): Promise<ResultOf<'ui.activity'>> {
  const all = await deps.activity.all();
  const known = await namedNow(deps);
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

async function namedNow({ keyRing, vault }: Deps): Promise<Named> {
  const contacts = await vault.list(CONTACT);
  return {
    keys: await keyRing.list(),
    contacts: contacts.map((record) => ({ id: record.id, name: contactOf(record).name })),
  };
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].sort();
