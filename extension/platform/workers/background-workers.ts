import type { Runtime } from 'webextension-polyfill';
import { browser } from '../browser.ts';
import { OffscreenDocument } from './offscreen-document.ts';
import type { Offscreen, WindowClients } from './offscreen-document.ts';
import type { StartWorker } from './worker-call.ts';

/** Workers of the background: Chromium's service worker has none, and asks an offscreen document. */
export function backgroundWorkers(runtime: Pick<Runtime.Static, 'getURL'>): StartWorker {
  // Neither the polyfill's types nor those of the DOM know these two.
  const { offscreen } = browser as { readonly offscreen?: Offscreen };
  const { clients } = globalThis as { readonly clients?: WindowClients };
  if (offscreen === undefined || clients === undefined) {
    return () => Promise.reject(new Error('This browser has no offscreen documents'));
  }
  const url = runtime.getURL('offscreen.html');
  const document = new OffscreenDocument({ offscreen, clients, url });
  return (script) => document.startWorker(script);
}
