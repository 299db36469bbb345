import type { Browser } from 'webextension-polyfill';

/** What Firefox for Android has not, or may not have. */
type Optional = 'commands' | 'contextMenus' | 'idle' | 'windows';

/** The WebExtension API, as far as both browsers have it in each of their forms. */
export type BrowserApi = Omit<Browser, Optional> & Partial<Pick<Browser, Optional>>;

/**
 * The WebExtension API, whose calls return promises. Only extension/platform and extension/entries import it; others get parts
 * of it. Listeners of messages give no answer: Chromium before 148 takes no promise for one.
 */
export const browser = (globalThis as unknown as { readonly chrome: BrowserApi }).chrome;
