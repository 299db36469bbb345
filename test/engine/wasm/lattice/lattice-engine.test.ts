import { expect } from 'chai';
import { KEMS, SIGNATURES } from '../../../../src/crypto/post-quantum.ts';
import type { AlgorithmName } from '../../../../src/engine/contract.ts';
import { defaultRegistry } from '../../../../src/engine/default-engines.ts';
import { ML_DSA_NAMES } from '../../../../src/engine/wasm/lattice/ml-dsa.ts';
import { ML_KEM_NAMES } from '../../../../src/engine/wasm/lattice/ml-kem.ts';
import { enableRelaxedSimd, loadWasm } from '../../../support/wasm.ts';

const NAMES = [...ML_KEM_NAMES, 'MLKEM768-X25519', ...ML_DSA_NAMES] as const;

describe('ML-KEM, X-Wing and ML-DSA of the engine wasm-simd', () => {
  before(() => enableRelaxedSimd());

  it('give their known answers', async () => {
    const registry = defaultRegistry({ loadWasm });
    await registry.ready();
    for (const name of NAMES) {
      expect(await registry.test('wasm-simd', name), name).to.equal(undefined);
    }
    registry.close();
  });

  it('are all that it has of key encapsulation and post-quantum signatures', async () => {
    const registry = defaultRegistry({ loadWasm });
    await registry.ready();
    const all = Object.keys(registry.algorithmsOf('wasm-simd'));
    const found = all.filter((name) => name in KEMS || name in SIGNATURES);
    expect(found).to.have.members(NAMES);
    registry.close();
  });

  it('load each module once, at the first use', async () => {
    const loaded: string[] = [];
    const registry = defaultRegistry({
      loadWasm: (name) => {
        loaded.push(name);
        return loadWasm(name);
      },
    });
    await registry.ready();
    expect(loaded).to.include('sha').and.to.not.include.members(['ml-kem', 'ml-dsa']);
    loaded.splice(0);
    const used = (algorithm: AlgorithmName) =>
      registry.run({ algorithm, engine: 'wasm-simd', bytes: 0 }, (_, engine) => engine);
    expect(await used('ML-KEM-768')).to.equal('wasm-simd');
    expect(loaded).to.deep.equal(['ml-kem']);
    await Promise.all([used('ML-KEM-512'), used('ML-DSA-65'), used('ML-DSA-87')]);
    expect(loaded).to.deep.equal(['ml-kem', 'ml-dsa']);
    registry.close();
  });

  it('leave the work to js where a module does not load, and say why', async () => {
    const reasons: string[] = [];
    const registry = defaultRegistry({
      loadWasm: (name) =>
        name.startsWith('ml-') ? Promise.reject(new Error(`${name}.wasm: 404`)) : loadWasm(name),
      onJs: (algorithm, reason) => reasons.push(`${algorithm}: ${reason}`),
      order: ['wasm-simd', 'js'],
    });
    await registry.ready();
    const used = (algorithm: AlgorithmName) =>
      registry.run({ algorithm, engine: 'auto', bytes: 0 }, (_, engine) => engine);
    expect(await used('ML-KEM-768')).to.equal('js');
    expect(await used('ML-DSA-44')).to.equal('js');
    expect(await used('AES-OCB')).to.equal('wasm-simd');
    expect(reasons).to.have.length(2);
    expect(reasons[0]).to.include('ML-KEM-768: ').and.include('ml-kem.wasm: 404');
    expect(reasons[1]).to.include('ML-DSA-44: ').and.include('ml-dsa.wasm: 404');
    registry.close();
  });
});
