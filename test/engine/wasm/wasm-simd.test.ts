import { expect } from 'chai';
import sinon from 'sinon';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { makeWasm } from '../../../scripts/make-wasm.ts';
import { defaultRegistry } from '../../../src/engine/default-engines.ts';
import type { AeadParams } from '../../../src/engine/contract.ts';
import { bestVariant } from '../../../src/engine/wasm/loader.ts';
import { wasmSimdEngine } from '../../../src/engine/wasm/wasm-simd.ts';
import { inDepth } from '../../support/depth.ts';
import { enableRelaxedSimd, loadWasm } from '../../support/wasm.ts';

const PARAMS: AeadParams = {
  nonce: new Uint8Array(12),
  associatedData: new Uint8Array(0),
  tagBytes: 16,
};

describe('the engine wasm-simd', () => {
  before(() => enableRelaxedSimd());

  it('is after native and before js in the default registry', async () => {
    const registry = defaultRegistry({ loadWasm });
    await registry.ready();
    expect(registry.choose('AES-OCB', 1024, 'auto')).to.equal('wasm-simd');
    expect(registry.choose('AES-GCM', 65_536, 'auto')).to.equal('native');
    expect(registry.choose('AES-GCM', 1024, 'wasm-simd')).to.equal('wasm-simd');
    registry.close();
  });

  it('gives its known answers and claims to be constant-time', async () => {
    const registry = defaultRegistry({ loadWasm });
    const report = (await registry.report()).find(({ name }) => name === 'wasm-simd')!;
    expect(report.selfTest).to.equal('passed');
    expect(report.algorithms).to.include.members(['AES-GCM', 'AES-CCM', 'AES-OCB', 'AES-CMAC']);
    const { 'AES-OCB': ocb } = registry.algorithmsOf('wasm-simd');
    expect(ocb?.constantTime).to.equal('by-construction');
    registry.close();
  });

  it('leaves the work to js if its modules do not load', async () => {
    const registry = defaultRegistry({ loadWasm: () => Promise.reject(new Error('no such file')) });
    await registry.ready();
    expect(registry.choose('AES-OCB', 1024, 'auto')).to.equal('js');
    const report = (await registry.report()).find(({ name }) => name === 'wasm-simd')!;
    expect(report).to.deep.include({ available: false, selfTest: 'skipped' });
    expect(report.reason).to.contain('no such file');
  });

  it('has one reason for all modules, and no Argon2id, where a policy forbids to compile', async () => {
    const blocked = () => Promise.reject(new WebAssembly.CompileError('blocked by CSP'));
    const { compile, instantiate } = WebAssembly;
    try {
      Object.assign(WebAssembly, { compile: blocked, instantiate: blocked });
      const registry = defaultRegistry({ loadWasm });
      const report = (await registry.report()).find(({ name }) => name === 'wasm-simd')!;
      expect(report).to.include({ available: false, reason: 'blocked by CSP' });
      const forced = registry.run({ algorithm: 'AES-OCB', engine: 'wasm-simd', bytes: 1 }, () => 0);
      const error = await forced.catch((reason: unknown) => reason as Error);
      expect(error).to.have.property('message').that.includes('wasm-simd: blocked by CSP');
    } finally {
      Object.assign(WebAssembly, { compile, instantiate });
    }
  });

  it('says which modules it lacks where only some load, and tells when js is used for that', async () => {
    const onJs = sinon.spy();
    const registry = defaultRegistry({
      loadWasm: (name) =>
        name === 'keccak' ? Promise.reject(new Error('keccak.wasm: 404')) : loadWasm(name),
      onJs,
    });
    const report = (await registry.report()).find(({ name }) => name === 'wasm-simd')!;
    expect(report).to.include({ available: true, selfTest: 'passed' });
    expect(report.reason).to.equal('lacks modules: keccak.wasm: 404');
    const engineOf = (algorithm: 'SHA3-256' | 'AES-OCB' | 'RSA-OAEP') =>
      registry.run({ algorithm, engine: 'auto', bytes: 1 }, (_, engine) => engine);
    await engineOf('AES-OCB');
    await engineOf('RSA-OAEP');
    expect(registry.choose('AES-OCB', 1, 'auto')).to.equal('wasm-simd');
    expect(onJs.callCount).to.equal(0);
    const told = ['SHA3-256', 'has no SHA3-256; it lacks modules: keccak.wasm: 404'];
    expect(await engineOf('SHA3-256')).to.equal('js');
    expect(onJs.args).to.deep.equal([told]);
    // A question for the engine tells, too, where nothing is computed after it.
    expect(registry.choose('SHA3-256', 1, 'auto')).to.equal('js');
    expect(onJs.args).to.deep.equal([told, told]);
    registry.close();
  });

  it('keeps keys separate', async () => {
    const probe = await wasmSimdEngine(loadWasm).probe();
    if (!probe.available) throw new Error(probe.reason);
    const gcm = probe.algorithms['AES-GCM']!;
    const a = await gcm.withKey(new Uint8Array(16).fill(1));
    const b = await gcm.withKey(new Uint8Array(16).fill(2));
    const sealed = await a.encrypt(PARAMS, new Uint8Array(100));
    const other = await b.encrypt(PARAMS, new Uint8Array(100));
    expect(sealed).to.not.deep.equal(other);
    b.wipe();
    expect(await a.decrypt(PARAMS, sealed)).to.deep.equal(new Uint8Array(100));
    expect(() => b.encrypt(PARAMS, new Uint8Array(1))).to.throw('wiped');
  });

  inDepth(it, undefined)?.(
    'loads the modules of the build, which are reproducible',
    async function () {
      this.timeout(60_000);
      const folder = mkdtempSync(`${tmpdir()}/sealwright-wasm-`);
      try {
        await makeWasm(folder);
        const load = (name: string) => readFile(`${folder}/${name}.wasm`);
        const probe = await wasmSimdEngine(load).probe();
        expect(probe.available).to.be.true;
        const name = `aes.${bestVariant()!}`;
        expect(new Uint8Array(await load(name))).to.deep.equal(await loadWasm(name));
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});
