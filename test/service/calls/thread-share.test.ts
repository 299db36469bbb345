import { expect } from 'chai';
import sinon from 'sinon';
import { laterByMessages } from '../../../src/rpc/timers.ts';
import {
  REST_FROM_MS,
  ThreadShare,
  UNPACED_BYTES,
} from '../../../src/service/calls/thread-share.ts';
import { pageSubtle } from '../../support/page-subtle.ts';
import { FakeTimers, pageCaller, settled } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';

const MIB = 2 ** 20;
const [A, B, C] = ['https://a.example', 'https://b.example', 'https://c.example'] as const;
/** What a work blocks in these tests, in ms. */
const BLOCK_MS = 40;

/** Works of 1 MiB that block for BLOCK_MS of a clock that a test sets, as Chromium's do. */
function setUp() {
  const timers = new FakeTimers();
  let now = 1_000;
  const share = new ThreadShare({ later: setImmediate, timers, nowMs: () => now });
  const began: string[] = [];
  const ask = (
    origin: string,
    { bytes = MIB, blockMs = BLOCK_MS, signal = new AbortController().signal } = {},
  ) =>
    share.run({ origin, signal }, bytes, () => {
      began.push(origin.at(8)!);
      now += blockMs;
      return Promise.resolve(began.length);
    });
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    timers.pass(ms);
    await settled();
  };
  return { began, ask, pass };
}

describe('The share of the thread that pages have', () => {
  it('is half: after a work, none begins for as long as it has blocked', async () => {
    const { began, ask, pass } = setUp();
    const all = [ask(A), ask(A)];
    await settled();
    expect(began).to.deep.equal(['a']);
    expect(await all[0], 'answered before the rest is over').to.equal(1);
    await pass(BLOCK_MS - 1);
    expect(began).to.deep.equal(['a']);
    await pass(1);
    expect(began).to.deep.equal(['a', 'a']);
    expect(await all[1]).to.equal(2);
  });

  it('is one for all origins, which take turns', async () => {
    const { began, ask, pass } = setUp();
    for (const origin of [A, A, A, A, B, C, B]) void ask(origin);
    for (let i = 0; i < 7; i++) await pass(BLOCK_MS);
    // The first began before the others were there.
    expect(began.join('')).to.equal('aabcaba');
  });

  it('takes no rest for what was idle meanwhile, nor for works that block for next to nothing', async () => {
    const { began, ask, pass } = setUp();
    await ask(A);
    await pass(BLOCK_MS);
    await ask(A);
    await settled();
    expect(began).to.have.length(2);
    await pass(1_000);
    const short = REST_FROM_MS / 8;
    await Promise.all(Array.from({ length: 7 }, () => ask(A, { blockMs: short })));
    expect(began).to.have.length(9);
    // Together they have blocked as long as a rest is worth.
    for (let i = 0; i < 3; i++) void ask(A, { blockMs: short });
    await settled();
    expect(began).to.have.length(10);
    await pass(REST_FROM_MS);
    expect(began).to.have.length(12);
  });

  it('lets short messages through at once', async () => {
    const { began, ask } = setUp();
    void ask(A);
    void ask(A);
    await ask(A, { bytes: UNPACED_BYTES });
    expect(began).to.have.length(2);
  });

  it('keeps nothing of a call that is aborted while it waits, and passes failures on', async () => {
    const { began, ask, pass } = setUp();
    void ask(A);
    const controller = new AbortController();
    const waiting = ask(A, { signal: controller.signal }).catch((error: unknown) => error);
    await settled();
    const reason = new Error('locked');
    controller.abort(reason);
    expect(await waiting).to.equal(reason);
    await pass(BLOCK_MS);
    expect(began).to.have.length(1);
    const share = new ThreadShare({
      later: setImmediate,
      timers: new FakeTimers(),
      nowMs: () => 0,
    });
    const asking = { origin: A, signal: new AbortController().signal };
    const failed = new Error('failed');
    const throws = (): never => {
      throw failed;
    };
    for (const work of [() => Promise.reject(failed), throws]) {
      expect(await share.run(asking, MIB, work).catch((error: unknown) => error)).to.equal(failed);
    }
  });
});

/*
 * The broker with a platform that blocks the thread for BUSY_MS, as Chromium's does, for each digest, cipher and MAC, and
 * with messages between as the event loop delivers them.
 */
describe('Bytes of pages without end', () => {
  const BUSY_MS = 8;
  const ORIGINS = ['a', 'b', 'c', 'd'].map((name) => `https://${name}.example`);
  const OF_EACH = 4;
  /** How many messages had arrived when each work began. */
  let begins: number[];
  let deliveries = 0;

  const block = (): void => {
    begins.push(deliveries);
    const until = performance.now() + BUSY_MS;
    while (performance.now() < until);
  };

  before(() => {
    type Works = Record<string, (...args: unknown[]) => Promise<ArrayBuffer>>;
    const works = SubtleCrypto.prototype as unknown as Works;
    for (const name of ['digest', 'encrypt', 'sign']) {
      const original = works[name]!;
      sinon.replace(works, name, function (this: unknown, ...args) {
        if ((args.at(-1) as Uint8Array).length >= MIB) block();
        return original.apply(this, args);
      });
    }
  });
  after(() => sinon.restore());

  /** Runs works while messages arrive one after the other. @returns how long they took, in ms */
  async function amongMessages(works: () => Promise<unknown>): Promise<number> {
    begins = [];
    let isOver = false;
    const later = laterByMessages();
    const deliver = (): void => {
      deliveries++;
      if (!isOver) later(deliver);
    };
    deliver();
    const began = performance.now();
    await works();
    isOver = true;
    return performance.now() - began;
  }

  /** What a page of an origin calls. */
  async function worksOf(world: World, origin: string, tabId: number) {
    const caller = pageCaller({ origin, tabId, documentId: origin });
    const subtle = pageSubtle(world, caller);
    const data = new Uint8Array(MIB);
    const aes = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']);
    const hmac = await subtle.generateKey({ name: 'HMAC', hash: 'SHA-512' }, false, ['sign']);
    const gcm = { name: 'AES-GCM', iv: new Uint8Array(12) };
    return {
      digest: () => subtle.digest('SHA-512', data),
      encrypt: () => subtle.encrypt(gcm, aes, data),
      sign: () => subtle.sign('HMAC', hmac, data),
      random: () => world.call('random', { length: MIB }, caller),
    };
  }

  for (const kind of ['digest', 'encrypt', 'sign', 'random'] as const) {
    it(`leave half of the thread, and a message arrives after each ${kind}`, async () => {
      const world = World.fresh();
      const { bytes } = world.random;
      Object.assign(world.random, {
        bytes: (length: number) => {
          if (length >= MIB) block();
          return bytes(length);
        },
      });
      const pages = await Promise.all(ORIGINS.map((origin, tab) => worksOf(world, origin, tab)));
      const once = () => pages.map((works) => works[kind]());
      const tookMs = await amongMessages(() =>
        Promise.all(Array.from({ length: OF_EACH }, once).flat()),
      );
      const count = OF_EACH * ORIGINS.length;
      expect(begins).to.have.length(count);
      expect(new Set(begins).size, 'between any two').to.equal(count);
      // Nothing is waited for after the last one; timers may be some hundredths early.
      expect(tookMs).to.be.at.least((2 * count - 1) * BUSY_MS * 0.9);
    });
  }
});
