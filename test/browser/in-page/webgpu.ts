/* The engine `webgpu` on whatever adapter the browser has, run by mocha inside a page (webgpu.test.ts). */
import { expect } from 'chai';
import type { CipherMessage, CtrParams, Engine } from '../../../src/engine/contract.ts';
import { defaultRegistry } from '../../../src/engine/default-engines.ts';
import type { Registry } from '../../../src/engine/registry.ts';
import { webGpuEngine } from '../../../src/engine/webgpu/webgpu.ts';
import { engineSubject } from '../../conformance/subject.ts';
import { unaligned } from '../../support/edge-lengths.ts';
import { loadWasm } from './wasm.ts';
import { jsAlgorithms } from '../../engine/fake-engine.ts';

const { gpu } = navigator;
const js = jsAlgorithms();
const GCM = js['AES-GCM']!;
const engineWith = (sliceBytes?: number): Engine =>
  webGpuEngine({ gpu, beside: () => GCM, ...(sliceBytes !== undefined && { sliceBytes }) });

/** A registry that takes the card at any length, and those engines after it that a page has. */
function registryWith(sliceBytes: number): Registry {
  const thresholds = Object.fromEntries(
    ['AES-ECB', 'AES-CTR', 'AES-GCM'].map((name) => [name, { webgpu: 0 }]),
  );
  return defaultRegistry({
    webGpu: () =>
      Promise.resolve({ webGpuEngine: (given) => webGpuEngine({ ...given, sliceBytes }) }),
    optIn: ['webgpu'],
    thresholds,
    loadWasm,
  });
}

const KEYS = [16, 24, 32].map((length) => Uint8Array.from({ length }, (_, i) => 7 * i + length));
const KEY = KEYS[2]!;
/** The last word of the counter wraps in the middle of the third block, and 40 bits count. */
const CTR: CtrParams = {
  counter: Uint8Array.from({ length: 16 }, (_, i) => (i < 10 ? 0xa0 + i : i < 15 ? 0xff : 0xfe)),
  counterBits: 40,
};

function message(length: number, shift = 0): Uint8Array<ArrayBuffer> {
  return unaligned(
    Uint8Array.from({ length }, (_, i) => (i * 131 + (i >> 8)) & 0xff),
    shift,
  );
}

/** Not chai's deep comparison, which is slow at 1 MiB. */
function same(actual: Uint8Array, expected: Uint8Array, where: string): void {
  expect(actual.length, where).to.equal(expected.length);
  expect(
    actual.findIndex((byte, i) => byte !== expected[i]),
    where,
  ).to.equal(-1);
}

/** Replaces a method while `work` runs. */
async function patched<T>(
  prototype: T,
  name: keyof T,
  around: (original: (...args: unknown[]) => unknown, self: T, args: unknown[]) => unknown,
  work: () => Promise<void>,
): Promise<void> {
  const original = prototype[name] as (...args: unknown[]) => unknown;
  const replacement = function (this: T, ...args: unknown[]): unknown {
    return around((...given) => original.apply(this, given), this, args);
  };
  Object.defineProperty(prototype, name, { value: replacement, configurable: true });
  try {
    await work();
  } finally {
    Object.defineProperty(prototype, name, { value: original, configurable: true });
  }
}

/** What happens to buffers while `work` runs. */
async function watched(work: () => Promise<void>) {
  const live = new Set<GPUBuffer>();
  const cleared = new Set<GPUBuffer>();
  const events: ('submit' | 'read')[] = [];
  let notCleared = 0;
  let made = 0;
  await patched(
    GPUDevice.prototype,
    'createBuffer',
    (original, _device, args) => {
      const buffer = original(...args) as GPUBuffer;
      live.add(buffer);
      made += 1;
      return buffer;
    },
    () =>
      patched(
        GPUBuffer.prototype,
        'destroy',
        (original, buffer) => {
          const staged = (buffer.usage & 2) !== 0;
          if (!staged && !cleared.has(buffer)) notCleared += 1;
          live.delete(buffer);
          return original();
        },
        () =>
          patched(
            GPUCommandEncoder.prototype,
            'clearBuffer',
            (original, _encoder, args) => {
              cleared.add(args[0] as GPUBuffer);
              return original(...args);
            },
            () =>
              patched(
                GPUQueue.prototype,
                'submit',
                (original, _queue, args) => {
                  events.push('submit');
                  return original(...args);
                },
                () =>
                  patched(
                    GPUBuffer.prototype,
                    'getMappedRange',
                    (original, buffer, args) => {
                      if ((buffer.usage & 1) !== 0) events.push('read');
                      return original(...args);
                    },
                    work,
                  ),
              ),
          ),
      ),
  );
  return { live: live.size, made, notCleared, events };
}

async function counted(registry: Registry, data: Uint8Array, into?: Uint8Array) {
  const request = { algorithm: 'AES-CTR', engine: 'auto', bytes: data.length } as const;
  return registry.run(request, async (cipher, engine) => {
    const keyed = await cipher.withKey(KEY);
    return { engine, result: await keyed.encrypt(CTR, data, into) };
  });
}

const rightly = async (data: Uint8Array): Promise<Uint8Array> =>
  (await js['AES-CTR']!.withKey(KEY)).encrypt(CTR, data);

const subject = await engineSubject(engineWith());
const SLICE = 4096;
const small = await engineSubject(engineWith(SLICE));
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
        const gcm = { nonce: message(12), associatedData: message(21), tagBytes: 16 };
        const sealed = await (await GCM.withKey(key)).encrypt(gcm, data);
        same(await small.encrypt('AES-GCM', key, gcm, data), sealed, 'GCM');
        same(await small.decrypt('AES-GCM', key, gcm, sealed), data, 'GCM, back');
      }
    });
  }

  it('of 9 MiB and 7 bytes in slices of 4 MiB, in place', async () => {
    const data = message(9 * 0x10_0000 + 7);
    const expected = await rightly(data);
    same(await subject.encrypt('AES-CTR', KEY, CTR, data, data), expected, 'CTR');
  });

  it('upload three slices before the first is read back', async () => {
    const { events } = await watched(async () => {
      const data = message(6 * SLICE);
      same(await small.encrypt('AES-CTR', KEY, CTR, data), await rightly(data), 'CTR');
    });
    expect(events.slice(0, 4)).to.deep.equal(['submit', 'submit', 'submit', 'read']);
    expect(events.filter((event) => event === 'read')).to.have.lengthOf(6);
  });

  it('overwrite and free every buffer at their end', async () => {
    const { live, made, notCleared } = await watched(async () => {
      await small.encrypt('AES-CTR', KEY, CTR, message(6 * SLICE));
      await small.decrypt('AES-ECB', KEY, {}, message(16));
    });
    expect({ live, notCleared }).to.deep.equal({ live: 0, notCleared: 0 });
    expect(made).to.equal(20);
  });
});

describe('many records under one key', () => {
  it('are one dispatch, each with its own counter', async () => {
    const probe = await engineWith().probe();
    if (!probe.available) throw new Error(probe.reason);
    const keyed = await probe.algorithms['AES-CTR']!.withKey(KEY);
    const records: CipherMessage<CtrParams>[] = Array.from({ length: 1000 }, (_, i) => ({
      params: { counter: message(16, i & 7), counterBits: 8 + (i % 121) },
      data: message(1001, i & 7),
    }));
    let dispatches = 0;
    let results: Uint8Array[] = [];
    await patched(
      GPUComputePassEncoder.prototype,
      'dispatchWorkgroups',
      (original, _pass, args) => {
        dispatches += 1;
        return original(...args);
      },
      async () => {
        results = await keyed.encryptMany!(records);
      },
    );
    expect(dispatches).to.equal(1);
    const one = await js['AES-CTR']!.withKey(KEY);
    for (const [i, { params, data }] of records.entries()) {
      same(results[i]!, await one.encrypt(params, data), `record ${i}`);
    }
    keyed.wipe();
  });
});

/** Each with the call of it at which the device is lost: the first or a later one. */
const STAGES = [
  [() => GPUDevice.prototype, 'createBuffer', 3],
  [() => GPUDevice.prototype, 'createBindGroup', 2],
  [() => GPUDevice.prototype, 'popErrorScope', 1],
  [() => GPUBuffer.prototype, 'getMappedRange', 2],
  [() => GPUBuffer.prototype, 'unmap', 5],
  [() => GPUBuffer.prototype, 'mapAsync', 1],
  [() => GPUBuffer.prototype, 'mapAsync', 8],
  [() => GPUComputePassEncoder.prototype, 'dispatchWorkgroups', 4],
  [() => GPUQueue.prototype, 'submit', 1],
  [() => GPUQueue.prototype, 'submit', 5],
] as const;

describe('a device that is lost in the middle of a call', () => {
  for (const [prototype, name, nth] of STAGES) {
    it(`at ${name}, call ${nth}: the next engine finishes it, and the reason is told`, async () => {
      const registry = registryWith(SLICE);
      expect((await counted(registry, message(100))).engine).to.equal('webgpu');
      const data = message(6 * SLICE + 3);
      const expected = await rightly(data);
      const devices = new Set<GPUDevice>();
      let calls = 0;
      await patched(
        GPUDevice.prototype,
        'pushErrorScope',
        (original, device, args) => {
          devices.add(device);
          return original(...args);
        },
        () =>
          patched(
            prototype() as never,
            name as never,
            (original, _self, args) => {
              calls += 1;
              if (calls === nth) for (const device of devices) device.destroy();
              return original(...args);
            },
            async () => {
              const { engine, result } = await counted(registry, data, data);
              expect(engine).to.equal('native');
              same(result, expected, name);
            },
          ),
      );
      expect(calls).to.be.at.least(nth);
      const report = (await registry.report()).find((one) => one.name === 'webgpu');
      expect(report).to.deep.include({ available: false, selfTest: 'skipped' });
      expect(report!.reason).to.match(/^the graphics card was lost \(destroyed\)/);
      registry.close();
    });
  }

  it('or between two calls: the reason is told without another call', async () => {
    const registry = registryWith(SLICE);
    await counted(registry, message(100));
    registry.close();
    expect(registry.available()).to.not.include('webgpu');
  });
});

describe('a card or driver that does wrong', () => {
  it('is caught by a block of each slice, and another engine finishes the call', async () => {
    const registry = registryWith(SLICE);
    await counted(registry, message(100));
    const data = message(2 * SLICE);
    await patched(
      GPUBuffer.prototype,
      'getMappedRange',
      (original, buffer, args) => {
        const range = original(...args) as ArrayBuffer;
        // One bit in each of 16 bytes, of what is read back.
        if ((buffer.usage & 1) !== 0) {
          const bytes = new Uint8Array(range);
          for (let i = 5; i < bytes.length; i += 16) bytes[i]! ^= 0x20;
        }
        return range;
      },
      async () => {
        const { engine, result } = await counted(registry, data);
        expect(engine).to.equal('native');
        same(result, await rightly(data), 'native');
      },
    );
    expect(registry.absent()).to.deep.include({
      engine: 'webgpu',
      reason: 'WrongBlockError: the card computed a wrong block',
    });
  });

  it('has no memory left: another engine finishes the call, with the reason', async () => {
    const registry = registryWith(SLICE);
    await counted(registry, message(100));
    await patched(
      GPUDevice.prototype,
      'createBuffer',
      (original, _device, [given]) => {
        const descriptor = given as GPUBufferDescriptor;
        const isMapped = descriptor.mappedAtCreation === true;
        return original(isMapped ? descriptor : { ...descriptor, size: 2 ** 42 });
      },
      async () => {
        expect((await counted(registry, message(SLICE))).engine).to.equal('native');
      },
    );
    const reason = registry.absent().find(({ engine }) => engine === 'webgpu')?.reason;
    expect(reason).to.match(/^Error: GPU\w+Error: /);
  });
});
