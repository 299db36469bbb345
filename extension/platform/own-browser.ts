/*
 * Before the polyfill looks for `browser`: in Chromium before version 148 a content script has none of its own, and reads an
 * element of the page with that id or name in its place. An own property hides it.
 */
if (!Object.hasOwn(globalThis, 'browser')) {
  Object.defineProperty(globalThis, 'browser', {
    value: undefined,
    writable: true,
    configurable: true,
  });
}
