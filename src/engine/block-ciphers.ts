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
 * @param loadWasm loads the modules that scripts/make-wasm.ts generates
 * @returns `blockCipher`, which loads the module of a cipher at its first use
 */
export function createBlockCipher(loadWasm: LoadWasm): GetBlockCipher {
  const loading = new Map<BlockCipherName, Promise<CipherDefinition>>();
  const load = (name: BlockCipherName): Promise<CipherDefinition> => {
    const known = loading.get(name) ?? loadTested(loadWasm, name);
    loading.set(name, known);
    return known;
  };
  return async (name, options = {}) => {
    checkName('name', name, Object.keys(BLOCK_CIPHERS));
    checkOptions('options', options, { engine: true });
    const { engine = 'auto' } = options;
    checkName('engine', engine, ['auto', 'js', 'wasm-simd']);
    if (engine !== 'js') {
      try {
        return { engine: 'wasm-simd', ...modesOfCipher(await load(name)) };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (engine !== 'auto') throw new DOMException(reason, 'NotSupportedError');
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
