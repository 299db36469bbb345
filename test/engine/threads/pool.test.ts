import { expect } from 'chai';
import { useFakeTimers } from 'sinon';
import type { Algorithms, CipherName, CipherParams, Engine } from '../../../src/engine/contract.ts';
import { Registry } from '../../../src/engine/registry.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../../src/engine/thresholds.ts';
import { threadsEngine } from '../../../src/engine/threads/threads.ts';
import { wasmSimdEngine } from '../../../src/engine/wasm/wasm-simd.ts';
import { unaligned } from '../../support/edge-lengths.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { enableRelaxedSimd, loadWasm } from '../../support/wasm.ts';
import { until, WorkersHere } from './pool-workers.ts';

enableRelaxedSimd();
const MIB = 0x10_0000;
const KEY = randomBytes(32);
const AEAD = { nonce: randomBytes(12), associatedData: randomBytes(37), tagBytes: 16 };
const CIPHERS = {
  'AES-CTR': { counter: new Uint8Array(16).fill(0xff), counterBits: 128 },
  'AES-GCM': AEAD,
  'AES-OCB': AEAD,
  'ChaCha20-Poly1305': AEAD,
  'XChaCha20-Poly1305': { ...AEAD, nonce: randomBytes(24) },
} satisfies Partial<CipherParams>;
type Name = keyof typeof CIPHERS;
const NAMES = Object.keys(CIPHERS) as Name[];

async function algorithmsOf(engine: Engine): Promise<Algorithms> {
  const probe = await engine.probe();
  if (!probe.available) throw new Error(probe.reason);
  return probe.algorithms;
}

const simd = wasmSimdEngine(loadWasm);
const alone = await algorithmsOf(simd);

async function pooled(options: Parameters<typeof threadsEngine>[1] = {}) {
  const workers = new WorkersHere();
  const engine = threadsEngine(loadWasm, {
    threads: 2,
    startWorker: workers.start,
    ...options,
  });
  return { workers, engine, algorithms: await algorithmsOf(engine) };
}

/** A pool whose worker has compiled what GCM and CTR need. */
async function warm() {
  const found = await pooled();
  const keyed = await found.algorithms['AES-GCM']!.withKey(KEY);
  while (found.workers.answered === 0) await keyed.encrypt(AEAD, randomBytes(MIB));
  return { ...found, keyed };
}

/** A registry in which messages of a MiB go to the threads with every algorithm, and shorter ones to `wasm-simd`. */
async function registryOf(engine: Engine, thresholds: Thresholds = {}): Promise<Registry> {
  const registry = new Registry([engine, simd], { optIn: ['wasm-threads'], thresholds });
  await registry.ready();
  return registry;
}

async function encrypted(
  registry: Registry,
  algorithm: CipherName,
  data: Uint8Array,
  into?: Uint8Array,
) {
  const request = { algorithm, engine: 'auto', bytes: data.length } as const;
  return registry.run(request, async (cipher, engine) => {
    const keyed = await cipher.withKey(KEY);
    const params = CIPHERS[algorithm as Name] as never;
    return { engine, result: await keyed.encrypt(params, data, into) };
  });
}

async function expected(name: Name, data: Uint8Array): Promise<Uint8Array> {
  return (await alone[name]!.withKey(KEY)).encrypt(CIPHERS[name] as never, data);
}

/** Chai would print both. */
function same(a: Uint8Array, b: Uint8Array, label: string): void {
  expect(Buffer.compare(a, b), label).to.equal(0);
}

/** Below, at and above each change of the slices' length for two workers, and of their number. */
const LENGTHS = [
  ...[1, 63, 64, 65, 255, 256, 257, 511, 513],
  ...[4095, 4096, 4097, 65_537, 2 * MIB + 16, 4 * MIB, 4 * MIB + 1, 5 * MIB - 7],
];

describe('a pool with messages under way', () => {
  // A message may be reachable from its workers alone, which Firefox then collects; automation cannot make it do so.
  it('is held by a timer, and by none afterwards', async () => {
    const { engine, keyed } = await warm();
    const clock = useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const results = [1, 2].map(async () => keyed.encrypt(AEAD, randomBytes(MIB)));
      await until(() => clock.countTimers() > 0);
      expect(clock.countTimers()).to.equal(1);
      await Promise.all(results);
      expect(clock.countTimers()).to.equal(0);
    } finally {
      clock.restore();
      engine.close();
    }
  });
});

describe('messages in slices', () => {
  it('give what one thread gives', async () => {
    const { algorithms, engine } = await pooled();
    for (const length of LENGTHS) {
      const data = unaligned(randomBytes(length), length % 8);
      for (const name of NAMES) {
        const keyed = await algorithms[name]!.withKey(KEY);
        const params = CIPHERS[name] as never;
        const sealed = await keyed.encrypt(params, data);
        same(sealed, await expected(name, data), `${name}, ${length}`);
        same(await keyed.decrypt(params, sealed), data, `${name}, ${length}, backwards`);
        keyed.wipe();
      }
      const digest = await algorithms.BLAKE3!.digest(data);
      same(digest, await alone.BLAKE3!.digest(data), `BLAKE3, ${length}`);
    }
    engine.close();
  });

  it('go on beside each other, in any number of workers', async () => {
    for (const threads of [2, 3, 6]) {
      const { algorithms, engine } = await pooled({ threads });
      const messages = [MIB + 5, 300, 2 * MIB, 70_000].map((length) => randomBytes(length));
      await Promise.all(
        messages.flatMap((data) =>
          NAMES.map(async (name) => {
            const keyed = await algorithms[name]!.withKey(KEY);
            const sealed = await keyed.encrypt(CIPHERS[name] as never, data);
            same(sealed, await expected(name, data), `${name}, ${data.length}`);
          }),
        ),
      );
      engine.close();
    }
  });

  it('are cut so that none is longer than half a MiB, and this thread takes a part', async () => {
    const { workers, algorithms, engine } = await pooled({ threads: 3 });
    const keyed = await algorithms['AES-CTR']!.withKey(KEY);
    await keyed.encrypt(CIPHERS['AES-CTR'], randomBytes(12 * MIB));
    const slices = workers.orders.flatMap((order) => (order.type === 'slice' ? [order] : []));
    expect(slices.length, 'of 24, some by this thread').to.be.within(1, 23);
    for (const { length } of slices) expect(length).to.equal(MIB / 2);
    engine.close();
  });
});

describe('the pool', () => {
  it('gets messages of a MiB and more, with ChaCha20 and BLAKE3 of 16 MiB and more', async () => {
    const { engine } = await pooled();
    const registry = await registryOf(engine, DEFAULT_THRESHOLDS);
    for (const name of [...NAMES, 'BLAKE3'] as const) {
      const from = /^(X?ChaCha20|BLAKE3)/.test(name) ? 16 * MIB : MIB;
      expect(registry.choose(name, from - 1, 'auto'), name).to.equal('wasm-simd');
      expect(registry.choose(name, from, 'auto'), name).to.equal('wasm-threads');
    }
  });

  it('starts with the first long message, and ends when there was none for a while', async () => {
    const { workers, engine } = await pooled({ idleMs: 5 });
    const registry = await registryOf(engine);
    expect((await encrypted(registry, 'AES-OCB', randomBytes(MIB - 1))).engine).to.equal(
      'wasm-simd',
    );
    expect(workers.started).to.equal(0);
    expect((await encrypted(registry, 'AES-OCB', randomBytes(MIB))).engine).to.equal(
      'wasm-threads',
    );
    expect(workers.started).to.equal(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(workers.running).to.equal(0);
    expect((await encrypted(registry, 'AES-OCB', randomBytes(MIB))).engine).to.equal(
      'wasm-threads',
    );
    expect(workers.started).to.equal(2);
    registry.close();
    expect(workers.running).to.equal(0);
  });

  it('ends a message on this thread when a worker fails in the middle, also in place', async () => {
    for (const name of NAMES) {
      const { workers, engine } = await pooled({ threads: 3 });
      const registry = await registryOf(engine);
      expect(await registry.test('wasm-threads', name)).to.equal(undefined);
      let slices = 0;
      workers.before = ({ type }) => {
        if (type === 'slice' && ++slices === 4) workers.fail('out of memory');
        return true;
      };
      const data = randomBytes(5 * MIB);
      const place = new Uint8Array(5 * MIB + 16);
      place.set(data);
      const message = place.subarray(0, 5 * MIB);
      const { engine: used, result } = await encrypted(registry, name, message, place);
      expect(used).to.equal('wasm-threads');
      same(result, await expected(name, data), name);
      expect(workers.running).to.equal(0);
      // The next one goes to the engine of one thread, and the report says why.
      expect((await encrypted(registry, name, data)).engine).to.equal('wasm-simd');
      const reason = 'a worker failed: out of memory';
      expect(registry.absent()).to.deep.equal([{ engine: 'wasm-threads', reason }]);
    }
  });

  it('does not trust a worker that computes something else, from its first slice on', async () => {
    for (const wrongs of [(part: Uint8Array) => part, () => new Uint8Array(16)]) {
      const { workers, algorithms, engine } = await pooled();
      workers.instead = (answer) => {
        if (answer.type !== 'done') return answer;
        new Uint8Array(answer.buffer)[7]! ^= 1;
        return { ...answer, part: wrongs(answer.part) };
      };
      const data = randomBytes(5 * MIB);
      const keyed = await algorithms['AES-GCM']!.withKey(KEY);
      same(await keyed.encrypt(AEAD, data), await expected('AES-GCM', data), 'AES-GCM');
      expect(engine.fault!()).to.match(/^a worker failed: it computed gcm wrongly/);
      expect(workers.running).to.equal(0);
    }
    const { workers, algorithms, engine } = await pooled();
    workers.instead = (answer) =>
      answer.type === 'done' ? { ...answer, part: new Uint8Array(32) } : answer;
    const data = randomBytes(5 * MIB);
    same(await algorithms.BLAKE3!.digest(data), await alone.BLAKE3!.digest(data), 'BLAKE3');
    expect(engine.fault!()).to.match(/^a worker failed: it computed blake3 wrongly/);
  });

  it('rejects a message whose memory is detached meanwhile, and goes on with others', async () => {
    const { workers, algorithms, engine } = await warm();
    const keyed = await algorithms['AES-CTR']!.withKey(KEY);
    const params = CIPHERS['AES-CTR'];
    for (const at of [1, 2]) {
      let ordered = 0;
      const data = new Uint8Array(4 * MIB);
      workers.before = ({ type }) => {
        if (type === 'slice' && ++ordered === at) {
          structuredClone(data.buffer, { transfer: [data.buffer] });
        }
        return true;
      };
      const error = await Promise.resolve(keyed.encrypt(params, data, data)).catch(
        (thrown: unknown) => thrown,
      );
      expect(error, `${at}`).to.be.instanceOf(TypeError);
    }
    workers.before = () => true;
    const next = randomBytes(4 * MIB);
    same(await keyed.encrypt(params, next), await expected('AES-CTR', next), 'AES-CTR');
    expect(engine.fault!()).to.equal(undefined);
    engine.close();
  });

  it('does a message on this thread while workers start, or when none can be started', async () => {
    const startWorker = () => {
      throw new Error('worker-src forbids it');
    };
    const data = randomBytes(MIB);
    const without = await pooled({ startWorker });
    const keyed = await without.algorithms['AES-GCM']!.withKey(KEY);
    same(await keyed.encrypt(AEAD, data), await expected('AES-GCM', data), 'AES-GCM');
    expect(without.engine.fault!()).to.equal('no worker could be started: worker-src forbids it');

    const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const silent = await pooled();
      silent.workers.before = () => false;
      const other = await silent.algorithms['AES-GCM']!.withKey(KEY);
      same(await other.encrypt(AEAD, data), await expected('AES-GCM', data), 'AES-GCM');
      expect(silent.workers.orders.map(({ type }) => type)).to.deep.equal(['start']);
      expect(silent.engine.fault!()).to.equal(undefined);
      await clock.tickAsync(5_000);
      expect(silent.engine.fault!()).to.equal('a worker failed: it did not start in time');
    } finally {
      clock.restore();
    }
  });

  it('stops at the signal: no slice is given out after it, and other messages go on', async () => {
    const { workers, keyed, engine } = await warm();
    const data = randomBytes(16 * MIB);
    const controller = new AbortController();
    const reason = new Error('cancelled by the user');
    let ordered = 0;
    workers.before = ({ type }) => {
      if (type === 'slice' && ++ordered === 3) controller.abort(reason);
      return true;
    };
    const into = new Uint8Array(data.length + 16);
    const error = await Promise.resolve(keyed.encrypt(AEAD, data, into, controller.signal)).catch(
      (thrown: unknown) => thrown,
    );
    expect(String(error)).to.equal(String(reason));
    const short = data.subarray(0, 2 * MIB);
    same(await keyed.encrypt(AEAD, short), await expected('AES-GCM', short), 'afterwards');
    // Two slices were with the worker, and the second message has four.
    expect(ordered).to.be.at.most(3 + 2 + 4);
    await until(() => workers.keys.every((key) => key.every((byte) => byte === 0)));
    expect(workers.keys.flatMap((key) => [...key]).every((byte) => byte === 0)).to.equal(true);
    engine.close();
  });

  it('refuses what was aborted before it began, and starts nothing', async () => {
    const { workers, algorithms } = await pooled();
    const signal = AbortSignal.abort(new Error('too late'));
    const digest = Promise.resolve(algorithms.BLAKE3!.digest(randomBytes(2 * MIB), signal));
    expect(String(await digest.catch((error: unknown) => error))).to.equal('Error: too late');
    expect(workers.started).to.equal(0);
  });

  it('refuses a forged message, and leaves nothing of it in into', async () => {
    const { algorithms, engine } = await pooled();
    for (const name of NAMES.filter((each) => each !== 'AES-CTR')) {
      const keyed = await algorithms[name]!.withKey(KEY);
      const sealed = await keyed.encrypt(CIPHERS[name], randomBytes(MIB + 3));
      sealed[MIB / 2]! ^= 1;
      const into = new Uint8Array(MIB + 3);
      const opened = Promise.resolve(keyed.decrypt(CIPHERS[name], sealed, into));
      const error = await opened.catch((thrown: unknown) => thrown as Error);
      expect((error as Error).name, name).to.equal('AuthenticationError');
      expect(into.every((byte) => byte === 0)).to.equal(true);
    }
    engine.close();
  });
});
