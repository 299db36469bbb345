import { expect } from 'chai';
import { ENGINE_NAMES } from '../../../src/engine/contract.ts';
import type { Engine } from '../../../src/engine/contract.ts';
import { Registry } from '../../../src/engine/registry.ts';
import { Engines, wantsCard } from '../../../src/service/engines/engines.ts';
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
    const FASTER = [{ algorithm: 'SHA-256', engine: 'webgpu', fromBytes: 1 << 20 }];
    let closed: number;

    /** A background with a card that is asked only where it is wanted. */
    const wakeWithCard = () => {
      closed = 0;
      const { 'SHA-256': sha256 } = jsAlgorithms();
      const card = fakeEngine('webgpu', { 'SHA-256': sha256! });
      const registry = new Registry(
        [
          fakeEngine('js', jsAlgorithms()),
          {
            ...card,
            probe: async () => {
              if (!(await wantsCard({ notes, version: '1.0.0' }))) {
                return { available: false, reason: 'off' };
              }
              probes += 1;
              return card.probe();
            },
            close: () => (closed += 1),
          },
        ],
        { optIn: ['webgpu'] },
      );
      return { engines: new Engines({ registry, session, notes, version: '1.0.0' }), registry };
    };

    it('are off at first, whatever was measured', async () => {
      const { engines, registry } = wakeWithCard();
      expect(await engines.card()).to.deep.equal({ on: false, fasterFrom: null });
      await engines.keepThresholds(FASTER);
      await engines.ready();
      expect(registry.choose('SHA-256', 1 << 30, 'auto')).to.equal('js');
      expect(probes).to.equal(0);
    });

    it('do long messages once they are on and were measured, and never short ones', async () => {
      const { engines, registry } = wakeWithCard();
      await engines.switchCard(true);
      expect(probes, 'before it was measured').to.equal(0);
      await engines.keepThresholds(FASTER);
      expect(await engines.card()).to.deep.equal({ on: true, fasterFrom: FASTER });
      expect(registry.choose('SHA-256', 1 << 20, 'auto')).to.equal('webgpu');
      expect(registry.choose('SHA-256', (1 << 20) - 1, 'auto')).to.equal('js');
      const later = wakeWithCard();
      await later.engines.ready();
      expect(later.registry.choose('SHA-256', 1 << 20, 'auto')).to.equal('webgpu');
    });

    it('are not asked where the card is never faster', async () => {
      const { engines } = wakeWithCard();
      await engines.switchCard(true);
      await engines.keepThresholds([{ ...FASTER[0]!, fromBytes: Number.MAX_SAFE_INTEGER }]);
      await engines.ready();
      expect(probes).to.equal(0);
      expect(await engines.card()).to.deep.equal({ on: true, fasterFrom: [] });
    });

    it('end at once when they are switched off', async () => {
      const { engines, registry } = wakeWithCard();
      await engines.switchCard(true);
      await engines.keepThresholds(FASTER);
      const before = closed;
      await engines.switchCard(false);
      expect(closed).to.equal(before + 1);
      expect(registry.choose('SHA-256', 1 << 30, 'auto')).to.equal('js');
    });

    it('are not among the names that pages see', async () => {
      const { engines } = wakeWithCard();
      await engines.switchCard(true);
      await engines.keepThresholds(FASTER);
      expect(await engines.names()).to.deep.equal(['js']);
    });
  });

  it('go by the shipped thresholds again after an update', async () => {
    await wake('1.0.0').engines.keepThresholds(ROWS);
    const updated = await wake('1.0.1').engines.ready();
    expect(updated.choose('SHA-256', 77, 'auto')).to.equal('js');
  });
});
