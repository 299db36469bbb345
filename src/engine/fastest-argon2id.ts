import { copyOf, equal, wipe } from '../crypto/bytes.ts';
import { argon2 } from '../crypto/kdf/argon2.ts';
import { loadArgon2, type Argon2 } from './wasm/hash/argon2.ts';
import type { LoadWasm } from './wasm/loader.ts';

/** The cost of a derivation (RFC 9106, section 3.1). */
interface Cost {
  /** m in KiB: at least 8 · parallelism. */
  readonly memoryKiB: number;
  /** t: at least 1. */
  readonly passes: number;
  /** p: lanes, one after the other. */
  readonly parallelism: number;
}

/** A vault's and a backup's key has 256 bits. */
const KEY_BYTES = 32;

/**
 * Argon2id of passphrases by the fastest available engine: WebAssembly where the module loads and gives the same answer
 * as the portable one, else that, which takes several times as long. A passphrase opens what it protects on every
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
    return answersAlike(module) ? module : undefined;
  } catch {
    return undefined; // no WebAssembly, none with SIMD, or no module
  }
}

/** The known answer: two lanes, two passes, a block of addresses and more. */
function answersAlike(module: Argon2): boolean {
  const password = Uint8Array.of(1, 2, 3);
  const options = { nonce: new Uint8Array(16), memoryKiB: 1100, passes: 2, parallelism: 2 };
  const [one, other] = [
    module.derive('Argon2id', password, options, KEY_BYTES),
    argon2('Argon2id', password, options, KEY_BYTES),
  ];
  return equal(one, other);
}
