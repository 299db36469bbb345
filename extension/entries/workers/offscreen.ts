/*
 * Entry: the offscreen document of Chromium, which starts the workers that a service worker cannot.
 */
import { WorkerHost } from '../../platform/workers/worker-host.ts';

new WorkerHost({
  requests: navigator.serviceWorker,
  scripts: ['argon2id-worker.js', 'age-worker.js', 'sjcl-worker.js'],
  close: () => window.close(),
});
