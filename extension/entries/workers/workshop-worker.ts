/*
 * Entry: a worker of the workshop (src/workshop). It has the secrets of one call at a time, and no port but
 * that of the context that started it. Each group of operations is a script of its own.
 */
import { allOperations } from '../../../src/workshop/operations.ts';
import { serve } from '../../../src/workshop/serve.ts';
import { packagedWasm } from '../../platform/workers/engine-wasm.ts';

/** Relative to this script: in Chromium a worker has no WebExtension API. */
const getUrl = (path: string) => new URL(path, globalThis.location.href).href;
const perform = allOperations(packagedWasm(getUrl));

globalThis.addEventListener('message', ({ ports: [port] }) => {
  if (port !== undefined) serve(port, perform);
});
