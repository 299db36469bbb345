/** The WebExtension API, named here and handed to whatever needs a part of it. */
export { default as browser } from 'webextension-polyfill';
