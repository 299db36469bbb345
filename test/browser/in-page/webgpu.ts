/* The engine `webgpu` on whatever adapter the browser has, run by mocha inside a page (cards.test.ts). */
import { expect } from 'chai';
import { cardEngine } from '../../../src/engine/webgpu/webgpu.ts';
import { engineSubject } from '../../conformance/subject.ts';
import {
  CardUnderTest,
  counted,
  CTR,
  describeBatches,
  describeSizes,
  KEY,
  message,
  patch,
  patched,
  rightly,
  same,
  SLICE,
} from './card.ts';

export const card = new CardUnderTest('webgpu', cardEngine);
const small = await engineSubject(card.engine(SLICE));
const large = await engineSubject(card.engine());

/** What happens to buffers while `work` runs. */
async function watched(work: () => Promise<void>) {
  const live = new Set<GPUBuffer>();
  const cleared = new Set<GPUBuffer>();
  const events: ('submit' | 'read')[] = [];
  let notCleared = 0;
  let made = 0;
  const patches = [
    patch(GPUDevice.prototype, 'createBuffer', (original, _device, args) => {
      const buffer = original(...args) as GPUBuffer;
      live.add(buffer);
      made += 1;
      return buffer;
    }),
    patch(GPUBuffer.prototype, 'destroy', (original, buffer) => {
      const isStaging = (buffer.usage & 2) !== 0;
      if (!isStaging && !cleared.has(buffer)) notCleared += 1;
      live.delete(buffer);
      return original();
    }),
    patch(GPUCommandEncoder.prototype, 'clearBuffer', (original, _encoder, args) => {
      cleared.add(args[0] as GPUBuffer);
      return original(...args);
    }),
    patch(GPUQueue.prototype, 'submit', (original, _queue, args) => {
      events.push('submit');
      return original(...args);
    }),
    patch(GPUBuffer.prototype, 'getMappedRange', (original, buffer, args) => {
      if ((buffer.usage & 1) !== 0) events.push('read');
      return original(...args);
    }),
  ];
  await patched(patches, work);
  return { live: live.size, made, notCleared, events };
}

describeSizes(small, large);
describeBatches(card, (count) =>
  patch(GPUComputePassEncoder.prototype, 'dispatchWorkgroups', (original, _pass, args) => {
    count();
    return original(...args);
  }),
);

describe('the buffers of a call', () => {
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
      const registry = card.registry();
      const devices = new Set<GPUDevice>();
      let calls = 0;
      await card.expectFinished(registry, [
        patch(GPUDevice.prototype, 'pushErrorScope', (original, device, args) => {
          devices.add(device);
          return original(...args);
        }),
        patch(prototype() as object, name as never, (original, _self, args) => {
          calls += 1;
          if (calls === nth) for (const device of devices) device.destroy();
          return original(...args);
        }),
      ]);
      expect(calls).to.be.at.least(nth);
      expect(card.reason(registry)).to.match(/^the graphics card was lost \(destroyed\)/);
      registry.close();
    });
  }

  it('in OCB: the next engine opens the message, whose memory was not touched', async () => {
    const registry = card.registry();
    const devices = new Set<GPUDevice>();
    let calls = 0;
    await card.expectOpened(registry, [
      patch(GPUDevice.prototype, 'pushErrorScope', (original, device, args) => {
        devices.add(device);
        return original(...args);
      }),
      patch(GPUQueue.prototype, 'submit', (original, _queue, args) => {
        calls += 1;
        if (calls === 5) for (const device of devices) device.destroy();
        return original(...args);
      }),
    ]);
    expect(card.reason(registry)).to.match(/^the graphics card was lost \(destroyed\)/);
    registry.close();
  });

  it('or between two calls: the reason is told without another call', async () => {
    const registry = card.registry();
    await counted(registry, message(100));
    registry.close();
    expect(registry.available()).to.not.include('webgpu');
  });
});

describe('a card or driver that does wrong', () => {
  it('is caught by a block of each slice, and another engine finishes the call', async () => {
    const registry = card.registry();
    await card.expectFinished(registry, [
      patch(GPUBuffer.prototype, 'getMappedRange', (original, buffer, args) => {
        const range = original(...args) as ArrayBuffer;
        // One bit in each of 16 bytes, of what is read back.
        if ((buffer.usage & 1) !== 0) {
          const bytes = new Uint8Array(range);
          for (let i = 5; i < bytes.length; i += 16) bytes[i]! ^= 0x20;
        }
        return range;
      }),
    ]);
    expect(card.reason(registry)).to.equal('WrongBlockError: the card computed a wrong block');
  });

  it('has no memory left: another engine finishes the call, with the reason', async () => {
    const registry = card.registry();
    await card.expectFinished(registry, [
      patch(GPUDevice.prototype, 'createBuffer', (original, _device, [given]) => {
        const descriptor = given as GPUBufferDescriptor;
        const isMapped = descriptor.mappedAtCreation === true;
        return original(isMapped ? descriptor : { ...descriptor, size: 2 ** 42 });
      }),
    ]);
    expect(card.reason(registry)).to.match(/^Error: GPU\w+Error: /);
  });
});
