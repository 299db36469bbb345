import { expect } from 'chai';
import { ENGINE_NAMES } from '../../../src/engine/contract.ts';
import type { Engine } from '../../../src/engine/contract.ts';
import { Registry } from '../../../src/engine/registry.ts';
import { Engines } from '../../../src/service/system/engines.ts';
import { fakeEngine, jsAlgorithms } from '../../engine/fake-engine.ts';
import { MemorySession } from '../../support/memory-store.ts';

const ROWS = [{ algorithm: 'SHA-256', engine: 'native', fromBytes: 77 }];

describe('The engines of the background', () => {
  let session: MemorySession;
  let notes: MemorySession;
  let probes: number;

  beforeEach(() => {
    [session, notes, probes] = [new MemorySession(), new MemorySession(), 0];
  });

  /** Those of a fresh worker, of this version of the extension. */
  const wake = (version = '1.0.0') => {
    const counted = (engine: Engine): Engine => ({
      ...engine,
      probe: () => {
        probes += 1;
        return engine.probe();
      },
    });
    const { 'SHA-256': sha256 } = jsAlgorithms();
    const registry = new Registry([
      counted(fakeEngine('js', jsAlgorithms())),
      counted(fakeEngine('native', { 'SHA-256': sha256! })),
    ]);
    return { engines: new Engines({ registry, session, notes, version }), registry };
  };

  it('are named in the order of preference', async () => {
    const names = await wake().engines.names();
    expect(names).to.deep.equal(ENGINE_NAMES.filter((name) => name === 'native' || name === 'js'));
  });

  it('are not asked again by each worker that wakes', async () => {
    const first = await wake().engines.names();
    expect(probes).to.equal(2);
    expect(await wake().engines.names()).to.deep.equal(first);
    expect(probes).to.equal(2);
  });

  it('go by what the self-test measured, at once and after the worker died', async () => {
    const { engines, registry } = wake();
    await engines.ready();
    expect(registry.choose('SHA-256', 77, 'auto')).to.equal('js');
    await engines.keepThresholds(ROWS);
    expect(registry.choose('SHA-256', 77, 'auto')).to.equal('native');
    expect(registry.choose('SHA-256', 76, 'auto')).to.equal('js');
    const later = await wake().engines.ready();
    expect(later.choose('SHA-256', 77, 'auto')).to.equal('native');
  });

  it('go by the shipped thresholds again after an update', async () => {
    await wake('1.0.0').engines.keepThresholds(ROWS);
    const updated = await wake('1.0.1').engines.ready();
    expect(updated.choose('SHA-256', 77, 'auto')).to.equal('js');
  });
});
