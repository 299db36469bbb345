/* What the suites of both engines on a graphics card share; they run inside a page. */
import { expect } from 'chai';
import type {
  CardOptions,
  CipherMessage,
  CtrParams,
  Engine,
} from '../../../src/engine/contract.ts';
import { defaultRegistry } from '../../../src/engine/default-engines.ts';
import type { Registry } from '../../../src/engine/registry.ts';
import { describeAead } from '../../conformance/aead.ts';
import { describeCiphers } from '../../conformance/cipher.ts';
import { engineSubject, type Subject } from '../../conformance/subject.ts';
import { jsAlgorithms } from '../../engine/fake-engine.ts';
import { unaligned } from '../../support/edge-lengths.ts';
import { loadWasm } from './wasm.ts';

const js = jsAlgorithms();
const GCM = js['AES-GCM']!;
const OCB = js['AES-OCB']!;

const KEYS = [16, 24, 32].map((length) => Uint8Array.from({ length }, (_, i) => 7 * i + length));
export const KEY = KEYS[2]!;
/** The last word of the counter wraps in the middle of the third block, and 40 bits count. */
export const CTR: CtrParams = {
  counter: Uint8Array.from({ length: 16 }, (_, i) => (i < 10 ? 0xa0 + i : i < 15 ? 0xff : 0xfe)),
  counterBits: 40,
};

export function message(length: number, shift = 0): Uint8Array<ArrayBuffer> {
  return unaligned(
    Uint8Array.from({ length }, (_, i) => (i * 131 + (i >> 8)) & 0xff),
    shift,
  );
}

/** Not chai's deep comparison, which is slow at 1 MiB. */
export function same(actual: Uint8Array, expected: Uint8Array, where: string): void {
  expect(actual.length, where).to.equal(expected.length);
  expect(
    actual.findIndex((byte, i) => byte !== expected[i]),
    where,
  ).to.equal(-1);
}

/** A method, and what is done in its place. */
export interface Patch<T = never> {
  readonly prototype: T;
  readonly name: keyof T;
  readonly around: (
    original: (...args: unknown[]) => unknown,
    self: T,
    args: readonly unknown[],
  ) => unknown;
}

/** Types the prototype of a patch, and forgets the type. */
export function patch<T>(prototype: T, name: keyof T, around: Patch<T>['around']): Patch {
  return { prototype, name, around } as unknown as Patch;
}

/** Replaces methods while `work` runs. */
export async function patched(patches: readonly Patch[], work: () => Promise<void>): Promise<void> {
  const undo = patches.map(({ prototype, name, around }) => {
    const original = prototype[name] as (...args: unknown[]) => unknown;
    const replacement = function (this: never, ...args: unknown[]): unknown {
      return around((...given) => original.apply(this, given), this, args);
    };
    Object.defineProperty(prototype, name, { value: replacement, configurable: true });
    return () => Object.defineProperty(prototype, name, { value: original, configurable: true });
  });
  try {
    await work();
  } finally {
    for (const each of undo.reverse()) each();
  }
}

/** Messages in CTR, in a registry that takes the card at any length, and then the page's other engines. */
export class CardUnderTest {
  readonly name: 'webgpu' | 'webgl';
  readonly #make: (options: CardOptions & { sliceBytes?: number }) => Engine;

  constructor(name: CardUnderTest['name'], make: (options: CardOptions) => Engine) {
    this.name = name;
    this.#make = make;
  }

  engine(sliceBytes?: number): Engine {
    return this.#make({ beside: () => GCM, ...(sliceBytes !== undefined && { sliceBytes }) });
  }

  registry(): Registry {
    const thresholds = Object.fromEntries(
      ['AES-ECB', 'AES-CTR', 'AES-GCM', 'AES-OCB'].map((algorithm) => [
        algorithm,
        { [this.name]: 0 },
      ]),
    );
    const cardEngine = (given: CardOptions) => this.#make({ ...given, sliceBytes: SLICE });
    return defaultRegistry({
      cards: { [this.name]: () => Promise.resolve({ cardEngine }) },
      optIn: [this.name],
      thresholds,
      loadWasm,
    });
  }

  /** Loses the card in the middle of a call in place, and expects the next engine to finish it. */
  async expectFinished(registry: Registry, patches: readonly Patch[]): Promise<void> {
    expect((await counted(registry, message(100))).engine).to.equal(this.name);
    const data = message(6 * SLICE + 3);
    const expected = await rightly(data);
    await patched(patches, async () => {
      const { engine, result } = await counted(registry, data, data);
      expect(engine).to.equal('native');
      same(result, expected, 'by the next engine');
    });
    const report = (await registry.report()).find(({ name }) => name === this.name);
    expect(report).to.deep.include({ available: false, selfTest: 'skipped' });
  }

  /** Likewise of a call that opens a message in OCB in place. */
  async expectOpened(registry: Registry, patches: readonly Patch[]): Promise<void> {
    const params = { nonce: message(12), associatedData: message(5), tagBytes: 16 };
    const data = message(6 * SLICE + 3);
    const sealed = await (await OCB.withKey(KEY)).encrypt(params, data);
    await registry.ready();
    const request = { algorithm: 'AES-OCB', engine: 'auto', bytes: data.length } as const;
    expect(registry.choose('AES-OCB', data.length, 'auto')).to.equal(this.name);
    await registry.test(this.name, 'AES-OCB');
    await patched(patches, async () => {
      const { engine, result } = await registry.run(request, async (cipher, name) => {
        const keyed = await cipher.withKey(KEY);
        return { engine: name, result: await keyed.decrypt(params, sealed, sealed) };
      });
      expect(engine).to.equal('wasm-simd');
      same(result, data, 'by the next engine');
    });
  }

  reason(registry: Registry): string | undefined {
    return registry.absent().find(({ engine }) => engine === this.name)?.reason;
  }
}

export async function counted(registry: Registry, data: Uint8Array, into?: Uint8Array) {
  const request = { algorithm: 'AES-CTR', engine: 'auto', bytes: data.length } as const;
  return registry.run(request, async (cipher, engine) => {
    const keyed = await cipher.withKey(KEY);
    return { engine, result: await keyed.encrypt(CTR, data, into) };
  });
}

export const rightly = async (data: Uint8Array): Promise<Uint8Array> =>
  (await js['AES-CTR']!.withKey(KEY)).encrypt(CTR, data);

export const SLICE = 4096;

/** Every vector of the card's algorithms: half a minute on a software rasterizer. */
export async function describeVectors(card: CardUnderTest): Promise<void> {
  const subject = await engineSubject(card.engine());
  describe(`vectors on ${card.name}`, () => {
    describeCiphers(subject);
    describeAead(subject);
  });
}

/** @param small has slices of `SLICE` bytes, @param large those that callers get */
export function describeSizes(small: Subject, large: Subject): void {
  describe('messages of several dispatches', () => {
    for (const length of [1, 15, 16, SLICE - 1, SLICE, SLICE + 1, 3 * SLICE + 5, 9 * SLICE + 48]) {
      it(`of ${length} bytes, from unaligned views, under three keys`, async () => {
        for (const [shift, key] of KEYS.entries()) {
          const data = message(length, shift + 1);
          const expected = await (await js['AES-CTR']!.withKey(key)).encrypt(CTR, data);
          same(await small.encrypt('AES-CTR', key, CTR, data), expected, 'CTR');
          const blocks = data.subarray(0, length & ~15);
          const ecb = await (await js['AES-ECB']!.withKey(key)).encrypt({}, blocks);
          same(await small.encrypt('AES-ECB', key, {}, blocks), ecb, 'ECB');
          same(await small.decrypt('AES-ECB', key, {}, ecb), blocks, 'ECB, back');
          const params = { nonce: message(12), associatedData: message(21), tagBytes: 16 };
          for (const mode of ['AES-GCM', 'AES-OCB'] as const) {
            const sealed = await (await js[mode]!.withKey(key)).encrypt(params, data);
            same(await small.encrypt(mode, key, params, data), sealed, mode);
            same(await small.decrypt(mode, key, params, sealed), data, `${mode}, back`);
          }
        }
      });
    }

    it('of 9 MiB and 7 bytes in slices of 4 MiB, in place', async () => {
      const data = message(9 * 0x10_0000 + 7);
      const expected = await rightly(data);
      same(await large.encrypt('AES-CTR', KEY, CTR, data, data), expected, 'CTR');
      const params = { nonce: message(15), associatedData: message(SLICE), tagBytes: 16 };
      const plaintext = message(5 * 0x10_0000 + 7);
      const sealed = await (await OCB.withKey(KEY)).encrypt(params, plaintext);
      same(await large.encrypt('AES-OCB', KEY, params, plaintext), sealed, 'OCB');
      same(await large.decrypt('AES-OCB', KEY, params, sealed), plaintext, 'OCB, back');
    });
  });
}

/** @param draws the method that begins a computation */
export function describeBatches(card: CardUnderTest, draws: (count: () => void) => Patch): void {
  describe('many records under one key', () => {
    it('are one dispatch, each with its own counter', async () => {
      const probe = await card.engine().probe();
      if (!probe.available) throw new Error(probe.reason);
      const keyed = await probe.algorithms['AES-CTR']!.withKey(KEY);
      const records: CipherMessage<CtrParams>[] = Array.from({ length: 1000 }, (_, i) => ({
        params: { counter: message(16, i & 7), counterBits: 8 + (i % 121) },
        data: message(1001, i & 7),
      }));
      let dispatches = 0;
      let results: Uint8Array[] = [];
      const counting = draws(() => {
        dispatches += 1;
      });
      await patched([counting], async () => {
        results = await keyed.encryptMany!(records);
      });
      expect(dispatches).to.equal(1);
      const one = await js['AES-CTR']!.withKey(KEY);
      for (const [i, { params, data }] of records.entries()) {
        same(results[i]!, await one.encrypt(params, data), `record ${i}`);
      }
      keyed.wipe();
    });

    it('in OCB are those of another engine, 10,000 at random, and open but for those with a changed bit', async () => {
      const probe = await card.engine(SLICE).probe();
      if (!probe.available) throw new Error(probe.reason);
      const random = (most: number) => Math.floor(Math.random() * (most + 1));
      const bytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
      for (const key of [16, 24, 32].map(bytes)) {
        const keyed = await probe.algorithms['AES-OCB']!.withKey(key);
        const one = await OCB.withKey(key);
        const records = Array.from({ length: 3334 }, () => {
          const associatedData = bytes(random(40));
          const params = {
            nonce: bytes(1 + random(14)),
            associatedData,
            tagBytes: 8 + 4 * random(2),
          };
          return { params, data: bytes(random(70)) };
        });
        const sealed = await keyed.encryptMany!(records);
        for (const [i, { params, data }] of records.entries()) {
          same(sealed[i]!, await one.encrypt(params, data), `record ${i}`);
          if (i % 3 === 0) sealed[i]![random(sealed[i]!.length - 1)]! ^= 1 << random(7);
        }
        const opened = await keyed.decryptMany!(
          sealed.map((data, i) => ({ params: records[i]!.params, data })),
        );
        for (const [i, { data }] of records.entries()) {
          if (i % 3 === 0) expect(opened[i], `record ${i}`).to.equal(undefined);
          else same(opened[i]!, data, `record ${i}, back`);
        }
        keyed.wipe();
      }
    });
  });
}
