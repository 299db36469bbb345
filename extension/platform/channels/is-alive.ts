import type { Runtime } from 'webextension-polyfill';

/** False in a content script whose extension was reloaded, updated or removed. */
export function isAlive(runtime: Pick<Runtime.Static, 'id'>): boolean {
  try {
    return Boolean(runtime.id);
  } catch {
    // Firefox: the API object itself is gone.
    return false;
  }
}
