import type { Runtime } from 'webextension-polyfill';
import { browser } from '../browser.ts';
import { OffscreenDocument } from './offscreen-document.ts';
import type { Contexts, Offscreen, WindowClients } from './offscreen-document.ts';
import type { StartWorker } from './running-worker.ts';

/** Starts workers of the background. Chromium's service worker cannot, so an offscreen document does. */
export function backgroundWorkers(runtime: Pick<Runtime.Static, 'getURL'>): StartWorker {
  // These are missing in the types of the polyfill and of the DOM.
  const { offscreen } = browser as { readonly offscreen?: Offscreen };
  const contexts = browser.runtime as unknown as Contexts;
  const { clients } = globalThis as { readonly clients?: WindowClients };
  if (offscreen === undefined || clients === undefined) {
    return () => Promise.reject(new Error('This browser has no offscreen documents'));
  }
  const url = runtime.getURL('offscreen.html');
  const document = new OffscreenDocument({
    locks: navigator.locks,
    offscreen,
    contexts,
    clients,
    url,
  });
  return () => document.startWorker();
}
