/** Argon2id of npm's `argon2id` in the shape of the engine contract. */
import { deriveArgon2id, withinBounds } from './argon2id.ts';
import type { Argon2idParams, Argon2idWasm } from './argon2id.ts';
import type { Argon2Params, Kdf } from '../contract.ts';

/**
 * Argon2id of the package `argon2id` as the engine contract wants it.
 *
 * @param wasm brings the module; it is loaded at the first derivation
 */
export function argon2idAlgorithm(wasm: Argon2idWasm): Kdf<Argon2Params> {
  return {
    // Its second half reads memory where the password says: that is Argon2id's design.
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
