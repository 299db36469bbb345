import { expect } from 'chai';
import { oddPower } from '../../src/crypto/bigint/odd-power.ts';
import { fastestPower } from '../../src/engine/fastest-power.ts';
import { loadWasm } from '../support/wasm.ts';

describe('the fastest modular exponentiation', () => {
  it('is WebAssembly if SIMD is supported', async () => {
    const power = await fastestPower(loadWasm);
    expect(power).not.to.equal(oddPower);
    expect(power(Uint8Array.of(2), Uint8Array.of(10), Uint8Array.of(3, 233))).to.deep.equal(
      Uint8Array.of(0, 23), // 1024 - 1001
    );
  });

  it('is the portable arithmetic without WebAssembly', async () => {
    const { WebAssembly } = globalThis;
    try {
      (globalThis as { WebAssembly?: unknown }).WebAssembly = undefined;
      expect(await fastestPower(loadWasm)).to.equal(oddPower);
    } finally {
      globalThis.WebAssembly = WebAssembly;
    }
  });

  it('fails if the module cannot be loaded', async () => {
    const error = await fastestPower(() => Promise.reject(new Error('no such file'))).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(Error);
  });
});
