/** Adapts Argon2id of npm's `argon2id` to the engine contract. */
import { deriveArgon2id, withinBounds } from './argon2id.ts';
import type { Argon2idParams, Argon2idWasm } from './argon2id.ts';
import type { Argon2Params, Kdf } from '../contract.ts';

/**
 * Argon2id of the package `argon2id` for the engine contract.
 *
 * @param wasm provides the module; it is loaded at the first derivation
 */
export function argon2idAlgorithm(wasm: Argon2idWasm): Kdf<Argon2Params> {
  return {
    // The addresses of its second half depend on the password: a property of Argon2id.
    constantTime: 'no',
    gap: (passwordBytes, params, lengthBytes) =>
      withinBounds(packaged(new Uint8Array(passwordBytes), params, lengthBytes))
        ? undefined
        : 'the module has closer bounds for its parameters',
    derive: (password, params, lengthBytes) =>
      deriveArgon2id(packaged(password, params, lengthBytes), wasm),
  };
}

function packaged(
  password: Uint8Array,
  { nonce, ...rest }: Argon2Params,
  tagBytes: number,
): Argon2idParams {
  return { password, salt: nonce, ...rest, tagBytes };
}
