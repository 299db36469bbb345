import { copyOf, fromHex, toHex, wipe } from '../crypto/bytes.ts';
import { argon2, type Argon2Options } from '../crypto/kdf/argon2.ts';
import { loadArgon2, type Argon2 } from './wasm/hash/argon2.ts';
import type { LoadWasm } from './wasm/loader.ts';

type Cost = Pick<Argon2Options, 'memoryKiB' | 'passes' | 'parallelism'>;

/** A vault's and a backup's key has 256 bits. */
const KEY_BYTES = 32;

/**
 * Argon2id of passphrases by the fastest available engine: WebAssembly where the module loads and gives its known answer,
 * else JavaScript, which takes ten times as long. A passphrase opens what it protects on every
 * machine.
 *
 * For bundles that need no other operation of an engine: a registry would include every algorithm.
 *
 * @param loadWasm loads the modules that scripts/make-wasm.ts generates
 * @returns a function that blocks its thread, so call it in a worker. It copies the passphrase at once and returns 32
 * bytes; it throws TypeError or RangeError for arguments that RFC 9106, section 3.1 does not allow, and an error of the
 * platform if there is not enough memory
 */
export function fastestArgon2id(
  loadWasm: LoadWasm,
): (passphrase: Uint8Array, salt: Uint8Array, cost: Cost) => Promise<Uint8Array> {
  let loading: Promise<Argon2 | undefined> | undefined;
  return async (passphrase, salt, cost) => {
    const own = copyOf(passphrase);
    const options = { ...cost, nonce: copyOf(salt) };
    try {
      const module = await (loading ??= load(loadWasm));
      return module
        ? module.derive('Argon2id', own, options, KEY_BYTES)
        : argon2('Argon2id', own, options, KEY_BYTES);
    } finally {
      wipe(own);
    }
  };
}

async function load(loadWasm: LoadWasm): Promise<Argon2 | undefined> {
  try {
    const module = await loadArgon2(loadWasm);
    return isRight(module) ? module : undefined;
  } catch {
    return undefined; // no WebAssembly, none with SIMD, or no module
  }
}

/** The known answer: two lanes, two passes, a block of addresses and more. */
export const ANSWER = {
  password: '010203',
  options: { nonce: new Uint8Array(16), memoryKiB: 1100, passes: 2, parallelism: 2 },
  key: '3fd6b459883a99a474211b415b31a357bd2e1009abc9c477151f9b2bd2055565',
};

/** A constant, because each derivation has a worker of its own, in which JavaScript takes 40 ms for the answer. */
function isRight(module: Argon2): boolean {
  const { password, options, key } = ANSWER;
  return toHex(module.derive('Argon2id', fromHex(password), options, KEY_BYTES)) === key;
}
