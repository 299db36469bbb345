import { expect } from 'chai';
import { ENGINE_NAMES } from '../../../src/engine/contract.ts';
import type { Engine } from '../../../src/engine/contract.ts';
import { Registry } from '../../../src/engine/registry.ts';
import { Engines } from '../../../src/service/engines/engines.ts';
import { fakeEngine, jsAlgorithms } from '../../engine/fake-engine.ts';
import { MemorySession } from '../../support/stores/memory-store.ts';

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

  describe('on a graphics card', () => {
    const FASTER = [{ algorithm: 'AES-CTR', engine: 'webgpu', fromBytes: 1 << 20 }];

    it('are for long messages, where the user has switched the card on and it was measured to be faster', async () => {
      const { engines } = wake();
      expect(await engines.cardFor(1 << 24)).to.equal(undefined);
      await engines.keepThresholds(FASTER);
      expect(await engines.cardFor(1 << 24)).to.equal(undefined);
      await engines.switchCard(true);
      expect(await engines.cardFor(1 << 20)).to.deep.equal(FASTER);
      expect(await engines.cardFor((1 << 20) - 1)).to.equal(undefined);
      expect(await wake().engines.cardFor(1 << 20)).to.deep.equal(FASTER);
      expect(await wake('1.0.1').engines.cardFor(1 << 20), 'after an update').to.equal(undefined);
      await engines.switchCard(false);
      expect(await engines.cardFor(1 << 20)).to.equal(undefined);
    });

    it('are not used where the card is never faster', async () => {
      const { engines } = wake();
      await engines.switchCard(true);
      await engines.keepThresholds([{ ...FASTER[0]!, fromBytes: Number.MAX_SAFE_INTEGER }]);
      expect(await engines.cardFor(1 << 30)).to.equal(undefined);
      expect(await engines.card()).to.deep.equal({ on: true, fasterFrom: [] });
    });
  });

  it('go by the shipped thresholds again after an update', async () => {
    await wake('1.0.0').engines.keepThresholds(ROWS);
    const updated = await wake('1.0.1').engines.ready();
    expect(updated.choose('SHA-256', 77, 'auto')).to.equal('js');
  });
});
