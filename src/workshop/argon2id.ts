import { fastestArgon2id } from '../engine/fastest-argon2id.ts';
import type { LoadWasm } from '../engine/wasm/loader.ts';
import type { Group } from './contract.ts';

/** Argon2id of passphrases, by WebAssembly where it works. */
export function operations(loadWasm: LoadWasm): Group<'argon2id'> {
  const derive = fastestArgon2id(loadWasm);
  return {
    argon2id: ({ secrets, params }) => derive(secrets.passphrase, params.salt, params.cost),
  };
}
