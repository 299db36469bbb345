import type { Activity } from '../audit/activity.ts';
import { siteOf } from '../calls/frame-policy.ts';
import type { Grants } from './grants.ts';
import type { StateEvents } from '../ports/state-events.ts';

interface Deps {
  readonly grants: Grants;
  readonly activity: Pick<Activity, 'record'>;
  readonly events: StateEvents;
}

/**
 * An unused grant ends by time alone. After the next unlock its record says so, the log tells
 * the user, and open pages get `grantchange`. To be called after each unlock: nothing stays unlocked for
 * a day.
 */
export async function endUnusedGrants({ grants, activity, events }: Deps): Promise<void> {
  for (const { scope, ref } of await grants.endUnused()) {
    activity.record({ operation: 'grantUnused', ...siteOf(scope), ref });
    events.grantchange(scope);
  }
}
