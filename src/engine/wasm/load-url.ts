/** The loader for libraries: modules at URLs, in Node, Deno, Bun and browsers. */
import type { LoadWasm } from './loader.ts';

/** Where each module lies, by name ("aes.simd"). Worked out when asked for: it may throw. */
export type ModuleUrls = Readonly<Record<string, () => URL>>;

/**
 * Not written into the call below, so that bundlers for browsers do not look for it. Of Node's
 * modules Deno and Bun have this one too.
 */
const NODE_FS = 'node:fs/promises';

interface FileSystem {
  readonly readFile: (url: URL) => Promise<Uint8Array>;
}

/** A file: URL is read through the file system, since Node cannot fetch it; others are fetched. */
export function loadWasmAt(urls: ModuleUrls): LoadWasm {
  return async (name) => {
    const url = urls[name]?.();
    if (url === undefined) throw new Error(`there is no module ${name}`);
    return url.protocol === 'file:' ? bytesOfFile(url) : fetched(url);
  };
}

async function bytesOfFile(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const { readFile } = (await import(/* webpackIgnore: true */ NODE_FS)) as FileSystem;
  return Uint8Array.from(await readFile(url));
}

async function fetched(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href}: ${response.status}`);
  return response.arrayBuffer();
}
