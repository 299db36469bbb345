import type { OddPower } from '../crypto/bigint/odd-power.ts';
import { oddPower } from '../crypto/bigint/odd-power.ts';
import { equal } from '../crypto/bytes.ts';
import { bestVariant } from './wasm/loader.ts';
import type { LoadWasm, ReadWasm } from './wasm/loader.ts';
import { loadMontgomery, readMontgomery } from './wasm/montgomery/montgomery.ts';

/**
 * Modular exponentiation by the fastest available engine: WebAssembly if the platform has SIMD and the module
 * gives the same answer as the portable arithmetic, else that arithmetic.
 *
 * For bundles that need no other operation of an engine: a registry would include every algorithm.
 *
 * @param loadWasm loads the modules that scripts/make-wasm.ts generates
 * @throws the loader's error: a package without its modules is broken, and must not only be slow
 */
export async function fastestPower(loadWasm: LoadWasm): Promise<OddPower> {
  if (bestVariant() === undefined) return oddPower;
  const power = await loadMontgomery(loadWasm);
  return answersAlike(power) ? power : oddPower;
}

/** Modular exponentiation that is available at once, and faster once its module is loaded. */
export interface LaterPower {
  readonly power: OddPower;
  /** Loads the module, if it is not yet, from another folder if `loadWasm` is given. @returns the engine in use */
  readonly ready: (loadWasm?: LoadWasm) => Promise<'wasm-simd' | 'js'>;
}

/**
 * For synchronous functions: WebAssembly from the first call on where it can be read without waiting, else the portable
 * arithmetic until it is loaded, which begins at the first call.
 *
 * @param usual loads the modules if the caller of `ready` has no other place for them
 * @param onJs is told why the portable arithmetic stays in use
 * @param reader what reads them without waiting, if anything does here
 */
export function laterPower(
  usual: LoadWasm,
  onJs: (reason: string) => void,
  reader: () => ReadWasm | undefined = () => undefined,
): LaterPower {
  let current = oddPower;
  let loading: Promise<void> | undefined;
  const load = async (loadWasm: LoadWasm): Promise<void> => {
    try {
      current = await fastestPower(loadWasm);
    } catch (error) {
      onJs(error instanceof Error ? error.message : String(error));
    }
  };
  const ready = async (loadWasm?: LoadWasm) => {
    loading = loadWasm && current === oddPower ? load(loadWasm) : (loading ?? load(usual));
    await loading;
    return current === oddPower ? 'js' : 'wasm-simd';
  };
  const begin = (): void => {
    const readWasm = reader();
    if (readWasm && bestVariant() !== undefined) {
      try {
        const power = readMontgomery(readWasm);
        if (answersAlike(power)) current = power;
        loading = Promise.resolve();
        return;
      } catch {
        // The loader says why, or finds the module where only it can read.
      }
    }
    void ready();
  };
  return {
    power: (base, exponent, modulus) => {
      if (loading === undefined) begin();
      return current(base, exponent, modulus);
    },
    ready,
  };
}

/** The known answer: a modulus of 1,024 bits, a longer base, an exponent of several windows. */
function answersAlike(power: OddPower): boolean {
  const base = Uint8Array.from({ length: 150 }, (_, i) => 255 - i);
  const exponent = Uint8Array.of(0xfe, 0xdc, 0xba, 0x98, 0x01);
  const modulus = Uint8Array.from({ length: 128 }, (_, i) => (i < 64 ? 0xff : 2 * i + 1));
  return equal(power(base, exponent, modulus), oddPower(base, exponent, modulus));
}
