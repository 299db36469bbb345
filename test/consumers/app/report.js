/* A page that a framework's server has rendered, or would have: checks in itself, and says what the server found. */
import { check } from './check.js';

/** The state is what the page shows of the extension, which is not there. */
export function report() {
  check().then(
    (page) => {
      const server = document.querySelector('#server')?.textContent;
      const prefetched = document.querySelectorAll('link[rel=prefetch]').length;
      globalThis.report = {
        page: { ...page, prefetched },
        ...(server && { server: JSON.parse(server) }),
      };
    },
    (error) => (globalThis.report = { error: String(error) }),
  );
}
