/** The old block ciphers of `sealwright/classical`, and the choice of their engine. */
import type { BlockCipherName, ModesOfCipher } from '../crypto/ciphers/block-cipher.ts';
import {
  BLOCK_CIPHERS,
  checkName,
  checkOptions,
  modesOfCipher,
} from '../crypto/ciphers/block-cipher.ts';
import { inPromise } from '../crypto/errors.ts';

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

/**
 * IDEA, Twofish, RC6-32/20, MARS (August 1999), Serpent and SC2000 in ECB, CBC, CTR, OCB and CBC-MAC, for
 * reading old data and for measurement. New data belong in an AEAD of `sealwright/subtle`.
 *
 * Twofish, MARS and SC2000 look up tables at places that depend on key and data: they are not constant-time.
 *
 * @param name exactly as above, with `RC6` and `MARS`
 * @throws TypeError (as a rejection) for an unknown name, engine or option; NotSupportedError, a DOMException,
 * if the named engine lacks the cipher: `wasm-simd` has none of them yet
 */
export function blockCipher(
  name: BlockCipherName,
  options: BlockCipherOptions = {},
): Promise<BlockCipher> {
  return inPromise(() => {
    checkName('name', name, Object.keys(BLOCK_CIPHERS));
    checkOptions(options, ['engine']);
    const { engine = 'auto' } = options;
    checkName('engine', engine, ['auto', 'js', 'wasm-simd']);
    if (engine === 'wasm-simd') {
      throw new DOMException(`wasm-simd does not have ${name}`, 'NotSupportedError');
    }
    return { engine: 'js', ...modesOfCipher(BLOCK_CIPHERS[name]) };
  });
}
