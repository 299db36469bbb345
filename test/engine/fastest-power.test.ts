import { expect } from 'chai';
import sinon from 'sinon';
import { oddPower } from '../../src/crypto/bigint/odd-power.ts';
import { fastestPower, laterPower } from '../../src/engine/fastest-power.ts';
import { VARIANTS } from '../../src/engine/wasm/generator/dsl/lookup.ts';
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

describe('modular exponentiation that is available at once', () => {
  const inputs = [Uint8Array.of(2), Uint8Array.of(10), Uint8Array.of(3, 233)] as const;
  const missing = () => Promise.reject(new Error('no such file'));

  it('begins to load at its first use, once, and gives the same results before and after', async () => {
    const load = sinon.fake(loadWasm);
    const { power, ready } = laterPower(load, sinon.fake());
    expect(load.callCount).to.equal(0);
    expect(power(...inputs)).to.deep.equal(Uint8Array.of(0, 23));
    expect(load.callCount).to.equal(1);
    expect(await ready()).to.equal('wasm-simd');
    expect(power(...inputs)).to.deep.equal(Uint8Array.of(0, 23));
    expect(load.callCount).to.equal(1);
  });

  it('is WebAssembly from the first use on where that can be read without waiting', async () => {
    const load = sinon.fake(loadWasm);
    const names = VARIANTS.map((variant) => `montgomery.${variant}`);
    const modules = new Map(
      await Promise.all(names.map(async (n) => [n, await loadWasm(n)] as const)),
    );
    const read = sinon.fake((name: string) => modules.get(name)!);
    const { power, ready } = laterPower(load, sinon.fake(), () => read);
    expect(power(...inputs)).to.deep.equal(Uint8Array.of(0, 23));
    expect(read.called).to.equal(true);
    expect(load.called).to.equal(false);
    expect(await ready()).to.equal('wasm-simd');
  });

  it('loads it where reading fails', async () => {
    const load = sinon.fake(loadWasm);
    const { power, ready } = laterPower(load, sinon.fake(), () => () => {
      throw new Error('no such file');
    });
    expect(power(...inputs)).to.deep.equal(Uint8Array.of(0, 23));
    expect(load.callCount).to.equal(1);
    expect(await ready()).to.equal('wasm-simd');
  });

  it('says why it stays portable, and tries the other place that a caller names', async () => {
    const onJs = sinon.fake();
    const { power, ready } = laterPower(missing, onJs);
    expect(await ready()).to.equal('js');
    expect(onJs.args).to.deep.equal([['no such file']]);
    expect(power(...inputs)).to.deep.equal(Uint8Array.of(0, 23));
    expect(await ready(loadWasm)).to.equal('wasm-simd');
  });
});
