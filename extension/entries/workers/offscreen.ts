/*
 * Entry: Chromium's offscreen document. It starts the workers, which a service worker cannot do. In a tab, whose
 * user could close it, the page does nothing.
 */
import { isOffscreen } from '../../platform/workers/offscreen-document.ts';
import { WorkerHost } from '../../platform/workers/worker-host.ts';

const { chrome } = globalThis as unknown as { readonly chrome: object };
if (isOffscreen(chrome)) {
  const { locks, serviceWorker: requests } = navigator;
  new WorkerHost({ locks, requests, close: () => window.close() });
}
