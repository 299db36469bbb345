/** The loader for the library: modules as files beside a script, in Node, Deno and browsers. */
import type { LoadWasm } from './module.ts';

/** The part of Node's and Deno's `process` that is needed; bundlers leave it alone. */
interface Process {
  getBuiltinModule?(name: 'node:fs'): { readFileSync(url: URL): Uint8Array };
}

/**
 * @param folder ends in a slash. A file: URL is read through `node:fs`, which `fetch` of Node
 *   cannot do; any other is fetched.
 */
export function loadWasmBeside(folder: string): LoadWasm {
  return async (name) => {
    const url = new URL(`${folder}${name}.wasm`);
    const { process } = globalThis as { process?: Process };
    const fs = url.protocol === 'file:' ? process?.getBuiltinModule?.('node:fs') : undefined;
    if (fs !== undefined) return Uint8Array.from(fs.readFileSync(url));
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url.href}: ${response.status}`);
    return response.arrayBuffer();
  };
}
