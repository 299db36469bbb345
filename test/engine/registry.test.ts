import { expect } from 'chai';
import sinon from 'sinon';
import { absentEngine, defaultRegistry } from '../../src/engine/default-engines.ts';
import { EngineError } from '../../src/engine/contract.ts';
import type { Algorithms, Cipher, AeadParams } from '../../src/engine/contract.ts';
import { KNOWN_ANSWERS } from '../../src/engine/known-answers/table.ts';
import { NoEngineError, Registry } from '../../src/engine/registry.ts';
import { fakeEngine, jsAlgorithms } from './fake-engine.ts';
import { errorOf } from '../support/outcomes.ts';

const js = jsAlgorithms();
const GCM = 'AES-GCM' as const;
const request = { algorithm: GCM, engine: 'auto', bytes: 1024 } as const;

/** AES-GCM of js, with one bit of every ciphertext flipped. */
function faultyGcm(): Cipher<AeadParams> {
  const withKey = sinon.fake(async (key: Uint8Array) => {
    const honest = await js[GCM]!.withKey(key);
    return {
      ...honest,
      encrypt: async (params: AeadParams, data: Uint8Array) => {
        const sealed = (await honest.encrypt(params, data)).slice();
        sealed[0]! ^= 0x10;
        return sealed;
      },
    };
  });
  return { constantTime: 'platform', withKey };
}

async function runsOn(registry: Registry, over: Partial<typeof request> = {}): Promise<string> {
  return registry.run({ ...request, ...over }, (_implementation, engine) => engine);
}

describe('the engine registry', () => {
  it('prefers native, then WebAssembly, then js', async () => {
    const honest: Algorithms = { [GCM]: { ...js[GCM]!, constantTime: 'platform' } };
    const engines = (['js', 'wasm-simd', 'native'] as const).map((name) =>
      fakeEngine(name, honest),
    );
    expect(await runsOn(new Registry(engines))).to.equal('native');
    expect(await runsOn(new Registry(engines.slice(0, 2)))).to.equal('wasm-simd');
    expect(await runsOn(new Registry(engines.slice(0, 1)))).to.equal('js');
  });

  it('runs known answers before the first use, exactly once, also for concurrent calls', async () => {
    const withKey = sinon.fake((key: Uint8Array) => js[GCM]!.withKey(key));
    const registry = new Registry([fakeEngine('js', { [GCM]: { ...js[GCM]!, withKey } })]);
    await registry.ready();
    expect(withKey.callCount).to.equal(0);
    await Promise.all([runsOn(registry), runsOn(registry), runsOn(registry)]);
    const asked = withKey.callCount;
    expect(asked).to.be.greaterThanOrEqual(KNOWN_ANSWERS[GCM].length);
    await runsOn(registry);
    await registry.report();
    expect(withKey.callCount).to.equal(asked);
  });

  it('runs no known answers of unused algorithms', async () => {
    const digest = sinon.fake((data: Uint8Array) => js['SHA-256']!.digest(data));
    const algorithms = { ...js, 'SHA-256': { ...js['SHA-256']!, digest } };
    await runsOn(new Registry([fakeEngine('js', algorithms)]));
    expect(digest.callCount).to.equal(0);
  });

  it('refuses an engine that flips a bit, keeps the reason, and uses the next', async () => {
    const faulty = faultyGcm();
    const registry = new Registry([
      fakeEngine('native', { [GCM]: faulty }),
      fakeEngine('js', { [GCM]: js[GCM]! }),
    ]);
    expect(await runsOn(registry)).to.equal('js');
    const asked = (faulty.withKey as sinon.SinonSpy).callCount;
    expect(await runsOn(registry)).to.equal('js');
    expect((faulty.withKey as sinon.SinonSpy).callCount).to.equal(asked);
    const [report] = await registry.report();
    expect(report).to.include({ name: 'native', available: true, selfTest: 'failed' });
    expect(report!.reason).to.match(/^AES-GCM failed its known answer .*wrong ciphertext/);
    expect(report!.algorithms).to.deep.equal([]);
  });

  it('refuses an engine that accepts changed tags', async () => {
    const lenient: Cipher<AeadParams> = {
      constantTime: 'platform',
      withKey: async (key) => {
        const honest = await js[GCM]!.withKey(key);
        return {
          ...honest,
          decrypt: (params: AeadParams, data: Uint8Array) => {
            const { plaintext } = KNOWN_ANSWERS[GCM].find((answer) => answer.params === params)!;
            return data.length === plaintext.length + params.tagBytes ? plaintext : data;
          },
        };
      },
    };
    const registry = new Registry([fakeEngine('native', { [GCM]: lenient })]);
    const { message } = await errorOf(runsOn(registry));
    expect(message).to.contain('a changed tag was accepted');
  });

  it('never falls back from a named engine, and gives the reason', async () => {
    const registry = new Registry([
      fakeEngine('native', { [GCM]: faultyGcm() }),
      fakeEngine('js', { [GCM]: js[GCM]! }),
    ]);
    const wrong = await errorOf(registry.run({ ...request, engine: 'native' }, () => 0));
    expect(wrong).to.be.instanceOf(NoEngineError);
    expect(wrong.message).to.match(/^No engine for AES-GCM: native: failed its known answer/);
    const lacking = await errorOf(
      registry.run({ algorithm: 'AES-OCB', engine: 'js', bytes: 0 }, () => 0),
    );
    expect(lacking.message).to.equal('No engine for AES-OCB: js: has no AES-OCB');
  });

  it('joins the reasons of all engines when none is left', async () => {
    const broken = {
      ...fakeEngine('wasm-threads', {}),
      probe: sinon.fake.throws(new Error('no memory')),
    };
    const engines = [
      fakeEngine('native', { [GCM]: faultyGcm() }),
      absentEngine('wasm-simd'),
      broken,
      fakeEngine('js', {}),
    ];
    const registry = new Registry(engines, { optIn: ['wasm-threads'] });
    const { message } = await errorOf(runsOn(registry));
    expect(message).to.contain('native: failed its known answer');
    expect(message).to.contain('wasm-simd: not part of this build');
    expect(message).to.contain('wasm-threads: its probe failed: Error: no memory');
    expect(message).to.contain('js: has no AES-GCM');
  });

  it('continues with the next engine if one fails, and keeps using it', async () => {
    const registry = new Registry([
      fakeEngine('native', { [GCM]: { ...js[GCM]!, constantTime: 'platform' } }),
      fakeEngine('js', { [GCM]: js[GCM]! }),
    ]);
    const work = sinon.fake((_implementation: unknown, engine: string) => {
      if (engine === 'native') throw new EngineError('context lost');
      return engine;
    });
    expect(await registry.run(request, work)).to.equal('js');
    expect(await registry.run(request, work)).to.equal('js');
    expect(work.args.map(([, engine]) => engine)).to.deep.equal(['native', 'js', 'js']);
  });

  it('does not treat a refused message as a failure of the engine', async () => {
    const registry = new Registry([fakeEngine('js', { [GCM]: js[GCM]! })]);
    const refusal = new RangeError('too long');
    const work = () => {
      throw refusal;
    };
    expect(await errorOf(registry.run(request, work))).to.equal(refusal);
    expect(await runsOn(registry)).to.equal('js');
  });

  it('skips an engine that does not support the key, for this message only', async () => {
    const registry = new Registry([
      fakeEngine('native', { [GCM]: { ...js[GCM]!, constantTime: 'platform' } }),
      fakeEngine('js', { [GCM]: js[GCM]! }),
    ]);
    const gap = (implementation: Cipher<AeadParams>) =>
      implementation.constantTime === 'platform' ? 'no 192-bit keys' : undefined;
    const found = await registry.run({ ...request, gap }, (_implementation, engine) => engine);
    expect(found).to.equal('js');
    expect(await runsOn(registry)).to.equal('native');
  });

  it('leaves GPU engines out unless the caller opts in and this machine was measured', async () => {
    const engines = [
      fakeEngine('webgl', { [GCM]: js[GCM]! }),
      fakeEngine('js', { [GCM]: js[GCM]! }),
    ];
    const thresholds = { [GCM]: { webgl: 512 } };
    expect(await runsOn(new Registry(engines, { thresholds }))).to.equal('js');
    expect(await runsOn(new Registry(engines, { optIn: ['webgl'] }))).to.equal('js');
    const opted = new Registry(engines, { optIn: ['webgl'], thresholds });
    expect(await runsOn(opted)).to.equal('webgl');
    expect(await runsOn(opted, { bytes: 511 as 1024 })).to.equal('js');
  });

  it('hashes in pieces on the first engine that supports it, after its known answers', async () => {
    const registry = defaultRegistry();
    await registry.ready();
    const hash = registry.streamingHash('SHA-256', 'auto');
    expect(hash.update(Buffer.from('a')).update(Buffer.from('bc')).digest()[0]).to.equal(0xba);
    expect(() => registry.streamingHash('SHA-256', 'native')).to.throw(
      NoEngineError,
      'native: digests whole messages',
    );
    const create = () => js['SHA-1']!.create!();
    const faulty = fakeEngine('js', { 'SHA-256': { ...js['SHA-256']!, create } });
    const lying = new Registry([faulty]);
    await lying.ready();
    expect(() => lying.streamingHash('SHA-256', 'auto')).to.throw(NoEngineError, 'wrong digest');
  });

  it('closes every engine', () => {
    const engine = { ...fakeEngine('js', {}), close: sinon.fake() };
    new Registry([engine]).close();
    expect(engine.close.callCount).to.equal(1);
  });

  it('reports all six engines of the library, absent ones with their reason', async () => {
    const report = await defaultRegistry().report();
    expect(report.map(({ name }) => name)).to.have.members([
      ...['native', 'wasm-threads', 'wasm-simd', 'js', 'webgl', 'webgpu'],
    ]);
    for (const { available, selfTest, reason, algorithms } of report) {
      expect(selfTest).to.equal(available ? 'passed' : 'skipped');
      expect(reason === undefined).to.equal(available);
      expect(algorithms.length > 0).to.equal(available);
    }
  });
});
