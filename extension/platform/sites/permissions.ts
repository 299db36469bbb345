import type { Permissions, Runtime } from 'webextension-polyfill';
import type { RegisteredSites } from './sites.ts';

export interface SiteChangeDeps {
  readonly permissions: Pick<Permissions.Static, 'onAdded' | 'onRemoved'>;
  readonly runtime: Pick<Runtime.Static, 'onInstalled' | 'onStartup'>;
  readonly sites: Pick<RegisteredSites, 'reconcile' | 'serveOpenTabs'>;
}

/**
 * Updates script registrations whenever permissions change, by the popup or in the browser's settings.
 * To be called in the first task.
 *
 * @param onRemoved gets the patterns that are no longer served
 */
export function watchSites(
  { permissions, runtime, sites }: SiteChangeDeps,
  onRemoved: (patterns: readonly string[]) => void,
): void {
  const reconcile = async (): Promise<void> => {
    const removed = await sites.reconcile();
    if (removed.length > 0) onRemoved(removed);
  };
  permissions.onAdded.addListener(() => void reconcile());
  permissions.onRemoved.addListener(({ origins = [] }) => {
    if (origins.length > 0) onRemoved(origins);
    void reconcile();
  });
  runtime.onStartup.addListener(() => void reconcile());
  // After an update, the scripts in open tabs are orphans of the old version and are replaced.
  runtime.onInstalled.addListener(() => void reconcile().then(() => sites.serveOpenTabs()));
}
