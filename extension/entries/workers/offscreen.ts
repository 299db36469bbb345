/*
 * Entry: Chromium's offscreen document. It starts the workers, which a service worker cannot do.
 */
import { WorkerHost } from '../../platform/workers/worker-host.ts';

new WorkerHost({ requests: navigator.serviceWorker, close: () => window.close() });
