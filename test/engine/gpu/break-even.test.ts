import { expect } from 'chai';
import type { Algorithms, Cipher, CtrParams } from '../../../src/engine/contract.ts';
import { breakEven } from '../../../src/engine/gpu/break-even.ts';
import { Registry } from '../../../src/engine/registry.ts';
import { fakeEngine, jsAlgorithms } from '../fake-engine.ts';

/** A clock that only the engines move: a call takes a fixed time, and time for each MiB. */
class Clock {
  ms = 0;

  ctr(fixedMs: number, msPerMiB: number, calls: number[] = []): Algorithms {
    const honest = jsAlgorithms()['AES-CTR']!;
    const cipher: Cipher<CtrParams> = {
      constantTime: 'by-construction',
      withKey: async (key) => {
        const keyed = await honest.withKey(key);
        return {
          ...keyed,
          encrypt: (params, data) => {
            this.ms += fixedMs + (msPerMiB * data.length) / 0x10_0000;
            if (data.length < 4096) return keyed.encrypt(params, data);
            calls.push(data.length);
            return data;
          },
        };
      },
    };
    return { 'AES-CTR': cipher };
  }
}

async function thresholdOf(card: [number, number], other: [number, number]) {
  const clock = new Clock();
  const calls: number[] = [];
  const engines = [
    fakeEngine('webgpu', clock.ctr(...card, calls)),
    fakeEngine('wasm-simd', clock.ctr(...other)),
  ];
  const registry = new Registry(engines, { optIn: ['webgpu'] });
  await registry.ready();
  const thresholds = await breakEven(registry, 'webgpu', () => clock.ms);
  registry.useThresholds(thresholds);
  return { registry, calls, fromBytes: thresholds['AES-CTR']?.webgpu };
}

describe('the length from which on a card is faster', () => {
  it('is measured, and auto takes the card from there on', async () => {
    // 3 ms + 0.5 ms a MiB against 4 ms a MiB: equal at 0.86 MiB.
    const { registry, fromBytes } = await thresholdOf([3, 0.5], [0, 4]);
    expect(fromBytes).to.equal(0x10_0000);
    expect(registry.choose('AES-CTR', 0x10_0000, 'auto')).to.equal('webgpu');
    expect(registry.choose('AES-CTR', 0xf_ffff, 'auto')).to.equal('wasm-simd');
  });

  it('is beyond every message where the card is slower, and long messages are not tried', async () => {
    const { registry, calls } = await thresholdOf([3, 100], [0, 4]);
    expect(registry.choose('AES-CTR', 2 ** 32, 'auto')).to.equal('wasm-simd');
    expect(Math.max(...calls)).to.equal(0x10_0000);
  });
});
