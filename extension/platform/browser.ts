/** The WebExtension API. Only extension/platform and extension/entries import it; others get parts of it. */
export { default as browser } from 'webextension-polyfill';
