import { expect } from 'chai';
import type { Algorithms } from '../../src/engine/contract.ts';
import { Registry } from '../../src/engine/registry.ts';
import { selfTest } from '../../src/engine/self-test/self-test.ts';
import { createSubtle } from '../../src/subtle/create-subtle.ts';
import { fakeEngine, jsAlgorithms } from './fake-engine.ts';

const { 'SHA-256': sha256, 'AES-OCB': ocb, 'AES-CBC': cbc } = jsAlgorithms();

/** An engine that no file of src/ lists. Its registration must be sufficient. */
function registered(): Registry {
  return new Registry([fakeEngine('wasm-simd', { 'SHA-256': sha256!, 'AES-OCB': ocb! })]);
}

describe('An engine that was only registered', () => {
  it('is in the report, after its known answers', async () => {
    const [report] = await registered().report();
    expect(report).to.include({ name: 'wasm-simd', available: true, selfTest: 'passed' });
    expect(report!.algorithms).to.have.members(['SHA-256', 'AES-OCB']);
  });

  it('is in the self-test', async () => {
    const options = { registry: registered(), algorithms: ['AES-OCB'], sizes: [16] } as const;
    const events: string[] = [];
    for await (const event of selfTest({ ...options, rounds: 1, minimumMs: 0 })) {
      if (event.type === 'answer' || event.type === 'speed') {
        events.push(`${event.type} ${event.engine} ${event.algorithm}`);
      }
    }
    expect(events).to.include.members(['answer wasm-simd SHA-256', 'speed wasm-simd AES-OCB']);
  });

  it('runs operations of subtle, chosen automatically and by name', async () => {
    for (const engine of ['auto', 'wasm-simd'] as const) {
      const subtle = await createSubtle({ engine, registry: registered() });
      expect(subtle.engineFor('AES-OCB', 16)).to.equal('wasm-simd');
      const digest = await subtle.digest('SHA-256', new Uint8Array(0));
      expect(Buffer.from(digest).toString('hex')).to.match(/^e3b0c442/);
    }
  });
});

describe('A request for this thread', () => {
  const safe: Algorithms = { 'AES-CBC': { ...cbc!, constantTime: 'platform' } };
  const request = { algorithm: 'AES-CBC', engine: 'auto', thread: 'this', bytes: 1 << 20 } as const;
  const runsOn = (registry: Registry) => registry.run(request, (_found, engine) => engine);

  it('selects WebAssembly at any length, else the platform', async () => {
    const engines = [fakeEngine('js', safe), fakeEngine('native', safe)];
    expect(await runsOn(new Registry(engines))).to.equal('native');
    expect(await runsOn(new Registry([...engines, fakeEngine('wasm-simd', safe)]))).to.equal(
      'wasm-simd',
    );
  });

  it('never selects an engine that leaks through its timing', async () => {
    const error: unknown = await runsOn(
      new Registry([fakeEngine('js', { 'AES-CBC': cbc! })]),
    ).catch((reason: unknown) => reason);
    expect(error).to.have.property('name', 'NoEngineError');
  });
});
