/** A sample of `npm run stress:engines`, and faults that it must detect. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { contender, sharedAlgorithms, compareEngines } from '../../bench/stress-engines/stress.ts';
import type { Contender, StressLimits } from '../../bench/stress-engines/stress.ts';
import { Dice } from '../../bench/stress-engines/dice.ts';
import { unaligned } from '../../bench/stress-engines/arrays.ts';
import type { AeadParams, Cipher, KeyedCipher } from '../../src/engine/contract.ts';
import { jsEngine } from '../../src/engine/js/js.ts';
import { nativeEngine } from '../../src/engine/native/native.ts';
import { wasmSimdEngine } from '../../src/engine/wasm/wasm-simd.ts';
import { enableRelaxedSimd, loadWasm } from '../support/wasm.ts';

const LIMITS: StressLimits = { cases: 40, seconds: 2 };

enableRelaxedSimd();
const contenders = [
  await contender('js', jsEngine()),
  await contender('native', nativeEngine()),
  await contender('wasm-simd simd', wasmSimdEngine(loadWasm, { variant: 'simd' })),
  await contender('wasm-simd relaxed', wasmSimdEngine(loadWasm, { variant: 'relaxed' })),
];

describe('random cases on all engines', function () {
  this.timeout(60_000);
  const seed = randomBytes(8).toString('hex');

  for (const algorithm of sharedAlgorithms(contenders)) {
    it(`${algorithm}: the engines agree`, async () => {
      const { differences, engines } = await compareEngines(algorithm, contenders, seed, LIMITS);
      expect(differences, `npm run stress:engines -- --seed ${seed}`).to.deep.equal([]);
      expect(Object.values(engines).filter((taken) => taken > 0)).to.have.length.at.least(2);
    });
  }

  it('generates the same cases from the same seed', () => {
    const draw = (text: string) => {
      const dice = new Dice(text);
      return Array.from({ length: 100 }, () => [dice.next(), dice.length(5000), dice.bytes(3)]);
    };
    expect(draw('a')).to.deep.equal(draw('a'));
    expect(draw('a')).to.not.deep.equal(draw('b'));
  });

  it('generates every value of a range, and lengths at the edges', () => {
    const dice = new Dice('ranges');
    const values = new Set(Array.from({ length: 500 }, () => dice.integer(3, 7)));
    expect([...values].sort()).to.deep.equal([3, 4, 5, 6, 7]);
    const lengths = Array.from({ length: 5000 }, () => dice.length(150_000));
    expect(lengths).to.include.members([0, 1, 15, 16, 17, 63, 64, 65, 511, 512, 513, 65_537]);
    expect(Math.min(...lengths)).to.equal(0);
    expect(new Set(Array.from({ length: 500 }, () => dice.length(10))).size).to.equal(11);
  });

  it('uses unaligned views and detects writes beside them', () => {
    const watched = unaligned(new Dice('views'), Uint8Array.of(1, 2, 3), 2);
    expect([...watched.view]).to.deep.equal([1, 2, 3, 0xa5, 0xa5]);
    watched.view[4] = 1;
    expect(watched.spilled()).to.equal(false);
    new Uint8Array(watched.view.buffer)[watched.view.byteOffset + 5] = 1;
    expect(watched.spilled()).to.equal(true);
  });
});

describe('random cases on an engine with a fault', () => {
  const FAULT_LIMITS: StressLimits = { cases: 300, seconds: 20 };
  const [js] = contenders as [Contender];
  const sound = js.algorithms['AES-GCM']!;

  /** The js engine's GCM with one changed step. */
  function faulty(change: (keyed: KeyedCipher<AeadParams>) => Partial<KeyedCipher<AeadParams>>) {
    const cipher: Cipher<AeadParams> = {
      ...sound,
      withKey: async (key) => {
        const keyed = await sound.withKey(key);
        return { ...keyed, ...change(keyed) };
      },
    };
    return { name: 'faulty', algorithms: { 'AES-GCM': cipher } };
  }

  const FAULTS: Record<string, (keyed: KeyedCipher<AeadParams>) => Partial<typeof keyed>> = {
    'encrypts to wrong bytes': (keyed) => ({
      encrypt: async (params, data, into) => {
        const sealed = await keyed.encrypt(params, data, into);
        // Only for messages of 63 bytes and more that end within a block.
        if (data.length > 62 && data.length % 16 === 15) sealed[data.length]! ^= 1;
        return sealed;
      },
    }),
    'decrypts to wrong bytes': (keyed) => ({
      decrypt: async (params, data, into) => {
        const opened = await keyed.decrypt(params, data, into);
        return opened.length > 16 ? opened.fill(0, 16, 17) : opened;
      },
    }),
    'writes beyond its target': (keyed) => ({
      encrypt: async (params, data, into) => {
        const sealed = await keyed.encrypt(params, data, into);
        if (into) new Uint8Array(into.buffer, into.byteOffset + into.length)[0] = 0;
        return sealed;
      },
    }),
    'changes its input': (keyed) => ({
      encrypt: async (params, data, into) => {
        const sealed = await keyed.encrypt(params, Uint8Array.from(data), into);
        if (into === undefined && data.length > 0) data[0]! ^= 1;
        return sealed;
      },
    }),
    'returns another array than into': (keyed) => ({
      encrypt: (params, data) => keyed.encrypt(params, data),
    }),
    'accepts a changed message': (keyed) => ({
      decrypt: async (params, data, into) => {
        try {
          return await keyed.decrypt(params, data, into);
        } catch {
          return new Uint8Array(0);
        }
      },
    }),
    'leaves the plaintext of a refused message': (keyed) => ({
      decrypt: async (params, data, into) => {
        try {
          return await keyed.decrypt(params, data, into);
        } catch (error) {
          into?.fill(1);
          throw error;
        }
      },
    }),
  };

  for (const [finding, change] of Object.entries(FAULTS)) {
    it(`detects an engine that ${finding}`, async () => {
      const { differences } = await compareEngines(
        'AES-GCM',
        [js, faulty(change)],
        'faults',
        FAULT_LIMITS,
      );
      expect(differences).to.not.be.empty;
      for (const difference of differences) expect(difference).to.contain('faulty');
      expect(differences.some((difference) => difference.includes(finding))).to.equal(true);
    });
  }

  it('stops at ten differences, and names each case with its inputs', async () => {
    const lossy = faulty(() => ({ encrypt: (_params, data) => new Uint8Array(data.length + 16) }));
    const { differences, engines } = await compareEngines(
      'AES-GCM',
      [js, lossy],
      'faults',
      FAULT_LIMITS,
    );
    expect(differences).to.have.length(10);
    expect(differences[0]).to.match(/^case 0: faulty .*"key":"[0-9a-f]{32,64}".*"nonce"/);
    expect(engines.faulty).to.equal(0);
  });

  it('throws other errors with the case', async () => {
    const broken = faulty(() => ({
      encrypt: () => {
        throw new RangeError('out of memory');
      },
    }));
    const failure = await compareEngines('AES-GCM', [js, broken], 'x', FAULT_LIMITS).catch(
      (error: unknown) => error,
    );
    expect(failure).to.be.an('error').with.property('message', 'AES-GCM, case 0');
    expect((failure as Error).cause).to.be.instanceOf(RangeError);
  });
});
