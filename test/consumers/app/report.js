/* A page that a framework's server has rendered, or would have: checks in itself, and says what the server found. */
import { check } from './check.js';

/** The state is what the page shows of the extension, which is not there. */
export function report() {
  check().then(
    (page) => {
      const wrong = [...page.wrong];
      // A framework that prefetches files for later would load all modules for nothing.
      const html = document.documentElement.outerHTML;
      if (html.includes('.wasm')) wrong.push('the page names .wasm files');
      const server = document.querySelector('#server')?.textContent;
      globalThis.report = {
        page: { ...page, wrong },
        ...(server && { server: JSON.parse(server) }),
      };
    },
    (error) => (globalThis.report = { error: String(error) }),
  );
}
