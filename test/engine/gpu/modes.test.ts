import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { isEngineError } from '../../../src/engine/contract.ts';
import type { Algorithms, CipherMessage, CtrParams, Engine } from '../../../src/engine/contract.ts';
import { CardUntilFault } from '../../../src/engine/gpu/card.ts';
import { gpuAlgorithms } from '../../../src/engine/gpu/modes.ts';
import { defaultRegistry } from '../../../src/engine/default-engines.ts';
import { Registry } from '../../../src/engine/registry.ts';
import { cardEngine } from '../../../src/engine/webgpu/webgpu.ts';
import { describeAead } from '../../conformance/aead.ts';
import { describeCiphers } from '../../conformance/cipher.ts';
import { engineSubject } from '../../conformance/subject.ts';
import { unaligned } from '../../support/edge-lengths.ts';
import { fakeEngine, jsAlgorithms } from '../fake-engine.ts';
import { FakeCard } from './fake-card.ts';

const js = jsAlgorithms();

function onFakeCard(card: FakeCard): { engine: Engine; algorithms: Algorithms } {
  const guarded = new CardUntilFault(card);
  const algorithms = gpuAlgorithms(guarded, () => js['AES-GCM']!);
  return {
    algorithms,
    engine: { ...fakeEngine('webgpu', algorithms), fault: () => guarded.fault },
  };
}

const bytes = (length: number) => Uint8Array.from(randomBytes(length));
const KEY = bytes(32);
const CTR: CtrParams = { counter: new Uint8Array(16).fill(0xff), counterBits: 128 };

/** A registry that prefers the card at any length. */
function registryWith(card: FakeCard): Registry {
  const thresholds = Object.fromEntries(
    ['AES-ECB', 'AES-CTR', 'AES-GCM', 'AES-OCB'].map((name) => [name, { webgpu: 0 }]),
  );
  const engines = [onFakeCard(card).engine, fakeEngine('js', js)];
  return new Registry(engines, { optIn: ['webgpu'], thresholds });
}

async function counted(registry: Registry, data: Uint8Array, into?: Uint8Array) {
  const request = { algorithm: 'AES-CTR', engine: 'auto', bytes: data.length } as const;
  return registry.run(request, async (cipher, engine) => {
    const keyed = await cipher.withKey(KEY);
    return { engine, result: await keyed.encrypt(CTR, data, into) };
  });
}

const right = async (data: Uint8Array) => (await js['AES-CTR']!.withKey(KEY)).encrypt(CTR, data);

// Slices of two blocks: every message of the vectors that has more is cut.
const subject = await engineSubject(onFakeCard(new FakeCard(2)).engine);
describe('the modes of the engines on a graphics card, over a card that is this processor', () => {
  describeCiphers(subject);
  describeAead(subject);

  describe('many messages', () => {
    const lengths = [32, 5, 32, 0, 33, 5, 32, 16, 1];
    const messages: CipherMessage<CtrParams>[] = lengths.map((length, i) => ({
      params: { counter: bytes(16), counterBits: 1 + 14 * (i + 1) },
      data: unaligned(bytes(length), i),
    }));

    it('of equal length are one batch, and each has its own counter', async () => {
      const card = new FakeCard(3);
      const keyed = await onFakeCard(card).algorithms['AES-CTR']!.withKey(KEY);
      const results = await keyed.encryptMany!(messages);
      expect(card.runs).to.equal(new Set(lengths).size - 1);
      const one = await js['AES-CTR']!.withKey(KEY);
      for (const [i, { params, data }] of messages.entries()) {
        expect(results[i], `${i}`).to.deep.equal(await one.encrypt(params, data));
      }
    });

    it('of GCM are opened in one batch but for the forged one', async () => {
      const card = new FakeCard();
      const { algorithms } = onFakeCard(card);
      const keyed = await algorithms['AES-GCM']!.withKey(KEY);
      const params = { nonce: bytes(12), associatedData: bytes(7), tagBytes: 12 };
      const sealed = await keyed.encryptMany!([1, 2, 3].map(() => ({ params, data: KEY })));
      sealed[1]![3]! ^= 1;
      const opened = await keyed.decryptMany!(sealed.map((data) => ({ params, data })));
      expect(opened).to.deep.equal([KEY, undefined, KEY]);
      expect(card.runs).to.equal(2);
    });

    for (const name of ['AES-GCM', 'AES-OCB'] as const) {
      it(`of ${name} leave nothing of a forged one in into, and open the others in place`, async () => {
        const keyed = await onFakeCard(new FakeCard(3)).algorithms[name]!.withKey(KEY);
        const params = { nonce: bytes(12), associatedData: bytes(50), tagBytes: 16 };
        const plaintexts = [0, 5, 16, 100].map(bytes);
        const sealed = await keyed.encryptMany!(plaintexts.map((data) => ({ params, data })));
        sealed[3]![99]! ^= 0x80;
        const into = bytes(100);
        const before = into.slice();
        const opened = await keyed.decryptMany!(
          sealed.map((data, i) => ({ params, data, into: i === 3 ? into : data })),
        );
        expect(opened).to.deep.equal([...plaintexts.slice(0, 3), undefined]);
        expect(into).to.deep.equal(before);
        keyed.wipe();
      });
    }
  });

  describe('a card that fails', () => {
    it('by one bit ends its engine, says why, and the next engine finishes the call', async () => {
      const card = new FakeCard();
      const registry = registryWith(card);
      const data = bytes(1000);
      expect((await counted(registry, data)).engine).to.equal('webgpu');
      card.spoil = (results) => results.forEach((_, i) => (results[i]! ^= 0x40));
      expect(await counted(registry, data)).to.deep.equal({
        engine: 'js',
        result: await right(data),
      });
      const [report] = await registry.report();
      expect(report).to.deep.include({ name: 'webgpu', available: false, selfTest: 'skipped' });
      expect(report!.reason).to.equal('WrongBlockError: the card computed a wrong block');
      expect(card.closed).to.equal(1);
      expect(registry.available()).to.deep.equal(['js']);
    });

    it('in the middle of a call in place leaves the data whole for the next engine', async () => {
      const card = new FakeCard(4);
      const registry = registryWith(card);
      await counted(registry, bytes(64));
      let slices = 0;
      card.spoil = () => {
        slices += 1;
        if (slices === 3) card.loss = 'the graphics card was lost (unknown)';
      };
      const data = bytes(640);
      const expected = await right(data);
      const { engine, result } = await counted(registry, data, data);
      expect(slices).to.equal(3);
      expect(engine).to.equal('js');
      expect(result).to.deep.equal(expected);
      expect(result.buffer === data.buffer).to.equal(true);
      expect(registry.absent()).to.deep.include({
        engine: 'webgpu',
        reason: 'the graphics card was lost (unknown)',
      });
    });

    it('fails the calls that wait behind, and names the reason to a caller without another', async () => {
      const card = new FakeCard();
      const { algorithms, engine } = onFakeCard(card);
      const keyed = await algorithms['AES-ECB']!.withKey(KEY);
      card.loss = 'gone';
      const failures = [1, 2, 3].map(async () => {
        try {
          return await keyed.encrypt({}, KEY);
        } catch (error) {
          return error;
        }
      });
      expect((await Promise.all(failures)).every(isEngineError)).to.equal(true);
      expect(card.runs).to.equal(1);
      const registry = new Registry([engine]);
      const alone = { algorithm: 'AES-ECB', engine: 'webgpu', bytes: 16 } as const;
      const refused = await registry.run(alone, () => 0).catch((error: unknown) => error);
      expect(refused).to.have.property('message').that.contains('webgpu: gone');
    });
  });

  it('give a reason where there is no WebGPU, no card, or none for this page', async () => {
    const reasonWith = async (requestAdapter: () => Promise<null>) => {
      const engine = cardEngine({ gpu: { requestAdapter } as unknown as GPU, beside: () => '' });
      const [report] = await new Registry([engine]).report();
      return report!.reason;
    };
    expect(await reasonWith(() => Promise.resolve(null))).to.equal(
      'the browser offers no graphics card to WebGPU',
    );
    expect(await reasonWith(() => Promise.reject(new Error('blocklisted')))).to.equal(
      'its probe failed: Error: blocklisted',
    );
    const loads: string[] = [];
    const load = () => {
      loads.push('card');
      return Promise.resolve({ cardEngine });
    };
    const registry = defaultRegistry({ cards: { webgpu: load, webgl: load } });
    await registry.ready();
    expect(registry.absent().slice(-2)).to.deep.equal([
      { engine: 'webgl', reason: 'no WebGL here (OffscreenCanvas is missing)' },
      { engine: 'webgpu', reason: 'no WebGPU here (navigator.gpu is missing)' },
    ]);
    expect(loads).to.deep.equal([]);
  });

  it('are not chosen by auto below their threshold, nor without the opt-in', async () => {
    const { engine } = onFakeCard(new FakeCard());
    const engines = [engine, fakeEngine('js', js)];
    const thresholds = { 'AES-CTR': { webgpu: 1 << 20 } };
    const opted = new Registry(engines, { optIn: ['webgpu'], thresholds });
    const usual = new Registry(engines, { thresholds: { 'AES-CTR': { webgpu: 0 } } });
    await Promise.all([opted.ready(), usual.ready()]);
    expect(opted.choose('AES-CTR', 1 << 20, 'auto')).to.equal('webgpu');
    expect(opted.choose('AES-CTR', (1 << 20) - 1, 'auto')).to.not.equal('webgpu');
    expect(opted.choose('AES-ECB', 1 << 30, 'auto')).to.not.equal('webgpu');
    expect(usual.choose('AES-CTR', 1 << 30, 'auto')).to.equal('js');
  });
});
