/**
 * The loader for libraries, in Node, Deno, Bun and browsers: modules in scripts of the library, or in files of a folder that
 * the caller names. Where one does not load, the error says the cause and the remedy, because a library cannot know how a
 * site is built and served.
 */
import { copyOf } from '../../crypto/bytes.ts';
import type { LoadWasm, ReadWasm } from './loader.ts';

/** What imports the script of each module, by name ("aes.simd"). */
export type ModuleScripts = Readonly<Record<string, () => Promise<{ readonly default: string }>>>;

/**
 * A variable, so that bundlers for browsers do not resolve the import. Deno and Bun have this module of Node
 * too.
 */
const NODE_FS = 'node:fs/promises';

interface FileSystem {
  readonly readFile: (url: URL, encoding: 'utf8') => Promise<string>;
}

/** The shortest module that there is: "\0asm" and the version. */
const EMPTY_MODULE = /* @__PURE__ */ Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

const REMEDY = 'copy dist/lib/wasm of the package there, or leave wasmBase out';

/**
 * @param scripts where the modules are if `base` is absent
 * @param base a copy of their folder, as `folderUrl` returns it, whose files are read, not run: a file: URL through the
 *   file system, because Node cannot fetch it, others by `fetch`
 */
export function loadWasmAt(scripts: ModuleScripts, base?: URL): LoadWasm {
  return async (name) => {
    checkMayCompile();
    const script = scripts[name];
    if (script === undefined) throw new Error(`there is no module ${name}`);
    if (base === undefined) return unpacked(await imported(name, script));
    const url = new URL(`${name}.js`, base);
    return unpacked(
      packedIn(await (url.protocol === 'file:' ? textOfFile(url) : fetched(url)), url),
    );
  };
}

/** Bundlers inline scripts where they cannot make more than one, so a cause is the network, a policy or a service worker. */
async function imported(name: string, script: ModuleScripts[string]): Promise<string> {
  try {
    return (await script()).default;
  } catch (error) {
    const remedy =
      'bundle it into the same script, or say with wasmBase where a copy of dist/lib/wasm is';
    throw because(
      `${name}: its script could not be imported (${(error as Error).message}): ${remedy}`,
      error,
    );
  }
}

/** @param packed DEFLATE (RFC 1951) as Base64: two fifths of a module's bytes */
async function unpacked(packed: string): Promise<BufferSource> {
  const stream = new Response(bytesOf(packed)).body!.pipeThrough(
    new DecompressionStream('deflate-raw'),
  );
  return new Response(stream).arrayBuffer();
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** The module that a script holds (packedModule of scripts/make-wasm.ts), and no page that a server has in its place. */
function packedIn(script: string, url: URL): string {
  const packed = /^(?:var|const) \w+ = "([\w+/=]+)";$/m.exec(script)?.[1];
  if (packed === undefined) throw new Error(`${url.href}: it holds no module: ${REMEDY}`);
  return packed;
}

interface NodeProcess {
  readonly getBuiltinModule?: (name: string) => unknown;
}

/** Reads modules without waiting, from wasm/ beside the library's scripts; undefined where there is no Node. */
export function readWasmFiles(): ReadWasm | undefined {
  const { process } = globalThis as { process?: NodeProcess };
  const files = process?.getBuiltinModule?.('node:fs') as
    { readFileSync(url: URL, encoding: 'utf8'): string } | undefined;
  const zlib = process?.getBuiltinModule?.('node:zlib') as {
    inflateRawSync(bytes: Uint8Array): Uint8Array;
  };
  // In two lines, so that no bundler takes the folder for a file that it has to add.
  const here = import.meta.url;
  return (
    files &&
    ((name) => {
      const url = new URL(`wasm/${name}.js`, here);
      return copyOf(zlib.inflateRawSync(bytesOf(packedIn(files.readFileSync(url, 'utf8'), url))));
    })
  );
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

async function textOfFile(url: URL): Promise<string> {
  const { readFile } = (await import(/* webpackIgnore: true */ NODE_FS)) as FileSystem;
  try {
    return await readFile(url, 'utf8');
  } catch (error) {
    const { code, name } = error as Error & { readonly code?: string };
    const fault =
      code === 'ENOENT' || name === 'NotFound'
        ? `the file is missing: ${REMEDY}`
        : `the file may not be read (${code ?? name})`;
    throw because(`${url.href}: ${fault}`, error);
  }
}

async function fetched(url: URL): Promise<string> {
  const response = await fetch(url).catch((error: unknown) => {
    const causes = 'the network, CORS, or connect-src of the Content Security Policy';
    throw because(`${url.href}: could not be fetched (${causes})`, error);
  });
  if (!response.ok) throw new Error(`${url.href}: ${response.status}: ${REMEDY}`);
  return response.text();
}

function because(message: string, cause: unknown): Error {
  return new Error(message, { cause });
}
