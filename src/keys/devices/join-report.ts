import { changedAfterDeletion } from './local-changes.ts';
import { includes, isDeleted, merge } from './shared-state.ts';
import type { SharedState } from './shared-state.ts';
import { sitesIn } from './sites.ts';
import type { SiteView } from './sites.ts';

/** What the user sees before the states of two devices are merged. Names of entries are those of contents.ts. */
export interface JoinReport {
  /** Origins that will know the person anew, by the device on which they knew the person before. */
  readonly anew: { readonly here: readonly string[]; readonly there: readonly string[] };
  /** What was deleted on the one device and has changed on the other since: it comes back. */
  readonly changedSince: { readonly here: readonly string[]; readonly there: readonly string[] };
  /**
   * What one device has, and the other had and has no more, while its deletion record is past its time. The person is
   * asked on the device that has it; until then it stays.
   */
  readonly forgotten: { readonly here: readonly string[]; readonly there: readonly string[] };
}

/**
 * What a merge of two whole states changes that the person has to know or to decide. Changes nothing.
 *
 * @param own the state of this device, with its local changes
 */
export function joinReport(own: SharedState, other: SharedState): JoinReport {
  const joined = sitesIn(merge(own, other));
  return {
    anew: { here: changedSites(sitesIn(own), joined), there: changedSites(sitesIn(other), joined) },
    changedSince: {
      here: changedAfterDeletion(own, other),
      there: changedAfterDeletion(other, own),
    },
    forgotten: { here: forgottenBy(other, own), there: forgottenBy(own, other) },
  };
}

/** The origins that saw another root, or another salt where they have seen one. */
function changedSites(
  before: ReadonlyMap<string, SiteView>,
  after: ReadonlyMap<string, SiteView>,
): string[] {
  return [...before]
    .filter(([origin, { root, salt }]) => {
      const now = after.get(origin)!;
      return now.root !== root || (salt !== null && now.salt !== salt);
    })
    .map(([origin]) => origin);
}

/** What `state` has, and `by` has seen in this version and does not have any more. */
function forgottenBy(by: SharedState, state: SharedState): string[] {
  return Object.entries(state.entries)
    .filter(
      ([name, entry]) =>
        !isDeleted(entry) && !Object.hasOwn(by.entries, name) && includes(by.seen, entry.version),
    )
    .map(([name]) => name);
}
