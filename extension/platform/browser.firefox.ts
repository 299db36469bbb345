import type { BrowserApi } from './browser.ts';

/** The WebExtension API under the name that Firefox gives it. */
export const browser = (globalThis as unknown as { readonly browser: BrowserApi }).browser;
