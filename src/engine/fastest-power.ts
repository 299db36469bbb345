import type { OddPower } from '../crypto/bigint/odd-power.ts';
import { oddPower } from '../crypto/bigint/odd-power.ts';
import { equal } from '../crypto/bytes.ts';
import { bestVariant } from './wasm/loader.ts';
import type { LoadWasm } from './wasm/loader.ts';
import { loadMontgomery } from './wasm/montgomery/montgomery.ts';

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

/** The known answer: a modulus of 1,024 bits, a longer base, an exponent of several windows. */
function answersAlike(power: OddPower): boolean {
  const base = Uint8Array.from({ length: 150 }, (_, i) => 255 - i);
  const exponent = Uint8Array.of(0xfe, 0xdc, 0xba, 0x98, 0x01);
  const modulus = Uint8Array.from({ length: 128 }, (_, i) => (i < 64 ? 0xff : 2 * i + 1));
  return equal(power(base, exponent, modulus), oddPower(base, exponent, modulus));
}
