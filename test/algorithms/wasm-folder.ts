/** A folder of modules as the build makes it, for `wasmBase`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateSync } from 'fflate';
import { packedModule } from '../../scripts/make-wasm.ts';
import { loadWasm } from '../support/wasm.ts';

/** What single algorithms load. */
const NAMES = ['aes.relaxed', 'aes.simd', 'arx.relaxed', 'arx.simd', 'blake.relaxed', 'blake.simd'];
const COMMON = ['aegis.relaxed', 'aegis.simd', 'argon2', 'keccak', 'scrypt', 'sha'];

export interface WasmFolder {
  readonly url: URL;
  read(name: string): Uint8Array;
  /** Writes a module. */
  put(name: string, bytes: Uint8Array): void;
  /** Writes a module as it should be. */
  restore(name: string): Promise<void>;
  remove(): void;
}

/** An empty one. */
export function emptyFolder(): WasmFolder {
  const path = mkdtempSync(join(tmpdir(), 'sealwright-wasm-'));
  const file = (name: string) => join(path, `${name}.js`);
  const put = (name: string, bytes: Uint8Array) => writeFileSync(file(name), packedModule(bytes));
  return {
    url: pathToFileURL(`${path}/`),
    read: (name) => {
      const [, packed] = /"(.*)"/.exec(readFileSync(file(name), 'utf8'))!;
      return inflateSync(Buffer.from(packed!, 'base64'));
    },
    put,
    restore: async (name) => put(name, new Uint8Array((await loadWasm(name)) as ArrayBuffer)),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** One with every module. */
export async function wasmFolder(): Promise<WasmFolder> {
  const folder = emptyFolder();
  for (const name of [...NAMES, ...COMMON]) await folder.restore(name);
  return folder;
}
