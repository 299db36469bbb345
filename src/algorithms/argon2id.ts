/**
 * Argon2id of npm's `argon2id`. The build makes it a script of its own, which `kdf.ts` imports, because bundlers cannot
 * leave out a part of that package.
 */
import { checkBytes, checkInteger } from '../crypto/errors.ts';
import { deriveArgon2id } from '../engine/argon2id/argon2id.ts';
import type { Argon2idParams as EngineParams, WasmLoader } from '../engine/argon2id/argon2id.ts';

/** The parameters of Argon2id. */
export interface Argon2idParams {
  /** The salt: 8 bytes and more. */
  readonly nonce: Uint8Array;
  /** In KiB: 8 · parallelism to 2^20. */
  readonly memory: number;
  /** 1 to 16. */
  readonly passes: number;
  /** Lanes, one after the other: 1 to 16. */
  readonly parallelism: number;
  /** A key; any length, none if absent. */
  readonly secretValue?: Uint8Array;
  /** Any length, empty if absent. */
  readonly associatedData?: Uint8Array;
}

/** Derives by the module. */
type Run = (secret: Uint8Array, params: Argon2idParams, lengthBytes: number) => Promise<Uint8Array>;

/** @param bytes of the module. @throws errors of WebAssembly */
export async function compileArgon2id(bytes: BufferSource): Promise<Run> {
  const module = await WebAssembly.compile(bytes);
  const load: WasmLoader = async (imports) => ({
    module,
    instance: await WebAssembly.instantiate(module, imports),
  });
  const wasm = { simd: load, noSimd: load };
  return async (secret, params, lengthBytes) =>
    deriveArgon2id(renamed(secret, params, lengthBytes), wasm);
}

/** Checks what has another name in the engine. */
function renamed(
  password: Uint8Array,
  { nonce, memory, secretValue, ...rest }: Argon2idParams,
  lengthBytes: number,
): EngineParams {
  checkBytes('secret', password);
  checkBytes('nonce', nonce, { min: 8 });
  checkInteger('parallelism', rest.parallelism, 1, 16);
  checkInteger('memory', memory, 8 * rest.parallelism, 2 ** 20);
  checkInteger('lengthBytes', lengthBytes, 4, 1024);
  if (secretValue !== undefined) checkBytes('secretValue', secretValue);
  return {
    ...rest,
    password,
    salt: nonce,
    memoryKiB: memory,
    tagBytes: lengthBytes,
    ...(secretValue && { secret: secretValue }),
  };
}
