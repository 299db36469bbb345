/* The engine `webgl` on whatever WebGL2 the browser has, run by mocha inside a page (cards.test.ts). */
import { expect } from 'chai';
import { YangsAes } from '../../../bench/gpu/yang-2013.ts';
import { Aes } from '../../../src/crypto/aes/block.ts';
import { ecbEncrypt } from '../../../src/crypto/mode/ecb.ts';
import { cardEngine } from '../../../src/engine/webgl/webgl.ts';
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

export const card = new CardUnderTest('webgl', cardEngine);
const small = await engineSubject(card.engine(SLICE));
const large = await engineSubject(card.engine());
const GL = WebGL2RenderingContext.prototype;

describeSizes(small, large);
describeBatches(card, (count) =>
  patch(GL, 'drawArrays', (original, _gl, args) => {
    count();
    return original(...args);
  }),
);

describe('the textures of a call', () => {
  it('are three slices before the first is read back', async () => {
    const events: string[] = [];
    const noting = (name: 'drawArrays' | 'getBufferSubData') =>
      patch(GL, name, (original, _gl, args) => {
        events.push(name);
        return original(...args);
      });
    await patched([noting('drawArrays'), noting('getBufferSubData')], async () => {
      const data = message(6 * SLICE);
      same(await small.encrypt('AES-CTR', KEY, CTR, data), await rightly(data), 'CTR');
    });
    const begun = events.slice(0, 4);
    expect(begun).to.deep.equal([...Array<string>(3).fill('drawArrays'), 'getBufferSubData']);
    expect(events.filter((event) => event === 'getBufferSubData')).to.have.lengthOf(6);
  });

  it('and its buffers are freed, and its round keys and masks overwritten', async () => {
    const live = { Texture: 0, Buffer: 0, Framebuffer: 0 };
    let made = 0;
    /** By the length of the uniform: round keys, and masks of OCB. */
    const last = new Map<number, Uint32Array>();
    const counting = (Object.keys(live) as (keyof typeof live)[]).flatMap((kind) => [
      patch(GL, `create${kind}`, (original) => {
        made += 1;
        live[kind] += 1;
        return original();
      }),
      patch(GL, `delete${kind}`, (original, _gl, args) => {
        live[kind] -= 1;
        return original(...args);
      }),
    ]);
    const keys = patch(GL, 'uniform4uiv', (original, _gl, args) => {
      const words = args[1] as Uint32Array;
      last.set(words.length, words.slice());
      return original(...args);
    });
    await patched([...counting, keys], async () => {
      const params = { nonce: message(12), associatedData: message(0), tagBytes: 16 };
      await small.encrypt('AES-OCB', KEY, params, message(6 * SLICE));
    });
    expect(made).to.equal(3 * 6);
    expect(live).to.deep.equal({ Texture: 0, Buffer: 0, Framebuffer: 0 });
    expect([...last.keys()]).to.deep.equal([8 * 15, 4 * 32]);
    for (const words of last.values()) expect(words.some((word) => word !== 0)).to.equal(false);
  });
});

/** Each with the call of it at which the context is lost. */
const STAGES = [
  ['createTexture', 3],
  ['texSubImage2D', 1],
  ['drawArrays', 1],
  ['drawArrays', 5],
  ['readPixels', 2],
  ['fenceSync', 1],
  ['clientWaitSync', 1],
  ['getBufferSubData', 4],
  ['getError', 5],
] as const;

describe('a context that is lost in the middle of a call', () => {
  for (const [name, nth] of STAGES) {
    it(`at ${name}, call ${nth}: the next engine finishes it, and the reason is told`, async () => {
      const registry = card.registry();
      let calls = 0;
      const losing = patch(GL, name, (original, gl, args) => {
        calls += 1;
        if (calls === nth) gl.getExtension('WEBGL_lose_context')!.loseContext();
        return original(...args);
      });
      await card.expectFinished(registry, [losing]);
      expect(calls).to.be.at.least(nth);
      expect(card.reason(registry)).to.equal('the graphics card was lost (webglcontextlost)');
      registry.close();
    });
  }

  it('in OCB: the next engine opens the message, whose memory was not touched', async () => {
    const registry = card.registry();
    let calls = 0;
    await card.expectOpened(registry, [
      patch(GL, 'drawArrays', (original, gl, args) => {
        calls += 1;
        if (calls === 5) gl.getExtension('WEBGL_lose_context')!.loseContext();
        return original(...args);
      }),
    ]);
    expect(card.reason(registry)).to.equal('the graphics card was lost (webglcontextlost)');
    registry.close();
  });

  it('or between two calls: the reason is told without another call', async () => {
    const registry = card.registry();
    await counted(registry, message(100));
    registry.close();
    expect(registry.available()).to.not.include('webgl');
  });
});

describe('a card or driver that does wrong', () => {
  it('is caught by a block of each slice, and another engine finishes the call', async () => {
    const registry = card.registry();
    await card.expectFinished(registry, [
      patch(GL, 'getBufferSubData', (original, _gl, args) => {
        original(...args);
        // One bit in each of 16 bytes, of what is read back.
        const bytes = args[2] as Uint8Array;
        for (let i = 5; i < bytes.length; i += 16) bytes[i]! ^= 0x20;
      }),
    ]);
    expect(card.reason(registry)).to.equal('WrongBlockError: the card computed a wrong block');
  });

  it('has no memory left: another engine finishes the call, with the reason', async () => {
    const registry = card.registry();
    let isFull = true;
    await card.expectFinished(registry, [
      patch(GL, 'getError', (original, gl) => {
        const error = isFull ? gl.OUT_OF_MEMORY : original();
        isFull = false;
        return error;
      }),
    ]);
    expect(card.reason(registry)).to.equal('Error: WebGL: out of memory');
  });
});

describe('the design of 2013, by WebGL 1', () => {
  it('gives the bytes of AES at every size of its packets, and at others', () => {
    const key = message(16);
    const gl = new OffscreenCanvas(1, 1).getContext('webgl')!;
    const yang = new YangsAes(gl, key);
    const aes = new Aes(key);
    for (const bytes of [16, 64, 256, 1024, 4096, 16_384, 65_536, 32, 2048 * 4 + 16, 2048 * 12]) {
      const packet = message(bytes);
      same(yang.encrypt(packet), ecbEncrypt(aes, packet), `${bytes} bytes`);
    }
    gl.getExtension('WEBGL_lose_context')?.loseContext();
  });
});
