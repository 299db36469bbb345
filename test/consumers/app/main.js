/* A page: checks in itself, and in a worker that the toolchain has made. Says what it found as `report`. */
import { check } from './check.js';

const inWorker = () =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }) => resolve(data));
    worker.addEventListener('error', ({ message }) => reject(new Error(`worker: ${message}`)));
  });

Promise.all([check(), inWorker()]).then(
  ([page, worker]) => (globalThis.report = { page, worker }),
  (error) => (globalThis.report = { error: String(error) }),
);
