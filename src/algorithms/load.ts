/**
 * Modules of the engine `wasm-simd` for single algorithms: each is loaded once, and each algorithm is tested before its
 * first use. There is no registry and no other engine here, so that one algorithm costs one algorithm.
 */
import { copyOf, wipe } from '../crypto/bytes.ts';
import { checkBytes, checkOptions, isAuthenticationError } from '../crypto/errors.ts';
import type { Lengths } from '../crypto/errors.ts';
import { folderUrl } from '../engine/wasm/library-loader.ts';

/** Options of every algorithm. */
export interface AlgorithmOptions {
  /** The URL of a copy of the package's folder dist/lib/wasm, where an app serves it itself. */
  readonly wasmBase?: string | URL | undefined;
}

/** The folder of the modules' files; undefined: the scripts of the package. */
export type Folder = URL | undefined;

/** Makes something of a folder's modules: an instance of one, or an algorithm that has been tested. */
export type FromFolder<T> = (folder: Folder) => Promise<T>;

/** One list for the whole script, because two instances of a module would need twice the memory. */
const MADE = /* @__PURE__ */ new Map<string, Promise<unknown>>();

/** The result of the first call for that name and folder; after a failure, of the next one. */
export function once<T>(name: string, folder: Folder, make: FromFolder<T>): Promise<T> {
  const place = `${name} ${folder?.href}`;
  const known = MADE.get(place) as Promise<T> | undefined;
  if (known) return known;
  const made = make(folder);
  MADE.set(place, made);
  made.catch(() => MADE.delete(place));
  return made;
}

/**
 * Loads an algorithm, once for each folder.
 *
 * @param name as docs/library.md names it
 * @throws TypeError for unknown options and for a wasmBase that is no URL; NotSupportedError (DOMException) with the
 *   reason where the module does not load or a known answer is wrong
 */
export async function loadAlgorithm<T>(
  name: string,
  options: AlgorithmOptions,
  make: FromFolder<T>,
): Promise<T> {
  checkOptions('options', options, { wasmBase: true });
  const folder = folderUrl(options.wasmBase);
  try {
    return await once(name, folder, make);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DOMException(`${name}: wasm-simd: ${reason}`, 'NotSupportedError');
  }
}

/**
 * Loads an algorithm that has keys, and makes the object of a key. The key is copied before this returns, so that the
 * caller may wipe it at once.
 *
 * @param make returns what makes that object; it copies the key
 * @throws TypeError, RangeError for the key; the errors of `loadAlgorithm`
 */
export async function withKey<T>(
  name: string,
  key: Uint8Array,
  keyBytes: Lengths,
  options: AlgorithmOptions,
  make: FromFolder<(key: Uint8Array) => T>,
): Promise<T> {
  checkBytes('key', key, keyBytes);
  const own = copyOf(key);
  try {
    return (await loadAlgorithm(name, options, make))(own);
  } finally {
    wipe(own);
  }
}

/** @throws Error if a known answer is wrong */
export function assertRight(isRight: boolean): void {
  if (!isRight) throw new Error('it failed its known answer');
}

/** @throws Error if the key has been wiped */
export function unwiped<T>(keyed: T | undefined): T {
  if (keyed === undefined) throw new Error('the key has been wiped');
  return keyed;
}

/** Whether it throws AuthenticationError. @throws any other error */
export function refuses(decrypt: () => unknown): boolean {
  try {
    decrypt();
    return false;
  } catch (error) {
    if (isAuthenticationError(error)) return true;
    throw error;
  }
}
