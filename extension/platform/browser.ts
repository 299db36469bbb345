import './own-browser.ts';
import polyfill, { type Browser } from 'webextension-polyfill';

/** What Firefox for Android has not, or may not have. */
type Optional = 'commands' | 'contextMenus' | 'idle' | 'windows';

/** The WebExtension API. Only extension/platform and extension/entries import it; others get parts of it. */
export const browser: Omit<Browser, Optional> & Partial<Pick<Browser, Optional>> = polyfill;
