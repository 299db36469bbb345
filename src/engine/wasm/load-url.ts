/** The loader for libraries: modules at URLs, in Node, Deno, Bun and browsers. */
import type { LoadWasm } from './loader.ts';

/** The URL of each module, by name ("aes.simd"). Computed at the request, because it may throw. */
export type ModuleUrls = Readonly<Record<string, () => URL>>;

/**
 * A variable, so that bundlers for browsers do not resolve the import. Deno and Bun have this module of Node
 * too.
 */
const NODE_FS = 'node:fs/promises';

interface FileSystem {
  readonly readFile: (url: URL) => Promise<Uint8Array>;
}

/** Reads a file: URL through the file system, because Node cannot fetch it; fetches other URLs. */
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
