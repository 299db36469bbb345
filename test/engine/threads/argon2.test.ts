import { expect } from 'chai';
import { restore, stub } from 'sinon';
import { toHex } from '../../../src/crypto/bytes.ts';
import { ARGON2_NAMES, argon2 } from '../../../src/crypto/kdf/argon2.ts';
import type { Algorithms, Argon2Params } from '../../../src/engine/contract.ts';
import type { PoolWorker } from '../../../src/engine/threads/protocol.ts';
import { threadsEngine } from '../../../src/engine/threads/threads.ts';
import { loadWasm } from '../../support/wasm.ts';
import { threadsOfTheirOwn, until, WorkersHere } from './pool-workers.ts';

const PASSWORD = new Uint8Array(12).fill(7);
const params = (
  parallelism: number,
  passes: number,
  memoryKiB = 40 * parallelism,
): Argon2Params => ({
  parallelism,
  passes,
  memoryKiB,
  nonce: new Uint8Array(16).fill(2),
  secret: new Uint8Array(3),
  associatedData: new Uint8Array(5).fill(9),
});
const expected = (given: Argon2Params): string => toHex(argon2('Argon2id', PASSWORD, given, 32));

async function started(startWorker: () => PoolWorker, threads = 2) {
  const engine = threadsEngine(loadWasm, { threads, startWorker });
  const probe = await engine.probe();
  if (!probe.available) throw new Error(probe.reason);
  return { engine, algorithms: probe.algorithms };
}

async function derived(algorithms: Algorithms, given: Argon2Params): Promise<string> {
  return toHex(await algorithms.Argon2id!.derive(PASSWORD, given, 32));
}

/** A pool whose worker was seen to compute Argon2 as this thread does. */
async function proved() {
  const workers = new WorkersHere();
  const found = await started(workers.start);
  while (workers.answered === 0) await derived(found.algorithms, params(8, 1));
  return { ...found, workers };
}

describe('lanes of Argon2 in threads', function () {
  this.timeout(30_000);
  afterEach(() => restore());

  it('give what one thread gives, for every type, number of lanes and pass', async () => {
    const workers = new WorkersHere();
    const { engine, algorithms } = await started(workers.start, 3);
    for (const name of ARGON2_NAMES) {
      for (const [lanes, passes] of [
        [2, 1],
        [2, 3],
        [3, 2],
        [5, 2],
        [16, 2],
      ] as const) {
        const given = params(lanes, passes);
        const key = toHex(await algorithms[name]!.derive(PASSWORD, given, 40));
        expect(key, `${name}, ${lanes} lanes`).to.equal(toHex(argon2(name, PASSWORD, given, 40)));
      }
    }
    await until(() => workers.answered > 0);
    expect(workers.answered).to.be.above(0);
    engine.close();
  });

  it('give it in threads of their own, with one memory', async () => {
    const startWorker = await threadsOfTheirOwn();
    let answered = 0;
    const counted = () => {
      const worker = startWorker();
      worker.onAnswer(({ type }) => {
        if (type === 'done') answered++;
      });
      return worker;
    };
    const { engine, algorithms } = await started(counted, 3);
    const given = params(4, 3, 4096);
    while (answered < 20) expect(await derived(algorithms, given)).to.equal(expected(given));
    expect(engine.fault!()).to.equal(undefined);
    engine.close();
  });

  for (const pass of [0, 1]) {
    it(`end on this thread where a worker fails in pass ${pass}`, async () => {
      const { engine, algorithms, workers } = await proved();
      workers.before = (order) => {
        const { orders } = workers;
        const { task } = [...orders].reverse().find(({ type }) => type === 'begin') as {
          task: { pass?: number };
        };
        if (order.type !== 'slice' || task.pass !== pass) return true;
        workers.fail('gone');
        return false;
      };
      expect(await derived(algorithms, params(8, 2))).to.equal(expected(params(8, 2)));
      expect(engine.fault!()).to.equal('a worker failed: gone');
      expect(await derived(algorithms, params(8, 2))).to.equal(expected(params(8, 2)));
    });
  }

  it('do not trust a worker that computes something else, from its first slice on', async () => {
    const workers = new WorkersHere();
    const { engine, algorithms } = await started(workers.start);
    workers.instead = (answer) =>
      answer.type === 'done' ? { ...answer, part: answer.part.map((byte) => byte ^ 1) } : answer;
    const given = params(8, 3);
    for (let turn = 0; turn < 100 && engine.fault!() === undefined; turn++) {
      expect(await derived(algorithms, given)).to.equal(expected(given));
    }
    expect(engine.fault!()).to.match(/it computed argon2 wrongly/);
  });

  it('from the second pass on, go to no worker that was not seen to compute alike', async () => {
    const workers = new WorkersHere();
    const passes: (number | undefined)[] = [];
    let ready = (): void => undefined;
    const late = () => {
      const worker = workers.start();
      return {
        ...worker,
        // It is ready in the second pass.
        onAnswer: (listener: Parameters<PoolWorker['onAnswer']>[0]) =>
          worker.onAnswer((answer) => {
            if (answer.type === 'ready') ready = () => listener(answer);
            else listener(answer);
          }),
      };
    };
    const { engine, algorithms } = await started(late);
    const { Instance } = WebAssembly;
    let slices = 0;
    // Made here: one for the derivation, one for each of four slices of the first pass, one for the first of the second.
    stub(WebAssembly, 'Instance').callsFake(function (
      module: WebAssembly.Module,
      imports?: WebAssembly.Imports,
    ) {
      if (++slices === 6) ready();
      return new Instance(module, imports);
    });
    expect(await derived(algorithms, params(8, 2))).to.equal(expected(params(8, 2)));
    expect(slices).to.be.above(6);
    for (const order of workers.orders) {
      if (order.type === 'begin') passes.push((order.task as { pass?: number }).pass);
    }
    expect(passes).to.deep.equal([]);
    engine.close();
  });

  it('leave nothing in the memory', async () => {
    const { engine, algorithms } = await proved();
    const memories: WebAssembly.Memory[] = [];
    const { Memory } = WebAssembly;
    stub(WebAssembly, 'Memory').callsFake(function (descriptor: WebAssembly.MemoryDescriptor) {
      const memory = new Memory(descriptor);
      memories.push(memory);
      return memory;
    });
    await derived(algorithms, params(4, 2, 8192));
    await derived(algorithms, params(3, 2, 4096));
    expect(memories).to.have.lengthOf(1);
    expect(new Uint8Array(memories[0]!.buffer).every((byte) => byte === 0)).to.equal(true);
    engine.close();
  });

  it('are for other engines where there is one, where there are more than sixteen, and without shared memory', async () => {
    const gap = async (given: Argon2Params) => {
      const { engine, algorithms } = await started(new WorkersHere().start);
      engine.close();
      return algorithms.Argon2id?.gap?.(PASSWORD.length, given, 32);
    };
    expect(await gap(params(1, 1))).to.equal('one lane has one thread');
    expect(await gap(params(17, 1))).to.equal('more than 16 lanes');
    expect(await gap(params(16, 1))).to.equal(undefined);
    const { SharedArrayBuffer } = globalThis;
    try {
      Reflect.deleteProperty(globalThis, 'SharedArrayBuffer');
      const { engine, algorithms } = await started(new WorkersHere().start);
      engine.close();
      expect(algorithms).to.have.property('BLAKE3');
      expect(algorithms).to.not.have.property('Argon2id');
    } finally {
      Object.assign(globalThis, { SharedArrayBuffer });
    }
  });
});
