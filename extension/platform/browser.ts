import type { Browser } from 'webextension-polyfill';

/** What Firefox for Android has not, or may not have. */
type Optional = 'commands' | 'contextMenus' | 'idle' | 'windows';

type Api = Omit<Browser, Optional> & Partial<Pick<Browser, Optional>>;

const scope = globalThis as unknown as { readonly browser: Api; readonly chrome: Api };

/**
 * The WebExtension API. Only extension/platform and extension/entries import it; others get parts of it.
 *
 * Firefox and Chromium from 148 on have `browser`; before, `chrome` gives promises as well, but a listener of
 * `runtime.onMessage` answers by its third argument alone. Where `browser` is no property of the scope itself, it could be
 * an element of the page with that id.
 */
export const browser: Api = Object.hasOwn(scope, 'browser') ? scope.browser : scope.chrome;
