/** The old block ciphers of `sealwright/classical`, and the choice of their engine. */
import type {
  BlockCipherName,
  CipherDefinition,
  ModesOfCipher,
} from '../crypto/ciphers/block-cipher.ts';
import { BLOCK_CIPHERS, checkName, modesOfCipher } from '../crypto/ciphers/block-cipher.ts';
import { checkOptions } from '../crypto/errors.ts';
import { testBlockCipher } from './known-answers/block-ciphers.ts';
import { loadCipher } from './wasm/ciphers/ciphers.ts';
import type { LoadWasm } from './wasm/loader.ts';

/** What runs a block cipher. */
export type BlockCipherEngine = 'js' | 'wasm-simd';

/** The options of `blockCipher`. */
export interface BlockCipherOptions {
  /** `auto`, also if absent, takes the fastest engine that has the cipher. A named one is never replaced. */
  readonly engine?: 'auto' | BlockCipherEngine;
  /** The URL of a copy of the package's folder dist/lib/wasm, where an app serves it itself. */
  readonly wasmBase?: string | URL;
}

/** A block cipher and the engine that runs it. */
export interface BlockCipher extends ModesOfCipher {
  readonly engine: BlockCipherEngine;
}

/** The type of `blockCipher`. */
export type GetBlockCipher = (
  name: BlockCipherName,
  options?: BlockCipherOptions,
) => Promise<BlockCipher>;

/**
 * @param loaderAt returns what loads the modules that scripts/make-wasm.ts generates, from that folder if one is given
 * @param onJs is told why `auto` uses `js`
 * @returns `blockCipher`, which loads the module of a cipher at its first use
 */
export function createBlockCipher(
  loaderAt: (wasmBase?: string | URL) => LoadWasm,
  onJs: (name: BlockCipherName, reason: string) => void = () => undefined,
): GetBlockCipher {
  const loading = new Map<string, Promise<CipherDefinition>>();
  const load = (name: BlockCipherName, place: string, loadWasm: LoadWasm) => {
    const known = loading.get(`${name} ${place}`) ?? loadTested(loadWasm, name);
    loading.set(`${name} ${place}`, known);
    return known;
  };
  return async (name, options = {}) => {
    checkName('name', name, Object.keys(BLOCK_CIPHERS));
    checkOptions('options', options, { engine: true, wasmBase: true });
    const { engine = 'auto', wasmBase } = options;
    checkName('engine', engine, ['auto', 'js', 'wasm-simd']);
    const loadWasm = loaderAt(wasmBase);
    if (engine !== 'js') {
      try {
        const cipher = await load(name, String(wasmBase), loadWasm);
        return { engine: 'wasm-simd', ...modesOfCipher(cipher) };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (engine !== 'auto') throw new DOMException(reason, 'NotSupportedError');
        onJs(name, reason);
      }
    }
    return { engine: 'js', ...modesOfCipher(BLOCK_CIPHERS[name]) };
  };
}

/** @throws Error if the module gives a wrong answer; errors of the loader and of WebAssembly */
async function loadTested(loadWasm: LoadWasm, name: BlockCipherName): Promise<CipherDefinition> {
  const cipher = await loadCipher(loadWasm, name);
  const fault = testBlockCipher(name, cipher);
  if (fault !== undefined) throw new Error(`wasm-simd: ${name} failed its known answer (${fault})`);
  return cipher;
}
