import { expect } from 'chai';
import { VARIANTS } from '../../../../../src/engine/wasm/generator/dsl/lookup.ts';
import { writeBiases } from '../../../../../src/engine/wasm/generator/montgomery/biases.ts';
import { LAYOUTS } from '../../../../../src/engine/wasm/generator/montgomery/layout.ts';
import { loadModule } from '../../../../../src/engine/wasm/loader.ts';
import { enableRelaxedSimd, loadWasm } from '../../../../support/wasm.ts';

enableRelaxedSimd();

interface Kernels {
  readonly multiply: (a: number, b: number, target: number, pairs: number) => void;
  readonly square: (a: number, target: number, pairs: number) => void;
}

for (const variant of VARIANTS) {
  const layout = LAYOUTS[variant];
  const radix = 2n ** BigInt(layout.limbBits);
  /** Larger than the limbs after `settle`, of either sign. */
  const largest = 2 ** (layout.limbBits - 1) + 2 ** (variant === 'simd' ? 7 : 12);

  const valueOf = (limbs: Float64Array): bigint =>
    limbs.reduceRight((value, limb) => value * radix + BigInt(limb), 0n);

  describe(`the Montgomery kernels (${variant}) stay exact with the largest limbs`, () => {
    // Plain limbs call `relieve` after 40 rows (20 pairs) when squaring and 60 (30 pairs) when multiplying.
    for (const pairs of [2, 3, 5, 19, 20, 21, 29, 30, 31, 60, 61, 62, 161]) {
      it(`in ${pairs} pairs`, async () => {
        const { functions, bytes } = await loadModule<Kernels>(loadWasm, 'montgomery', variant);
        if (variant === 'relaxed') writeBiases(bytes, layout, pairs);
        const slot = (offset: number): Float64Array =>
          new Float64Array(bytes.buffer, offset, 2 * pairs);
        const [m, a, b, target] = [layout.modulus, layout.x, layout.factor, layout.shift].map(
          slot,
        ) as [Float64Array, Float64Array, Float64Array, Float64Array];
        // -1 at the bottom; at the top small enough for R ≥ 8 · M
        m.fill(largest)[0] = -1;
        m[2 * pairs - 1] = 2 ** (layout.limbBits - 5);
        const isProduct = (factor: bigint): boolean =>
          (valueOf(target) * radix ** BigInt(2 * pairs) - factor) % valueOf(m) === 0n;
        for (const signs of [[1], [-1], [1, -1], [-1, -1, 1]]) {
          a.forEach((_, i) => (a[i] = largest * signs[i % signs.length]!));
          b.fill(-largest);
          for (const x of [a, b]) x[2 * pairs - 1] = -(2 ** (layout.limbBits - 5));
          functions.multiply(layout.x, layout.factor, layout.shift, pairs);
          expect(isProduct(valueOf(a) * valueOf(b))).to.equal(true);
          functions.square(layout.x, layout.shift, pairs);
          expect(isProduct(valueOf(a) ** 2n)).to.equal(true);
          const rest = target.subarray(0, -1);
          expect(rest.every((limb) => Math.abs(limb) <= largest)).to.equal(true);
        }
      });
    }
  });
}
