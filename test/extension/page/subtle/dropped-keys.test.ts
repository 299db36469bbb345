import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Calls } from '../../../../extension/page/connection/calls.ts';
import { SealwrightSubtle } from '../../../../extension/page/subtle/subtle.ts';
import type { MethodName } from '../../../../src/rpc/methods/methods.ts';
import { inDepth } from '../../../support/depth.ts';
import { pageCaller } from '../../../support/service-fakes.ts';
import { World } from '../../../support/service-world.ts';
import { collectGarbage } from '../../../support/collect-garbage.ts';

const GCM = { name: 'AES-GCM', length: 256 };
const IV = { name: 'AES-GCM', iv: new Uint8Array(12) };

/** Until the collector has told of what it found. */
async function collected(isDone: () => boolean): Promise<void> {
  for (let i = 0; i < 100 && !isDone(); i++) {
    collectGarbage();
    await pause(10);
  }
}

describe('Keys that a page has dropped', function () {
  this.timeout(30_000);
  let world: World;
  let subtle: SubtleCrypto;
  /** Of each subtle.dropKeys, in order. */
  let told: (readonly string[])[];
  /** Calls of other methods wait for it. */
  let barrier: Promise<unknown>;

  beforeEach(() => {
    world = World.fresh();
    const keys: (readonly string[])[] = [];
    told = keys;
    barrier = Promise.resolve();
    const call = async (method: MethodName, params: never) => {
      if (method === 'subtle.dropKeys') keys.push((params as { keys: string[] }).keys);
      else await barrier;
      return world.call(method, params, pageCaller());
    };
    subtle = new SealwrightSubtle({ call } as unknown as Calls) as unknown as SubtleCrypto;
  });

  const made = () => subtle.generateKey(GCM, true, ['encrypt', 'decrypt']);
  const toldKeys = () => told.flat().length;

  it('are reported to the extension, many at once, and the others stay', async () => {
    const kept = await made();
    for (let i = 0; i < 100; i++) await made();
    await collected(() => toldKeys() >= 99);
    expect(toldKeys()).to.be.within(99, 100);
    expect(told.length).to.be.below(20);
    expect(new Set(told.flat()).size).to.equal(toldKeys());
    const sealed = await subtle.encrypt(IV, kept, new Uint8Array(8));
    expect((await subtle.decrypt(IV, kept, sealed)).byteLength).to.equal(8);
  });

  it('are held while a call works with them, as its parameter too', async () => {
    const x25519 = { name: 'X25519' };
    const usages: KeyUsage[] = ['deriveBits'];
    // RFC 7748, section 4.1: the base point.
    const point = Uint8Array.of(9, ...new Uint8Array(31));
    let open = (): void => undefined;
    barrier = new Promise<void>((resolve) => (open = resolve));
    /** Only the call has these keys. */
    const begin = async () => {
      const passing = barrier;
      barrier = Promise.resolve();
      const pair = (await subtle.generateKey(x25519, true, usages)) as CryptoKeyPair;
      const peer = await subtle.importKey('raw', point, x25519, true, []);
      barrier = passing;
      return [subtle.deriveBits({ ...x25519, public: peer }, pair.privateKey, 256)];
    };
    const [bits] = await begin();
    // No caller holds the public half of the pair.
    await collected(() => toldKeys() >= 1);
    await pause(50);
    expect(toldKeys()).to.equal(1);
    open();
    expect((await bits!).byteLength).to.equal(32);
    await collected(() => toldKeys() >= 3);
    expect(toldKeys()).to.be.at.least(3);
  });

  it('may be more than there is room for, one after the other', async () => {
    // Two fill what a site may have (SESSION_KEY_LIMITS).
    const secret = new Uint8Array(300 * 1024);
    const count = inDepth(12, 6);
    for (let i = 0; i < count; i++) {
      await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
      await collected(() => toldKeys() >= i);
    }
    expect(toldKeys()).to.be.within(count - 1, count);
  });
});
