/**
 * The loader for libraries: modules at URLs, in Node, Deno, Bun and browsers. Where one does not load, the error
 * names the URL, the cause and the remedy, because a library cannot know how a site is built and served.
 */
import { copyOf } from '../../crypto/bytes.ts';
import type { LoadWasm, ReadWasm } from './loader.ts';

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

/** What a module begins with: "\0asm" and the version; also the shortest module that there is. */
const EMPTY_MODULE = /* @__PURE__ */ Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const MAGIC_BYTES = 4;

const REMEDY = 'copy dist/lib/wasm of the package there, or say with wasmBase where it is';

/**
 * Reads a file: URL through the file system, because Node cannot fetch it, and decodes a data: URL, which
 * connect-src may forbid; fetches other URLs.
 *
 * @param urls where the modules are if `base` is absent
 * @param base the folder of the modules, as `folderUrl` returns it
 */
export function loadWasmAt(urls: ModuleUrls, base?: URL): LoadWasm {
  return async (name) => {
    checkMayCompile();
    const own = urls[name];
    if (own === undefined) throw new Error(`there is no module ${name}`);
    const url = base ? new URL(`${name}.wasm`, base) : ownUrl(name, own);
    return url.protocol === 'file:' ? bytesOfFile(url) : fetched(url);
  };
}

interface NodeProcess {
  readonly getBuiltinModule?: (
    name: 'node:fs',
  ) => { readFileSync(url: URL): Uint8Array } | undefined;
}

/** Reads modules that are files without waiting; undefined where there is no file system of Node. */
export function readWasmAt(urls: ModuleUrls): ReadWasm | undefined {
  const { process } = globalThis as { process?: NodeProcess };
  const files = process?.getBuiltinModule?.('node:fs');
  return files && ((name) => copyOf(files.readFileSync(ownUrl(name, urls[name]!))));
}

/**
 * @param folder the option `wasmBase`: a URL, in browsers also relative to the page or worker
 * @returns it as a folder, whether or not it ends with a slash; undefined if it is
 * @throws TypeError if it is no URL
 */
export function folderUrl(folder: string | URL | undefined): URL | undefined {
  if (folder === undefined) return undefined;
  const { location } = globalThis as { location?: { readonly href: string } };
  try {
    const url = new URL(folder, location?.href);
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    return url;
  } catch {
    throw new TypeError('wasmBase must be the URL of a folder');
  }
}

/** So that bundles which each have a copy of this file share it. */
const WARNED = Symbol.for('sealwright.warned-of-js');

/** Warns that `what` runs in JavaScript, once in each page, worker or process. */
export function warnOfJs(what: string, reason: string): void {
  if (Reflect.get(globalThis, WARNED) === true) return;
  Reflect.set(globalThis, WARNED, true);
  console.warn(
    `sealwright: ${what} runs in the engine js, which is slower and, with AES, not constant-time. ` +
      `wasm-simd: ${reason}. See docs/bundlers.md of the package; this is said once.`,
  );
}

/** A policy forbids to compile any module, and each browser says so in words of its own. */
function checkMayCompile(): void {
  if (typeof WebAssembly !== 'object') throw new Error('WebAssembly is missing');
  try {
    new WebAssembly.Module(EMPTY_MODULE);
  } catch (error) {
    throw because(
      "WebAssembly may not be compiled here: script-src of the Content Security Policy lacks 'wasm-unsafe-eval'",
      error,
    );
  }
}

function ownUrl(name: string, own: () => URL): URL {
  try {
    return own();
  } catch (error) {
    const place = 'the script has no address of its own (a classic script, a data: or blob: URL)';
    throw because(`${name}.wasm: ${place}: say with wasmBase where the modules are`, error);
  }
}

async function bytesOfFile(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const { readFile } = (await import(/* webpackIgnore: true */ NODE_FS)) as FileSystem;
  try {
    return copyOf(await readFile(url));
  } catch (error) {
    const { code, name } = error as Error & { readonly code?: string };
    const fault =
      code === 'ENOENT' || name === 'NotFound'
        ? `the file is missing: ${REMEDY}`
        : `the file may not be read (${code ?? name})`;
    throw because(`${url.href}: ${fault}`, error);
  }
}

async function fetched(url: URL): Promise<BufferSource> {
  const base64 = /^data:[^,]*;base64,(.*)$/.exec(url.href)?.[1];
  if (base64 !== undefined) {
    return Uint8Array.from(atob(decodeURIComponent(base64)), (letter) => letter.charCodeAt(0));
  }
  const response = await fetch(url).catch((error: unknown) => {
    // A bundler for servers may have made it a path of the site, which only a page can fetch.
    const causes = /^[a-z]+:/.test(url.href)
      ? 'the network, CORS, or connect-src of the Content Security Policy'
      : 'a path is no address on a server: give wasmBase, a file: URL';
    throw because(`${url.href}: could not be fetched (${causes})`, error);
  });
  if (!response.ok) throw new Error(`${url.href}: ${response.status}: ${REMEDY}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (EMPTY_MODULE.some((byte, i) => i < MAGIC_BYTES && bytes[i] !== byte)) {
    const type = response.headers.get('content-type') ?? 'something';
    throw new Error(
      `${url.href}: the server answers with ${type}, not with WebAssembly: ${REMEDY}`,
    );
  }
  return bytes;
}

function because(message: string, cause: unknown): Error {
  return new Error(message, { cause });
}
