import { browser } from '../browser.ts';

/**
 * What leaves the device through the browser's sync by Firefox's categories: keys, sealed as they are. Mozilla's policy counts
 * what is handled outside of the local browser as transmitted. The person can take the permission back in Firefox's own pages.
 */
const NAME = 'authenticationInfo';
const SEALED_KEYS = { data_collection: [NAME as typeof NAME] };

/** Chromium has no such permission, and its manifest no such key: the person has turned its sync on. */
const isAsked = (): boolean => 'browser_specific_settings' in browser.runtime.getManifest();

/**
 * Asks the person by the browser's own question to let sealed keys leave this device through its sync. Firefox allows it in the
 * task of a click only.
 */
export const requestSync = async (): Promise<boolean> =>
  !isAsked() || browser.permissions.request(SEALED_KEYS);

/** Whether they may leave it now. */
export const mayUseSync = async (): Promise<boolean> =>
  !isAsked() || browser.permissions.contains(SEALED_KEYS);

/** The person has allowed it, here or in Firefox's own pages. To be called in the first task of the background. */
export function onSyncAllowed(listener: () => void): void {
  browser.permissions.onAdded.addListener(({ data_collection = [] }) => {
    if (data_collection.includes(NAME)) listener();
  });
}
