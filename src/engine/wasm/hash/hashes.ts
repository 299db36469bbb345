/**
 * All hashes of the WebAssembly engine and the algorithms that use them, loaded together: the modules are
 * small, and HMAC, HKDF, PBKDF2 and scrypt need SHA anyway.
 */
import type { HashName } from '../../../crypto/contracts.ts';
import { loadBlake } from './blake.ts';
import type { BlakeModule } from './blake.ts';
import { loadKeccak } from './keccak.ts';
import type { KeccakModule } from './keccak.ts';
import type { Variant } from '../generator/dsl/lookup.ts';
import type { LoadWasm } from '../loader.ts';
import { loadScrypt } from './scrypt.ts';
import type { Scrypt } from './scrypt.ts';
import { loadSha } from './sha.ts';
import type { ShaModule } from './sha.ts';

/** The loaded hash modules. */
export interface WasmHashes {
  /** Every hash by name: streaming (`create`) and one-shot (`digest`). */
  readonly algorithms: ShaModule['hashes'] & KeccakModule['hashes'] & BlakeModule['hashes'];
  /** For cSHAKE, TurboSHAKE, KangarooTwelve and KMAC. */
  readonly keccak: KeccakModule;
  /** For pbkdf2.ts and sha256-many.ts. */
  readonly sha: ShaModule;
  /** For BLAKE2b of other lengths and with keys. */
  readonly blake: BlakeModule;
  readonly scrypt: Scrypt;
  /** Wipes the modules and releases memory if possible. Hashes in progress are lost. */
  close(): void;
}

/** Requires all of the library's names. */
type Complete = Readonly<Record<HashName, unknown>>;

/**
 * @param variant for tests; default: the best one that the platform supports
 * @param shaModule a shared module; default: its own
 */
export async function loadHashes(
  loadWasm: LoadWasm,
  variant?: Variant,
  shaModule: Promise<ShaModule> = loadSha(loadWasm),
): Promise<WasmHashes> {
  const [sha, keccak, blake] = await Promise.all([
    shaModule,
    loadKeccak(loadWasm),
    loadBlake(loadWasm, variant),
  ]);
  const scrypt = await loadScrypt(loadWasm, sha);
  const algorithms = {
    ...sha.hashes,
    ...keccak.hashes,
    ...blake.hashes,
  } satisfies Complete;
  return {
    algorithms,
    keccak,
    sha,
    blake,
    scrypt,
    close: () => {
      for (const { instance } of [sha, keccak, blake]) {
        instance.owner = undefined;
        instance.wipe(instance.bufferBytes);
        instance.touched = 0;
      }
      scrypt.release();
    },
  };
}
